#pragma once
// cuFFT, loaded when first needed. So a build with CUDA also starts if it is missing. Functions and
// numbers are those of cufft.h; every function returns 0 or an error.

#include <cstddef>

struct CUstream_st;

namespace larmor::cuda {

using CufftPlan = int;

enum class CufftKind : int {
  real_to_complex = 0x2a,
  complex_to_real = 0x2c,
  wide_complex = 0x69,
  double_to_complex = 0x6a,
  complex_to_double = 0x6c
};

struct CufftLibrary {
  int (*create)(CufftPlan*);
  int (*destroy)(CufftPlan);
  int (*set_stream)(CufftPlan, CUstream_st*);
  int (*set_auto_allocation)(CufftPlan, int);
  int (*set_work_area)(CufftPlan, void*);
  int (*make_plan)(CufftPlan, int rank, long long* size, long long* in_embed, long long in_stride,
                   long long in_distance, long long* out_embed, long long out_stride,
                   long long out_distance, int kind, long long batch, std::size_t* work_bytes);
  int (*real_to_complex)(CufftPlan, void* in, void* out);
  int (*complex_to_real)(CufftPlan, void* in, void* out);
  int (*double_to_complex)(CufftPlan, void* in, void* out);
  int (*complex_to_double)(CufftPlan, void* in, void* out);
  int (*wide_complex)(CufftPlan, void* in, void* out, int direction);  ///< direction -1: forward
};

/// @throws MachineError that lists the searched places
const CufftLibrary& cufft_library();

/// @throws MachineError unless `status` is 0
void check_cufft(int status, const char* what);

}  // namespace larmor::cuda
