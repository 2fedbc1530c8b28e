// Every text of the theme can be read on every surface, in light and dark: the colours are read from Theme.qml itself.

#include <QColor>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QTest>

#include <cmath>
#include <memory>

namespace {

double linear(double channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

const QStringList kSurfaces = {"window", "surface", "raised", "hover", "selected"};
const QStringList kTexts = {"text", "quietText", "accent", "good", "warn", "bad"};

} // namespace

class TestThemeContrast : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void textIsReadable_data();
    void textIsReadable();
    void edgesAreVisible_data();
    void edgesAreVisible();
    void gaugePartsDiffer();
    void atMostFortyTokens();
    void textFollowsItsScale();

private:
    QColor color(const QString& name) const { return m_theme->property(qPrintable(name)).value<QColor>(); }

    QQmlEngine m_engine;
    std::unique_ptr<QObject> m_holder;
    QObject* m_theme = nullptr;
};

void TestThemeContrast::initTestCase() {
    m_engine.addImportPath("qrc:/");
    QQmlComponent component(&m_engine);
    component.setData("import QtQml\nimport Steelyard.Theme\nQtObject { property QtObject theme: Theme }", {});
    m_holder.reset(component.create());
    QVERIFY2(m_holder, qPrintable(component.errorString()));
    m_theme = m_holder->property("theme").value<QObject*>();
    QVERIFY(m_theme);
}

void TestThemeContrast::textIsReadable_data() {
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("ground");
    for (const QString scheme : {"light", "dark"}) {
        const auto row = [&](const QString& text, const QString& ground) {
            QTest::addRow("%s: %s on %s", qPrintable(scheme), qPrintable(text), qPrintable(ground)) << scheme << text << ground;
        };
        for (const QString& text : kTexts)
            for (const QString& surface : kSurfaces) row(text, surface);
        row("accentText", "accent");
        row("weightsText", "weights");
        for (const QString ground : {"kv", "compute", "otherPrograms"}) row("gaugeText", ground);
    }
}

void TestThemeContrast::textIsReadable() {
    QFETCH(QString, scheme);
    QFETCH(QString, text);
    QFETCH(QString, ground);
    m_theme->setProperty("scheme", scheme);
    QVERIFY(color(text).isValid() && color(ground).isValid());
    const double ratio = contrast(color(text), color(ground));
    QVERIFY2(ratio >= 4.5, qPrintable(QString("%1:1").arg(ratio)));
}

void TestThemeContrast::edgesAreVisible_data() {
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<QString>("edge");
    QTest::addColumn<QString>("ground");
    for (const QString scheme : {"light", "dark"})
        for (const QString edge : {"outline", "accent"})
            for (const QString& surface : kSurfaces)
                QTest::addRow("%s: %s on %s", qPrintable(scheme), qPrintable(edge), qPrintable(surface)) << scheme << edge << surface;
}

void TestThemeContrast::edgesAreVisible() {
    QFETCH(QString, scheme);
    QFETCH(QString, edge);
    QFETCH(QString, ground);
    m_theme->setProperty("scheme", scheme);
    const double ratio = contrast(color(edge), color(ground));
    QVERIFY2(ratio >= 3, qPrintable(QString("%1:1").arg(ratio)));
}

// Parts of the gauge stay apart in brightness or hue, also for eyes that see no red or no green: no two are the same grey and
// the same hue.
void TestThemeContrast::gaugePartsDiffer() {
    const QStringList parts = {"weights", "kv", "compute", "otherPrograms"};
    for (const QString scheme : {"light", "dark"}) {
        m_theme->setProperty("scheme", scheme);
        for (const QString& part : parts) QVERIFY2(contrast(color(part), color("surface")) >= 3, qPrintable(part + " on " + scheme));
        for (int i = 0; i < parts.size(); ++i) {
            for (int j = i + 1; j < parts.size(); ++j) {
                const QColor a = color(parts[i]), b = color(parts[j]);
                const int blueYellow = std::abs((a.blue() * 2 - a.red() - a.green()) - (b.blue() * 2 - b.red() - b.green()));
                QVERIFY2(contrast(a, b) >= 1.3 || blueYellow > 120, qPrintable(parts[i] + " and " + parts[j]));
            }
        }
    }
}

void TestThemeContrast::atMostFortyTokens() {
    const QStringList inputs = {"scheme", "systemIsDark", "textScale", "reducedMotion", "fontFamily", "monospace"};
    int tokens = 0;
    const QMetaObject* meta = m_theme->metaObject();
    for (int i = meta->propertyOffset(); i < meta->propertyCount(); ++i) {
        const QString name = meta->property(i).name();
        if (!inputs.contains(name) && name != "dark" && name != "systemPalette") ++tokens;
    }
    QVERIFY2(tokens <= 40, qPrintable(QString::number(tokens)));
}

void TestThemeContrast::textFollowsItsScale() {
    const int before = m_theme->property("bodySize").toInt();
    m_theme->setProperty("textScale", 2.0);
    QCOMPARE(m_theme->property("bodySize").toInt(), 2 * before);
    m_theme->setProperty("textScale", 1.0);
    QCOMPARE(m_theme->property("bodySize").toInt(), before);
}

QTEST_MAIN(TestThemeContrast)
#include "test_theme_contrast.moc"
