#pragma once
// Libraries of CUDA, and NCCL, loaded when first needed. So a build with CUDA also starts if these
// libraries are missing. Functions and numbers of cuFFT and cuBLAS are those of cufft.h and
// cublas_api.h. Every function returns 0 or an error, and matrices of cuBLAS are column-major.

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>

#include "larmor/core/device/device.hpp"

namespace larmor::cuda {

class CudaLibrary {
 public:
  /// @param called name for users, as "cuFFT" @param names file names, the newest CUDA's first
  /// @throws MachineError that lists the searched places
  CudaLibrary(std::string called, std::initializer_list<const char*> names);

  /// @throws MachineError if the library has no such function
  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  std::string called_;
  void* library_;
};

}  // namespace larmor::cuda

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

struct CUstream_st;

namespace larmor::cuda {

struct CublasContext;

enum class CublasOperation : int { plain = 0, transposed = 1 };

struct CublasLibrary {
  int (*create)(CublasContext**);
  int (*destroy)(CublasContext*);
  int (*set_stream)(CublasContext*, CUstream_st*);
  /// C = alpha op(A) op(B) + beta C; C: (rows, columns)
  int (*multiply)(CublasContext*, CublasOperation of_a, CublasOperation of_b, int rows, int columns,
                  int inner, const double* alpha, const double* a, int a_stride, const double* b,
                  int b_stride, const double* beta, double* c, int c_stride);
  /// C = alpha op(A) + beta op(B); C: (rows, columns)
  int (*add)(CublasContext*, CublasOperation of_a, CublasOperation of_b, int rows, int columns,
             const double* alpha, const double* a, int a_stride, const double* beta,
             const double* b, int b_stride, double* c, int c_stride);
};

/// @throws MachineError that lists the searched places
const CublasLibrary& cublas_library();

/// @throws MachineError unless `status` is 0
void check_cublas(int status, const char* what);

/// cuBLAS on the stream of a GPU.
class Cublas {
 public:
  /// @throws MachineError if the library is missing or does not start
  explicit Cublas(const Device& device);

  /// C = alpha op(A) op(B); C: (rows, columns), strides between columns. Does not wait.
  void multiply(CublasOperation of_a, CublasOperation of_b, Index rows, Index columns, Index inner,
                double alpha, const double* a, Index a_stride, const double* b, Index b_stride,
                double* c, Index c_stride) const;
  /// to = transposed from; from: (rows, columns), rows fastest. Does not wait.
  void transpose(Index rows, Index columns, const double* from, double* to) const;

 private:
  struct Destroy {
    void operator()(CublasContext* context) const;
  };
  std::unique_ptr<CublasContext, Destroy> context_;
};

}  // namespace larmor::cuda
