// The work of a measurement (measurement.h): the reference's distributions window by window into their file, then each column against
// them. Knows nothing of reports.
#pragma once

#include "engine/evaluate/column_engines.h"
#include "engine/evaluate/measurement.h"

namespace steelyard {

Result<Measurement> measureColumns(ColumnEngines& engines, const MeasureRequest& request, const MeasureCallback& progress, const std::atomic<bool>& cancelled);

} // namespace steelyard
