// The CUDA keywords, so that one source compiles with nvcc and with an ordinary compiler (where the emulator runs it).
// The only macros of the tree besides assert and Qt's own.
#pragma once

#if !defined(__CUDACC__)
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#endif
