#pragma once
// cuBLAS, loaded when first needed. Functions and numbers are those of cublas_api.h: matrices are
// column-major, and every function returns 0 or an error.

#include <memory>

#include "larmor/core/device/device.hpp"

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
