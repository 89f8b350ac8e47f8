#pragma once
// Macros for CPU files that are compiled once per instruction set. The functions and templates of
// each compilation are in an inline namespace named after the set. So the linker never mixes two
// versions of one function.

#define LARMOR_CONCATENATE_(a, b) a##b
#define LARMOR_CONCATENATE(a, b) LARMOR_CONCATENATE_(a, b)
#define LARMOR_TEXT_(a) #a
#define LARMOR_TEXT(a) LARMOR_TEXT_(a)

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

// For templates that few models need. On the CPU, such a template is a separate function, compiled
// once and not in every kernel. Arguments are passed by value, so that the caller's variables stay
// in registers.
#if defined(__CUDACC__)
#define LARMOR_COLD __host__ __device__ __forceinline__
#else
#define LARMOR_COLD __attribute__((noinline))
#endif
