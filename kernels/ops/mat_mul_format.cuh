// The products with the weights of one format: built once per format (a translation unit each, mat_mul.cuh and
// expert_mat_mul.cuh), found by type number in mat_mul.cu and expert_mat_mul.cu.
#pragma once

#include "kernels/launch.h"

namespace steelyard::kernels {

// `AnyTarget` keeps the compilations apart.
template <class AnyTarget, class Format>
struct MatMulFormat {
    static const char* launchProduct(const ops::MatMul& op, void* stream);
    static const char* launchExperts(const ops::ExpertMatMul& op, void* stream);
};

// Calls start.template operator()<products of the format>() for a weight's type and layout; gives what start gives, or why not.
template <class Start>
const char* withProducts(uint32_t type, uint32_t layout, Start&& start) {
    if (layout != 0) return "it does not know this layout of the weight";
    const char* problem = "it does not know the tensor type of the weight";
    AllFormats::visit(type, [&]<class Format>() { problem = start.template operator()<MatMulFormat<Target, Format>>(); });
    return problem;
}

} // namespace steelyard::kernels
