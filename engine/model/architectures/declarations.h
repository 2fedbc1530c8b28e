// One function per architecture: a file's metadata to its spec. Defined in the file of the family; listed in ../architectures.cpp.
#pragma once

#include "engine/core/result.h"
#include "engine/format/gguf_file.h"
#include "engine/model/model_spec.h"

namespace steelyard {

Result<ModelSpec> readBailingmoe2(const GgufFile& file);
Result<ModelSpec> readCohere2(const GgufFile& file);
Result<ModelSpec> readCommandR(const GgufFile& file);
Result<ModelSpec> readDeepseek2(const GgufFile& file);
Result<ModelSpec> readDeepseek4(const GgufFile& file);
Result<ModelSpec> readDream(const GgufFile& file);
Result<ModelSpec> readErnie45(const GgufFile& file);
Result<ModelSpec> readErnie45Moe(const GgufFile& file);
Result<ModelSpec> readExaone4(const GgufFile& file);
Result<ModelSpec> readFalcon(const GgufFile& file);
Result<ModelSpec> readFalconH1(const GgufFile& file);
Result<ModelSpec> readGemma(const GgufFile& file);
Result<ModelSpec> readGemma2(const GgufFile& file);
Result<ModelSpec> readGemma3(const GgufFile& file);
Result<ModelSpec> readGemma4(const GgufFile& file);
Result<ModelSpec> readGlm4(const GgufFile& file);
Result<ModelSpec> readGlm4Moe(const GgufFile& file);
Result<ModelSpec> readGptOss(const GgufFile& file);
Result<ModelSpec> readGpt2(const GgufFile& file);
Result<ModelSpec> readGranite(const GgufFile& file);
Result<ModelSpec> readGraniteHybrid(const GgufFile& file);
Result<ModelSpec> readGraniteMoe(const GgufFile& file);
Result<ModelSpec> readHunyuanDense(const GgufFile& file);
Result<ModelSpec> readInternlm2(const GgufFile& file);
Result<ModelSpec> readKimiLinear(const GgufFile& file);
Result<ModelSpec> readLfm2(const GgufFile& file);
Result<ModelSpec> readLfm2Moe(const GgufFile& file);
Result<ModelSpec> readLlada(const GgufFile& file);
Result<ModelSpec> readLladaMoe(const GgufFile& file);
Result<ModelSpec> readLlama(const GgufFile& file);
Result<ModelSpec> readLlama4(const GgufFile& file);
Result<ModelSpec> readMamba2(const GgufFile& file);
Result<ModelSpec> readMinicpm(const GgufFile& file);
Result<ModelSpec> readMinimaxM2(const GgufFile& file);
Result<ModelSpec> readMistral3(const GgufFile& file);
Result<ModelSpec> readMistral4(const GgufFile& file);
Result<ModelSpec> readNemotronH(const GgufFile& file);
Result<ModelSpec> readNemotronHMoe(const GgufFile& file);
Result<ModelSpec> readOlmo2(const GgufFile& file);
Result<ModelSpec> readOlmoe(const GgufFile& file);
Result<ModelSpec> readPhi2(const GgufFile& file);
Result<ModelSpec> readPhi3(const GgufFile& file);
Result<ModelSpec> readPhiMoe(const GgufFile& file);
Result<ModelSpec> readQwen2(const GgufFile& file);
Result<ModelSpec> readQwen2Moe(const GgufFile& file);
Result<ModelSpec> readQwen3(const GgufFile& file);
Result<ModelSpec> readQwen35(const GgufFile& file);
Result<ModelSpec> readQwen35Moe(const GgufFile& file);
Result<ModelSpec> readQwen3Moe(const GgufFile& file);
Result<ModelSpec> readQwen3Next(const GgufFile& file);
Result<ModelSpec> readSeedOss(const GgufFile& file);
Result<ModelSpec> readSmollm3(const GgufFile& file);
Result<ModelSpec> readStablelm(const GgufFile& file);
Result<ModelSpec> readStarcoder2(const GgufFile& file);

} // namespace steelyard
