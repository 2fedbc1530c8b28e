// A report as the window draws it: rows of a table with a value for each column, points of plots, parts of memory bars.
//
// Invariant: what was not measured is a dash and no point. Texts are in the language of the program, anew with each call. Knows
// nothing of items and painters.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <QVector>

namespace steelyard {

struct ReportRow {
    QString label, tip;
    QStringList values, notes; // of each column; notes may be empty: "2.1 times", "as expected"
    bool heads = false;        // begins a group: a label alone
};

struct ReportBar {
    QString name;
    quint64 weightsBytes = 0, kvBytes = 0, computeBytes = 0;
};

class ReportTables {
    Q_DECLARE_TR_FUNCTIONS(ReportTables)

public:
    static QVector<ReportRow> rows(const ComparisonReport& report);
    static QVector<ReportBar> bars(const ComparisonReport& report);
    // What the figures stand on: "Against F16, on “Sample text”: 1,204 tokens in 4 windows of 512." Empty while nothing was measured.
    static QString basis(const ComparisonReport& report);
};

} // namespace steelyard
