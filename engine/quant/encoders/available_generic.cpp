#include "engine/quant/encoders/vector_encoders.h"

namespace steelyard {

std::vector<const VectorEncoders*> availableEncoders() { return {&genericEncoders()}; }

} // namespace steelyard
