#pragma once
// Selects a mutant at run time, in the copy of the sources that tools/mutants.py makes. In this
// copy, a mutated expression reads (larmor_mutant(7) ? (mutated) : (original)).

// Kernels for run-time compilation have a macro larmor_mutant, which text_with_mutant adds to their
// text.
#if !defined(LARMOR_AT_RUN_TIME)

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

/// Number of the mutant that LARMOR_MUTANT in the environment selects; 0: none.
extern const int larmor_mutant_number;

#if defined(__CUDACC__)
/// Every source has its own copy of the number on the GPU, which put_mutant_on_gpus sets.
namespace {
__device__ int larmor_mutant_on_gpu = 0;
}
#define LARMOR_MUTANT_INLINE __host__ __device__ __forceinline__
#else
#define LARMOR_MUTANT_INLINE inline __attribute__((always_inline))
#endif

LARMOR_MUTANT_INLINE constexpr bool larmor_mutant(int number) {
  if (std::is_constant_evaluated()) return false;
#if defined(__CUDA_ARCH__)
  return number == larmor_mutant_on_gpu;
#else
  return number == larmor_mutant_number;
#endif
}

/// The text of kernels for run-time compilation, with the selected mutant.
std::string text_with_mutant(const std::string& text);

/// Copies the number of the mutant to all GPUs. Must be called before the first kernel.
void put_mutant_on_gpus();
/// Calls `put`, which sets the number in one source. The returned value has no meaning.
bool call_with_mutant(void (*put)(int number));

#if defined(__CUDACC__)
namespace {

void larmor_put_mutant(int number) {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess) return;  // tests skip without a GPU
  for (int gpu = gpus - 1; gpu >= 0; --gpu)
    if (cudaSetDevice(gpu) != cudaSuccess ||
        cudaMemcpyToSymbol(larmor_mutant_on_gpu, &number, sizeof number) != cudaSuccess) {
      std::fprintf(stderr, "GPU %d does not take the number of the mutant\n", gpu);
      std::exit(2);
    }
}

[[maybe_unused]] const bool larmor_puts_mutant = call_with_mutant(larmor_put_mutant);

}  // namespace
#endif

#endif
