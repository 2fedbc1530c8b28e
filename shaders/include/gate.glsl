// The activation functions of a gate (GateFunction in kernels/ops/gated_activation.h).
#ifndef STEELYARD_GATE
#define STEELYARD_GATE
#include "include/functions.glsl"

// Gelu is what remains.
const uint GATE_SILU = 0u, GATE_SIGMOID = 2u, GATE_RELU_SQUARED = 3u, GATE_IDENTITY = 4u, GATE_SOFTPLUS = 5u;

float gateValue(uint function, float slope, float g) {
    if (function == GATE_SILU) return g * sigmoid(slope * g);
    if (function == GATE_SIGMOID) return sigmoid(g);
    if (function == GATE_RELU_SQUARED) return g > 0.0 ? g * g : 0.0;
    if (function == GATE_IDENTITY) return g;
    if (function == GATE_SOFTPLUS) return softplus(g);
    return 0.5 * g * (1.0 + safeTanh(0.79788456080286535588 * g * (1.0 + 0.044715 * g * g)));
}

#endif
