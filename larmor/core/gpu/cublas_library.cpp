#include "larmor/core/gpu/cublas_library.hpp"

#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/gpu/cuda_library.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/device/cuda_backend.hpp"
#endif

namespace larmor::cuda {
namespace {

CublasLibrary load_cublas() {
  const CudaLibrary library("cuBLAS", {"libcublas.so.13", "libcublas.so.12"});
  CublasLibrary cublas;
  library.find("cublasCreate_v2", cublas.create);
  library.find("cublasDestroy_v2", cublas.destroy);
  library.find("cublasSetStream_v2", cublas.set_stream);
  library.find("cublasDgemm_v2", cublas.multiply);
  library.find("cublasDgeam", cublas.add);
  return cublas;
}

}  // namespace

const CublasLibrary& cublas_library() {
  static const CublasLibrary library = load_cublas();
  return library;
}

void check_cublas(int status, const char* what) {
  constexpr int no_memory = 3;
  if (status == 0) return;
  throw MachineError(
      std::string("cuBLAS, ") + what +
      (status == no_memory ? ": the GPU's memory is full" : ": error " + std::to_string(status)));
}

#if defined(LARMOR_HAS_CUDA)

Cublas::Cublas(const Device& device) {
  CUstream_st* on = stream(device.ordinal);
  CublasContext* made = nullptr;
  check_cublas(cublas_library().create(&made), "starting");
  context_.reset(made);
  check_cublas(cublas_library().set_stream(made, on), "choosing a stream");
}

void Cublas::multiply(CublasOperation of_a, CublasOperation of_b, Index rows, Index columns,
                      Index inner, double alpha, const double* a, Index a_stride, const double* b,
                      Index b_stride, double* c, Index c_stride) const {
  constexpr double beta = 0;
  check_cublas(cublas_library().multiply(
                   context_.get(), of_a, of_b, static_cast<int>(rows), static_cast<int>(columns),
                   static_cast<int>(inner), &alpha, a, static_cast<int>(a_stride), b,
                   static_cast<int>(b_stride), &beta, c, static_cast<int>(c_stride)),
               "multiplying matrices");
}

void Cublas::transpose(Index rows, Index columns, const double* from, double* to) const {
  constexpr double alpha = 1, beta = 0;
  const auto of = CublasOperation::transposed;
  check_cublas(
      cublas_library().add(context_.get(), of, of, static_cast<int>(columns),
                           static_cast<int>(rows), &alpha, from, static_cast<int>(rows), &beta,
                           from, static_cast<int>(rows), to, static_cast<int>(columns)),
      "transposing a matrix");
}

void Cublas::Destroy::operator()(CublasContext* context) const {
  cublas_library().destroy(context);
}

#endif

}  // namespace larmor::cuda
