// The list of all ops. A new op is one line here; its number is its place. Numbers are not stored anywhere.
#pragma once

#include "kernels/ops/add.h"
#include "kernels/ops/attention.h"
#include "kernels/ops/cache_write.h"
#include "kernels/ops/causal_conv.h"
#include "kernels/ops/combine_experts.h"
#include "kernels/ops/compress_keys.h"
#include "kernels/ops/compressed_attention.h"
#include "kernels/ops/copy.h"
#include "kernels/ops/delta_rule.h"
#include "kernels/ops/expert_mat_mul.h"
#include "kernels/ops/gated_activation.h"
#include "kernels/ops/get_rows.h"
#include "kernels/ops/hadamard.h"
#include "kernels/ops/hyper_read.h"
#include "kernels/ops/hyper_write.h"
#include "kernels/ops/index_scores.h"
#include "kernels/ops/layer_norm.h"
#include "kernels/ops/mat_mul.h"
#include "kernels/ops/quantize_rows.h"
#include "kernels/ops/rms_norm.h"
#include "kernels/ops/rotary.h"
#include "kernels/ops/route.h"
#include "kernels/ops/select_top.h"
#include "kernels/ops/soft_cap.h"
#include "kernels/ops/ssm_scan.h"

#include <array>

namespace steelyard::ops {

template <class... Ops>
struct OpList {
    static constexpr uint32_t count = sizeof...(Ops);

    // The number of an op of the list.
    template <class Op>
    static constexpr uint32_t indexOf() {
        uint32_t index = 0;
        bool found = false;
        ((found = found || std::is_same_v<Op, Ops>, index += found ? 0u : 1u), ...);
        return index;
    }

    // The file stems, by number.
    static constexpr std::array<const char*, sizeof...(Ops)> names() { return {Ops::name...}; }

    // Calls visitor.template operator()<Op>() for each op in order.
    template <class Visitor>
    static constexpr void forEach(Visitor&& visitor) {
        (visitor.template operator()<Ops>(), ...);
    }
};

using AllOps = OpList<Add, Attention, CacheWrite, CausalConv, CombineExperts, CompressKeys, CompressedAttention, Copy, DeltaRule,
                      ExpertMatMul, GatedActivation, GetRows, Hadamard, HyperRead, HyperWrite, IndexScores, LayerNorm, MatMul,
                      QuantizeRows, RmsNorm, Rotary, Route, SelectTop, SoftCap, SsmScan>;

template <class Op>
constexpr uint32_t opId = AllOps::indexOf<Op>();

} // namespace steelyard::ops
