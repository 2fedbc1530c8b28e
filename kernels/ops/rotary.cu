// One thread per pair of a head. Bound by arithmetic (a power, a sine and a cosine per pair); small beside the products.
#include "kernels/launch.h"

namespace steelyard::kernels {

namespace {

struct RotaryKernel {
    static constexpr uint32_t kThreads = 256;

    // The angle of pair j at a position: interpolated, or blended as YaRN does.
    static __device__ float angleOf(const SoloThread&, const ops::Rotary& op, uint32_t j, float position) {
        const float* factors = ops::at<const float>(op.factors);
        const float exponent = -2.0f * static_cast<float>(j) / static_cast<float>(op.dimensions);
        const float extrapolated = position * powf(op.base, exponent) / (factors ? factors[j] : 1.0f);
        const float angle = extrapolated * op.frequencyScale;
        if (!(op.extrapolation > 0.0f)) return angle;
        const float width = fmaxf(0.001f, op.correctionHigh - op.correctionLow);
        const float ramp = (static_cast<float>(j) - op.correctionLow) / width;
        const float mix = (1.0f - fminf(1.0f, fmaxf(0.0f, ramp))) * op.extrapolation;
        return angle * (1.0f - mix) + extrapolated * mix;
    }

    static __device__ void run(const SoloThread& thread, const ops::Rotary& op) {
        const uint32_t half = op.dimensions / 2;
        const uint64_t item = thread.globalIndex();
        if (item >= uint64_t(op.rows) * op.heads * half) return;
        const uint32_t j = static_cast<uint32_t>(item % half);
        const uint64_t head = item / half; // counted over all rows
        const float position = static_cast<float>(ops::rotaryPosition(op, static_cast<uint32_t>(head / op.heads)));
        const float angle = angleOf(thread, op, j, position);
        const float cosine = cosf(angle) * op.magnitude, sine = sinf(angle) * op.magnitude * op.direction;
        float* x = ops::at<float>(op.x) + head * op.headDim;
        const uint32_t first = op.mode == ops::RotaryMode::Adjacent ? 2 * j : j;
        const uint32_t second = op.mode == ops::RotaryMode::Adjacent ? 2 * j + 1 : j + half;
        const float a = x[first], b = x[second];
        x[first] = a * cosine - b * sine;
        x[second] = a * sine + b * cosine;
    }
};

} // namespace

template <>
const char* launchOp<Target>(const ops::Rotary& op, void* stream) {
    const uint64_t pairs = uint64_t(op.rows) * op.heads * (op.dimensions / 2);
    launch<RotaryKernel>({blocksFor(pairs, RotaryKernel::kThreads)}, stream, op);
    return nullptr;
}

} // namespace steelyard::kernels
