// Finds the kernels for a format; kernels and thread mapping are in expert_mat_mul.cuh, built once per format.
#include "kernels/ops/mat_mul_format.cuh"

namespace steelyard::kernels {

template <>
const char* launchOp<Target>(const ops::ExpertMatMul& op, void* stream) {
    return withProducts(op.type, op.layout, [&]<class Products>() { return Products::launchExperts(op, stream); });
}

} // namespace steelyard::kernels
