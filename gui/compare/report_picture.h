// A report as one picture: verdict, table, plots and memory bars, as PNG or SVG.
//
// Invariant: the file holds the figures of the report and nothing that the report does not; nothing half-written stays. Knows
// nothing of items.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <QString>

namespace steelyard {

// By the ending of the name, .png or .svg, in the colours of the light or the dark theme.
Result<void> writeReportPicture(const ComparisonReport& report, const QString& path, bool dark);

} // namespace steelyard
