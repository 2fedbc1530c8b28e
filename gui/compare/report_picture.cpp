#include "gui/compare/report_picture.h"

#include "gui/compare/report_tables.h"
#include "gui/compare/verdict_words.h"
#include "gui/controls/point_plot.h"
#include "gui/store/model_list.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QImage>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <utility>

namespace steelyard {

namespace {

constexpr double kWidth = 1000, kMargin = 32, kGap = 16, kPlotHeight = 300, kBarHeight = 22;

struct PictureWords {
    Q_DECLARE_TR_FUNCTIONS(PictureWords)
};

// As gui/theme has them.
struct Colors {
    QColor window, text, quiet, line, weights = QColor(0x00, 0x72, 0xB2), kv = QColor(0xD5, 0x5E, 0x00), compute = QColor(0x00, 0x9E, 0x73);
    QVector<QColor> columns;
};

Colors colorsOf(bool dark) {
    Colors c;
    c.window = dark ? QColor("#1E2022") : QColor("#FFFFFF");
    c.text = dark ? QColor("#ECEDEE") : QColor("#1B1C1E");
    c.quiet = dark ? QColor("#A3A8AE") : QColor("#5F6368");
    c.line = dark ? QColor("#33373B") : QColor("#E2E2DE");
    c.columns = {dark ? QColor("#5BB8DE") : QColor("#0B6E99")}; // their shapes tell them apart
    return c;
}

// Draws from the top down; with no painter it only measures.
class Page {
public:
    Page(const ComparisonReport& report, const Colors& colors, QPainter* painter) : m_report(report), m_colors(colors), m_painter(painter) {
        m_font = QGuiApplication::font();
        m_font.setPixelSize(14);
    }

    double draw() {
        paragraph(m_report.title.empty() ? PictureWords::tr("Comparison") : QString::fromStdString(m_report.title), 22, true, m_colors.text);
        paragraph(ReportTables::basis(m_report), 13, false, m_colors.quiet);
        for (const QString& sentence : VerdictWords::sentences(m_report)) paragraph(sentence, 15, false, m_colors.text);
        m_y += kGap;
        table();
        plots();
        bars();
        return m_y + kMargin;
    }

private:
    QFont font(int size, bool bold) const {
        QFont font = m_font;
        font.setPixelSize(size);
        font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
        return font;
    }

    // Text in a box, or how high it would be.
    double box(const QRectF& where, const QString& words, const QFont& font, const QColor& color, int flags) {
        const QRectF bounds = QFontMetricsF(font).boundingRect(QRectF(0, 0, where.width(), 10000), flags, words);
        if (m_painter != nullptr) {
            m_painter->setFont(font);
            m_painter->setPen(color);
            m_painter->drawText(QRectF(where.topLeft(), QSizeF(where.width(), std::max(where.height(), bounds.height()))), flags, words);
        }
        return bounds.height();
    }

    void paragraph(const QString& words, int size, bool bold, const QColor& color) {
        if (words.isEmpty()) return;
        m_y += box({kMargin, m_y, kWidth - 2 * kMargin, 0}, words, font(size, bold), color, Qt::AlignLeft | Qt::TextWordWrap) + 6;
    }

    void rule() {
        if (m_painter == nullptr) return;
        m_painter->setPen(QPen(m_colors.line, 1));
        m_painter->drawLine(QPointF(kMargin, m_y), QPointF(kWidth - kMargin, m_y));
    }

    double columnLeft(int column) const { return kMargin + 220 + column * columnWidth(); }
    double columnWidth() const { return (kWidth - 2 * kMargin - 220) / double(std::max<size_t>(1, m_report.columns.size())); }

    void table() {
        double height = 0;
        for (int i = 0; i < int(m_report.columns.size()); ++i) {
            if (m_painter != nullptr) {
                m_painter->setRenderHint(QPainter::Antialiasing);
                drawShape(*m_painter, i, {columnLeft(i) + 7, m_y + 10}, 10, m_colors.columns[i % m_colors.columns.size()]);
            }
            height = std::max(height, box({columnLeft(i) + 20, m_y, columnWidth() - 28, 20}, QString::fromStdString(m_report.columns[size_t(i)].name), font(14, true), m_colors.text, Qt::AlignLeft | Qt::TextWordWrap));
        }
        m_y += height + 8;
        rule();
        m_y += 4;
        for (const ReportRow& row : ReportTables::rows(m_report)) {
            if (row.heads) {
                m_y += 6;
                m_y += box({kMargin, m_y, 220, 20}, row.label, font(12, true), m_colors.quiet, Qt::AlignLeft) + 4;
                continue;
            }
            height = box({kMargin, m_y, 210, 20}, row.label, font(14, false), m_colors.text, Qt::AlignLeft | Qt::TextWordWrap);
            for (int i = 0; i < row.values.size(); ++i) {
                double cell = box({columnLeft(i), m_y, columnWidth() - 8, 20}, row.values[i], font(14, false), m_colors.text, Qt::AlignLeft | Qt::TextWordWrap);
                if (!row.notes.value(i).isEmpty()) cell += box({columnLeft(i), m_y + cell, columnWidth() - 8, 20}, row.notes[i], font(12, false), m_colors.quiet, Qt::AlignLeft | Qt::TextWordWrap);
                height = std::max(height, cell);
            }
            m_y += height + 4;
            rule();
            m_y += 4;
        }
        m_y += kGap;
    }

    void plot(const QRectF& area, const std::vector<PlotPoint>& points, const QString& title, double level) {
        if (m_painter == nullptr) return;
        Plot plot;
        for (const PlotPoint& point : points) plot.points += NamedPoint{point.x, point.y, point.yError, QString::fromStdString(m_report.columns[point.column].name), int(point.column)};
        plot.xTitle = PictureWords::tr("size of the file");
        plot.yTitle = title;
        plot.xText = bytesMark;
        plot.yText = numberMark;
        plot.level = level;
        plot.levelLabel = level >= 0 ? PictureWords::tr("small below this") : QString();
        drawPlot(*m_painter, area, plot, {m_colors.text, m_colors.quiet, m_colors.line, m_colors.window, m_colors.columns, font(12, false)});
    }

    void plots() {
        const auto quality = qualityAgainstSize(m_report), speed = speedAgainstSize(m_report);
        if (quality.empty() && speed.empty()) return;
        const double width = (kWidth - 2 * kMargin - kGap) / 2;
        double left = kMargin;
        if (!quality.empty()) {
            plot({left, m_y, width, kPlotHeight}, quality, PictureWords::tr("distance from the reference, nats"), m_report.goodKl);
            left += width + kGap;
        }
        if (!speed.empty()) plot({left, m_y, width, kPlotHeight}, speed, PictureWords::tr("writing, tokens per second"), -1);
        m_y += kPlotHeight + kGap;
    }

    void bars() {
        const QVector<ReportBar> all = ReportTables::bars(m_report);
        if (all.isEmpty()) return;
        quint64 most = 1;
        for (const ReportBar& bar : all) most = std::max(most, bar.weightsBytes + bar.kvBytes + bar.computeBytes);
        paragraph(PictureWords::tr("Memory: weights, KV cache, compute buffers"), 13, false, m_colors.quiet);
        const double left = kMargin + 220, width = kWidth - kMargin - left - 100;
        for (const ReportBar& bar : all) {
            box({kMargin, m_y, 210, kBarHeight}, bar.name, font(14, false), m_colors.text, Qt::AlignLeft | Qt::AlignVCenter);
            double x = left;
            for (const auto& [bytes, color] : {std::pair{bar.weightsBytes, m_colors.weights}, std::pair{bar.kvBytes, m_colors.kv}, std::pair{bar.computeBytes, m_colors.compute}}) {
                const double part = width * double(bytes) / double(most);
                if (m_painter != nullptr) m_painter->fillRect(QRectF(x, m_y, std::max(0.0, part - 1), kBarHeight), color);
                x += part;
            }
            box({x + 8, m_y, 100, kBarHeight}, bytesInWords(qint64(bar.weightsBytes + bar.kvBytes + bar.computeBytes)), font(13, false), m_colors.text, Qt::AlignLeft | Qt::AlignVCenter);
            m_y += kBarHeight + 6;
        }
    }

    const ComparisonReport& m_report;
    const Colors& m_colors;
    QPainter* m_painter;
    QFont m_font;
    double m_y = kMargin;
};

QByteArray svgOf(const ComparisonReport& report, const Colors& colors, const QSizeF& size) {
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size.toSize());
    svg.setViewBox(QRectF({}, size));
    svg.setTitle(QString::fromStdString(report.title));
    QPainter painter(&svg);
    painter.fillRect(QRectF({}, size), colors.window);
    Page(report, colors, &painter).draw();
    painter.end();
    return buffer.data();
}

QByteArray pngOf(const ComparisonReport& report, const Colors& colors, const QSizeF& size) {
    constexpr int kScale = 2; // sharp where it is printed
    QImage image(size.toSize() * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    image.fill(colors.window);
    QPainter painter(&image);
    Page(report, colors, &painter).draw();
    painter.end();
    QBuffer buffer;
    image.save(&buffer, "PNG");
    return buffer.data();
}

} // namespace

Result<void> writeReportPicture(const ComparisonReport& report, const QString& path, bool dark) {
    const Colors colors = colorsOf(dark);
    const QSizeF size(kWidth, Page(report, colors, nullptr).draw());
    const QByteArray bytes = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ? svgOf(report, colors, size) : pngOf(report, colors, size);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return {};
    return Error{PictureWords::tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString()};
}

} // namespace steelyard
