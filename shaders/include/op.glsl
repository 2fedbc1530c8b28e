// What every op's shader starts with: addresses as references, and the number of the work group.
//
// Tensors are reached by 64-bit device addresses from the push constants; a reference is only a cast. Work groups form a
// plane of up to 65535 by n, because devices need not allow more in one direction; workGroup() flattens it again.
#ifndef STEELYARD_OP
#define STEELYARD_OP
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer ReadFloats { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer ReadVectors { vec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer ReadInts { int v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer ReadWords { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer ReadLongs { uint64_t v[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Halves { uint16_t v[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer ReadHalves { uint16_t v[]; };

// Bytes from the start of an array of 4-byte values to one of its rows.
uint64_t rowOffset(uint row, uint columns) { return uint64_t(row) * columns * 4; }

uint workGroup() { return gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x; }

float halfToFloat(uint bits) { return unpackHalf2x16(bits & 0xFFFFu).x; }

#endif
