// Finds the product's kernels for a format; kernels and thread mapping are in mat_mul.cuh, built once per format.
#include "kernels/ops/mat_mul_format.cuh"

namespace steelyard::kernels {

template <>
const char* launchOp<Target>(const ops::MatMul& op, void* stream) {
    return withProducts(op.type, op.layout, [&]<class Products>() { return Products::launchProduct(op, stream); });
}

} // namespace steelyard::kernels
