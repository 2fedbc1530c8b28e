// One thread per 32 values of a row, so that a block's scale is unpacked once. Bound by bandwidth.
#include "kernels/device/vector_load.h"
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

template <class Format>
struct GetRowsKernel {
    static constexpr uint32_t kThreads = 128;

    static __device__ void run(const SoloThread& thread, const ops::GetRows& op) {
        const uint32_t groups = (op.columns + 31) / 32;
        const uint64_t item = thread.globalIndex();
        if (item >= uint64_t(op.rows) * groups) return;
        const uint32_t row = static_cast<uint32_t>(item / groups), group = static_cast<uint32_t>(item % groups);
        const uint32_t first = group * 32, count = op.columns - first < 32 ? op.columns - first : 32;
        float* y = ops::at<float>(op.y) + uint64_t(row) * op.columns + first;
        const int32_t id = ops::at<const int32_t>(op.ids)[row];
        if (id < 0 || static_cast<uint32_t>(id) >= op.tableRows) {
            for (uint32_t i = 0; i < count; ++i) y[i] = 0.0f;
            return;
        }
        const uint64_t rowBytes = uint64_t(op.columns / Format::blockValues) * Format::blockBytes;
        const uint8_t* source = ops::at<const uint8_t>(op.table) + uint64_t(id) * rowBytes;
        if constexpr (Format::productClass == ProductClass::Float) {
            for (uint32_t i = 0; i < count; ++i) y[i] = Format::load(source, first + i) * op.scale;
        } else {
            Unpacked32 values;
            loadGroup<Format>(source, group, values);
            for (uint32_t i = 0; i < 32; ++i)
                y[i] = (values.scale[i / 16] * values.codes[i] + values.minimum[i / 16]) * op.scale;
        }
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::GetRows& op, void* stream) {
    if (op.layout != 0) return "it does not know this layout of the table";
    if (op.table % 16 != 0) return "its table is not aligned to 16 bytes";
    const uint64_t groups = uint64_t(op.rows) * ((op.columns + 31) / 32);
    const bool known = AllFormats::visit(op.type, [&]<class Format>() {
        launch<GetRowsKernel<Format>>({blocksFor(groups, GetRowsKernel<Format>::kThreads)}, stream, op);
    });
    return known ? nullptr : "it does not know the tensor type of the table";
}

} // namespace steelyard::kernels
