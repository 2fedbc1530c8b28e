// The Compare page's one door: columns, turns, blind votes, the same text, the report, levels and the comparisons that were run.
//
// Invariant: answers belong to the columns that they stand under: where columns change after an answer, the comparison is kept and a
// new one begins. While names are hidden nothing of the desk tells them. The chat's model is never touched but by unloadChatModel().
// Nothing here waits. Knows nothing of windows.
#pragma once

#include "gui/compare/column_list.h"
#include "gui/compare/level_maker.h"
#include "gui/compare/report_desk.h"
#include "gui/compare/round_list.h"
#include "gui/compare/run_list.h"
#include "gui/compare/same_text_view.h"
#include "gui/compare/vote_list.h"
#include "gui/engine_client/comparison_client.h"
#include "gui/engine_client/engine_client.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class CompareDesk : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(steelyard::ColumnList* columns READ columns CONSTANT)
    Q_PROPERTY(steelyard::RoundList* rounds READ rounds CONSTANT)
    Q_PROPERTY(steelyard::RunList* runs READ runs CONSTANT)
    Q_PROPERTY(steelyard::VoteList* votes READ votes CONSTANT)
    Q_PROPERTY(steelyard::SameTextView* sameText READ sameText CONSTANT)
    Q_PROPERTY(steelyard::ReportDesk* report READ report CONSTANT)
    Q_PROPERTY(steelyard::LevelMaker* maker READ maker CONSTANT)
    Q_PROPERTY(QAbstractItemModel* models READ models CONSTANT)
    Q_PROPERTY(QVariantList modelChoices READ modelChoices NOTIFY modelsChanged) // {path, text, note}
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)
    Q_PROPERTY(double runId READ runNumber NOTIFY titleChanged) // 0 = not kept yet
    Q_PROPERTY(bool busy READ busy NOTIFY busyChanged)
    Q_PROPERTY(bool answering READ answering NOTIFY busyChanged)
    Q_PROPERTY(bool canRun READ canRun NOTIFY canRunChanged)
    Q_PROPERTY(int mostColumns READ mostColumns CONSTANT)
    Q_PROPERTY(QString plan READ plan NOTIFY planChanged)       // what the columns take and in what order they run
    Q_PROPERTY(bool inTurns READ inTurns NOTIFY planChanged)    // they do not fit together
    Q_PROPERTY(QString chatModel READ chatModel NOTIFY planChanged) // takes room that the columns lack; else empty
    Q_PROPERTY(bool loaded READ loaded NOTIFY loadedChanged)
    Q_PROPERTY(double seed READ seed WRITE setSeed NOTIFY samplingChanged)
    Q_PROPERTY(double temperature READ temperature WRITE setTemperature NOTIFY samplingChanged)
    Q_PROPERTY(int limit READ limit WRITE setLimit NOTIFY samplingChanged) // tokens of an answer
    Q_PROPERTY(bool blind READ blind WRITE setBlind NOTIFY blindChanged)
    Q_PROPERTY(bool votable READ votable NOTIFY blindChanged)   // all answers are there, and names are hidden
    Q_PROPERTY(QString problem READ problem NOTIFY problemChanged)

public:
    // `folder` is the program's data folder. All of them outlive the desk.
    CompareDesk(const QString& folder, ComparisonClient* client, EngineClient* engine, Store* store, ModelList* models, QObject* parent = nullptr);
    ~CompareDesk() override;

    ColumnList* columns() { return &m_columns; }
    RoundList* rounds() { return &m_rounds; }
    RunList* runs() { return &m_runs; }
    VoteList* votes() { return &m_votes; }
    SameTextView* sameText() { return &m_sameText; }
    ReportDesk* report() { return &m_report; }
    LevelMaker* maker() { return &m_maker; }
    QAbstractItemModel* models() { return m_models; }
    QVariantList modelChoices() const;
    QString title() const { return m_title; }
    qint64 runId() const { return m_runId; }
    double runNumber() const { return double(m_runId); } // QML knows no longer whole numbers
    bool busy() const { return m_client->busy(); }
    bool answering() const { return m_answering; }
    bool canRun() const;
    int mostColumns() const { return int(kMostColumns); }
    QString plan() const;
    bool inTurns() const { return m_plan && m_plan->order == ComparisonPlan::Order::OneAfterTheOther; }
    QString chatModel() const;
    bool loaded() const { return m_client->loaded(); }
    double seed() const { return double(m_seed); }
    void setSeed(double seed);
    double temperature() const { return m_temperature; }
    void setTemperature(double temperature);
    int limit() const { return m_limit; }
    void setLimit(int tokens);
    bool blind() const { return m_blind; }
    void setBlind(bool blind);
    bool votable() const;
    QString problem() const;

    void setLoadDefaults(const LoadOptions& defaults);
    bool eventFilter(QObject* object, QEvent* event) override; // of the application: another language

    // --- Columns. Answers that stand already are kept as a comparison of their own.
    Q_INVOKABLE QVariantMap columnOptions(int column) const; // {path, kvType, contextLength, fillerTokens, guesses}
    Q_INVOKABLE QStringList columnPaths() const;
    Q_INVOKABLE void addColumn(const QString& path);
    Q_INVOKABLE void setModels(const QStringList& paths); // those of the list stay with their settings
    Q_INVOKABLE void removeColumn(int column);
    Q_INVOKABLE void copyColumn(int column);              // the same model, to be set otherwise
    Q_INVOKABLE void changeColumn(int column, const QString& path, const QString& kvType, int contextLength, int fillerTokens, bool guesses);

    // --- Answers.
    Q_INVOKABLE void run(const QString& prompt);
    Q_INVOKABLE void stop() { m_client->cancel(); }
    Q_INVOKABLE void vote(int row); // the row shown; -1 = no difference. Reveals the names
    Q_INVOKABLE void forceSameText(int answerOf, int reference); // both columns; of the last turn
    Q_INVOKABLE void unload() { m_client->unload(); }
    Q_INVOKABLE void unloadChatModel();
    Q_INVOKABLE void copy(const QString& text);

    // --- Comparisons.
    Q_INVOKABLE void startNew(); // with the same columns
    Q_INVOKABLE void open(qint64 runId);

signals:
    void modelsChanged();
    void titleChanged();
    void busyChanged();
    void canRunChanged();
    void planChanged();
    void loadedChanged();
    void samplingChanged();
    void blindChanged();
    void problemChanged();
    void opened();
    void voted(const QString& words);
    void failed(const QString& sentence);

private:
    void wire();
    std::vector<ComparisonColumn> engineColumns() const;
    void columnsChanged(bool keepsReport = false);
    void addMade();
    void keepAndBegin(); // what was answered is a comparison of its own
    void planNow();
    void takeAnswer(int column, const ColumnAnswer& answer);
    void endAnswers(const QString& problem);
    void endSameText(const SameText& sameText, const QString& problem);
    void save();
    void adopt(const ComparisonRecord& record);
    void setProblem(const QString& sentence);
    void retranslate();
    Prompt promptOf(int column, std::vector<ChatMessage> messages) const;

    ComparisonClient* m_client;
    EngineClient* m_engine;
    Store* m_store;
    ModelList* m_models;
    ColumnList m_columns;
    RoundList m_rounds;
    RunList m_runs;
    VoteList m_votes;
    SameTextView m_sameText;
    ReportDesk m_report;
    LevelMaker m_maker;
    LoadOptions m_defaults;
    std::optional<ComparisonPlan> m_plan;
    int m_planNumber = 0;
    QTimer m_planTimer;
    QString m_title, m_problem;
    qint64 m_runId = 0;
    int m_runNumber = 0; // of the comparison that is open: an answer of the store for another one is ignored
    quint64 m_seed = 1;
    double m_temperature = 0;
    int m_limit = 256;
    bool m_blind = false, m_answering = false, m_forcing = false, m_saving = false, m_saveAgain = false;
    AnswerRequest m_request;
    std::vector<ColumnAnswer> m_answers; // of the turn that runs
    QStringList m_madePaths;             // of levels that are to become columns when the library has read them
};

} // namespace steelyard
