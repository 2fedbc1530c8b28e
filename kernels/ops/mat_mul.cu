// Finds the product's kernels for a format; kernels and thread mapping are in mat_mul.cuh, built once per format.
#include "kernels/launch.h"

namespace steelyard::kernels {

template <class AnyTarget, class Format>
struct MatMulFormat {
    static const char* launchProduct(const ops::MatMul& op, void* stream);
};

template <>
const char* launchOp<Target>(const ops::MatMul& op, void* stream) {
    if (op.layout != 0) return "it does not know this layout of the weight";
    const char* problem = "it does not know the tensor type of the weight";
    AllFormats::visit(op.type, [&]<class Format>() { problem = MatMulFormat<Target, Format>::launchProduct(op, stream); });
    return problem;
}

} // namespace steelyard::kernels
