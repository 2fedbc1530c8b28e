// Every text of the theme can be read on every surface, in light and dark: the colours are read from Theme.qml itself.

#include <QColor>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QTest>

#include <algorithm>
#include <array>
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

// The colour as an eye sees it, in CIELAB.
std::array<double, 3> labOf(const QColor& color, const double (&eye)[9]) {
    const double in[3] = {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
    double rgb[3];
    for (int i = 0; i < 3; ++i) rgb[i] = std::clamp(eye[3 * i] * in[0] + eye[3 * i + 1] * in[1] + eye[3 * i + 2] * in[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(const QColor& a, const QColor& b, const double (&eye)[9]) {
    const auto first = labOf(a, eye), second = labOf(b, eye);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
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

// Parts of the gauge stay apart, also for eyes without red, green or blue cones (Machado, Oliveira and Fernandes 2009), and from the
// surface.
void TestThemeContrast::gaugePartsDiffer() {
    const QStringList parts = {"weights", "kv", "compute", "otherPrograms"};
    const double eyes[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                               {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
                               {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
                               {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};
    for (const QString& part : parts)
        for (const QString scheme : {"light", "dark"}) {
            m_theme->setProperty("scheme", scheme);
            QVERIFY2(contrast(color(part), color("surface")) >= 3, qPrintable(part + " on " + scheme));
        }
    for (const auto& eye : eyes) {
        for (int i = 0; i < parts.size(); ++i)
            for (int j = i + 1; j < parts.size(); ++j) {
                const double distance = difference(color(parts[i]), color(parts[j]), eye);
                QVERIFY2(distance >= 10, qPrintable(QString("%1 and %2: %3").arg(parts[i], parts[j]).arg(distance)));
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
