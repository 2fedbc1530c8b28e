// What several architectures share beyond SpecReader::common: settings of a whole spec, each a few lines.
#pragma once

#include "engine/model/spec_reader.h"

namespace steelyard::parts {

// The function in the middle of all feed-forwards.
void activation(ModelSpec& spec, ops::GateFunction function);
void headNormKind(ModelSpec& spec, HeadNormKind kind);
void rotateHalves(ModelSpec& spec);

// The rope of the file without any scaling for long contexts.
RopeSpec unscaled(SpecReader& reader, ops::RotaryMode mode, const ModelSpec& spec);

// Scores that grow with the position, in all layers (keys attention.temperature_*).
void temperature(SpecReader& reader, ModelSpec& spec);

// Granite's factors for embeddings, residual sums, scores and logits, and whether it has positions at all.
void graniteScales(SpecReader& reader, ModelSpec& spec);

// Turns the attention of all layers that have it into latent attention (keys *_lora_rank and *_length_mla).
void latentAttention(SpecReader& reader, ModelSpec& spec);

// Gives a Mamba 2 part to all layers that have its tensors (keys ssm.*).
void mamba2(SpecReader& reader, ModelSpec& spec);

// The sizes of a gated delta rule (keys ssm.*).
DeltaSpec deltaRule(SpecReader& reader, DeltaSpec::Form form);

} // namespace steelyard::parts
