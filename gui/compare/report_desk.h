// The report of a comparison: chooses a text, measures the columns on it, keeps the result and writes it to files.
//
// Invariant: columns, answers and measurements of a report belong together; other columns begin another one. What was measured until
// a cancel is kept on the disk, and measuring again goes on there. Nothing here waits. Knows nothing of answers' marks and of votes.
#pragma once

#include "gui/compare/measure_text.h"
#include "gui/engine_client/comparison_client.h"
#include "gui/store/model_list.h"
#include "gui/store/store.h"

#include <QObject>
#include <QTimer>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class ReportDesk : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(steelyard::MeasureText* text READ text CONSTANT)
    Q_PROPERTY(bool wanted READ wanted WRITE setWanted NOTIFY wantedChanged) // it is on the screen: plan it
    // --- What will be measured.
    Q_PROPERTY(QVariantList references READ references NOTIFY choicesChanged) // {text, note}
    Q_PROPERTY(int reference READ reference NOTIFY choicesChanged)            // index in references
    Q_PROPERTY(int window READ window WRITE setWindow NOTIFY choicesChanged)  // tokens
    Q_PROPERTY(bool speedToo READ speedToo WRITE setSpeedToo NOTIFY choicesChanged)
    Q_PROPERTY(QString plan READ plan NOTIFY planChanged)
    Q_PROPERTY(QString planProblem READ planProblem NOTIFY planChanged)
    Q_PROPERTY(bool canMeasure READ canMeasure NOTIFY planChanged)
    Q_PROPERTY(bool goesOn READ goesOn NOTIFY planChanged) // a part was measured before
    // --- While it is measured.
    Q_PROPERTY(bool measuring READ measuring NOTIFY measuringChanged)
    Q_PROPERTY(double fraction READ fraction NOTIFY progressed)
    Q_PROPERTY(QString progress READ progress NOTIFY progressed)
    // --- The result.
    Q_PROPERTY(bool hasReport READ hasReport NOTIFY reportChanged)
    Q_PROPERTY(bool hasQuality READ hasQuality NOTIFY reportChanged)
    Q_PROPERTY(QStringList names READ names NOTIFY reportChanged)
    Q_PROPERTY(QVariantList rows READ rows NOTIFY reportChanged)
    Q_PROPERTY(QStringList verdict READ verdict NOTIFY reportChanged)
    Q_PROPERTY(QString basis READ basis NOTIFY reportChanged)
    Q_PROPERTY(bool referenceQuantized READ referenceQuantized NOTIFY reportChanged)
    Q_PROPERTY(QVariantList qualityPoints READ qualityPoints NOTIFY reportChanged) // {x, y, yError, label, column}
    Q_PROPERTY(QVariantList speedPoints READ speedPoints NOTIFY reportChanged)
    Q_PROPERTY(QVariantList bars READ bars NOTIFY reportChanged) // {name, weightsBytes, kvBytes, computeBytes}
    Q_PROPERTY(QString problem READ problem NOTIFY reportChanged)

public:
    // All of them outlive the desk; `folder` is where measurements are kept.
    ReportDesk(const QString& folder, ComparisonClient* client, Store* store, const ModelList* models, QObject* parent = nullptr);

    MeasureText* text() { return &m_text; }
    bool wanted() const { return m_wanted; }
    void setWanted(bool wanted);
    QVariantList references() const;
    int reference() const;
    int window() const { return m_window; }
    void setWindow(int tokens);
    bool speedToo() const { return m_speedToo; }
    void setSpeedToo(bool measured);
    void setSpeedRequest(const SpeedRequest& request) { m_speedRequest = request; }
    QString plan() const;
    QString planProblem() const;
    bool canMeasure() const { return m_plan.has_value() && m_planProblem.isEmpty() && !m_client->busy(); }
    bool goesOn() const;
    bool measuring() const { return m_measuring; }
    double fraction() const { return m_progress.fraction; }
    QString progress() const;
    bool hasReport() const { return !m_report.columns.empty(); }
    bool hasQuality() const { return m_report.reference.has_value(); }
    QStringList names() const;
    QVariantList rows() const;
    QStringList verdict() const;
    QString basis() const;
    bool referenceQuantized() const { return m_report.reference && m_report.reference->isQuantized(); }
    QVariantList qualityPoints() const { return points(true); }
    QVariantList speedPoints() const { return points(false); }
    QVariantList bars() const;
    QString problem() const;
    const ComparisonReport& report() const { return m_report; }

    Q_INVOKABLE void chooseReference(int index);
    Q_INVOKABLE void measure();
    Q_INVOKABLE void cancel() { m_client->cancel(); }
    // By the ending of the file's name: .md, .csv, .json, .png, .svg. `dark` counts for pictures.
    Q_INVOKABLE void exportTo(const QUrl& file, bool dark);
    Q_INVOKABLE QString suggestedName() const;
    Q_INVOKABLE QString bytesText(double bytes) const { return bytesInWords(qint64(bytes)); }

    // --- From the comparison.
    void setTitle(const QString& title) { m_title = title; }
    // Other columns; what was measured of others is gone unless `keeps`.
    void setColumns(const QVector<QString>& paths, std::vector<ComparisonColumn> columns, bool keeps);
    void setPlan(const ComparisonPlan& plan) { m_columnsPlan = plan; }
    void takeAnswers(const AnswerRequest& request, const std::vector<ColumnAnswer>& answers);
    void takeSameText(const SameText& sameText);
    void clear();
    QString toJson() const;
    void fromJson(const QString& json);
    void retranslate();

signals:
    void wantedChanged();
    void choicesChanged();
    void planChanged();
    void measuringChanged();
    void progressed();
    void reportChanged();
    void kept();                                  // the report is to be stored
    void exported(const QString& file);
    void failed(const QString& sentence);

private:
    struct OtherReference {
        QString path, title;
        double bitsPerWeight = 0;
    };

    QVariantList points(bool quality) const;
    QVector<OtherReference> otherReferences() const;
    MeasureRequest request() const;
    void planLater();
    void planNow();
    void begin(); // a report of the columns, where there is none
    void finish(const Measurement& measurement, const std::vector<ColumnSpeed>& speeds, const QString& problem);

    QString m_folder, m_title;
    ComparisonClient* m_client;
    const ModelList* m_models;
    MeasureText m_text;
    QVector<QString> m_paths;
    std::vector<ComparisonColumn> m_columns;
    ComparisonPlan m_columnsPlan;
    int m_chosenReference = -1; // -1 = the one with most bits
    int m_window = 512;
    bool m_speedToo = true, m_wanted = false, m_measuring = false, m_measuringSpeed = false;
    SpeedRequest m_speedRequest{256, 48, 3, 0};
    std::optional<MeasurePlan> m_plan;
    QString m_planProblem, m_problem;
    int m_planNumber = 0;
    MeasureProgress m_progress;
    int m_speedColumn = 0;
    ComparisonReport m_report;
    QTimer m_planTimer;
};

} // namespace steelyard
