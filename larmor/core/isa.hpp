#pragma once
// Hot CPU files are compiled once per instruction set. Whatever they instantiate lives in an inline
// namespace named after the set, so that the linker never mixes two versions of one function.

#define LARMOR_CONCATENATE_(a, b) a##b
#define LARMOR_CONCATENATE(a, b) LARMOR_CONCATENATE_(a, b)

#if defined(LARMOR_ISA)
#define LARMOR_ISA_NAMESPACE LARMOR_CONCATENATE(isa_, LARMOR_ISA)
#elif defined(__CUDACC__)
#define LARMOR_ISA_NAMESPACE isa_cuda
#else
#define LARMOR_ISA_NAMESPACE isa_default
#endif

#if defined(__CUDACC__)
#define LARMOR_INLINE __host__ __device__ __forceinline__
#else
#define LARMOR_INLINE inline __attribute__((always_inline))
#endif
