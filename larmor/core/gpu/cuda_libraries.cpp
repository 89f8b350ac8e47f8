#include "larmor/core/gpu/cuda_libraries.hpp"

#include <dlfcn.h>

#include <string>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/shared_libraries.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/device/cuda_backend.hpp"
#endif

namespace larmor::cuda {
namespace {

void* opened(const std::string& called, std::initializer_list<const char*> file_names) {
  const std::vector<std::string> names(file_names.begin(), file_names.end());
  std::vector<std::filesystem::path> folders = cuda_folders(code_folder());
  folders.insert(folders.begin(), "");
  if (void* const library = open_library(names, folders)) return library;
  std::string looked, wanted;
  for (const std::filesystem::path& folder : folders)
    looked += looked.empty() ? "the loader's path (LD_LIBRARY_PATH)" : ", " + folder.string();
  for (const std::string& name : names) wanted += (wanted.empty() ? "neither " : " nor ") + name;
  throw MachineError(called + " is missing: " + wanted + " is in " + looked + "; install CUDA's " +
                     called + ", or add the folder of this library to LD_LIBRARY_PATH");
}

}  // namespace

CudaLibrary::CudaLibrary(std::string called, std::initializer_list<const char*> names)
    : called_(std::move(called)), library_(opened(called_, names)) {}

void* CudaLibrary::address_of(const char* name) const {
  void* address = dlsym(library_, name);
  if (address == nullptr)
    throw MachineError("the " + called_ + " on this machine lacks " + std::string(name));
  return address;
}

namespace {

CufftLibrary load_cufft() {
  const CudaLibrary library("cuFFT", {"libcufft.so.12", "libcufft.so.11"});  // of CUDA 13 and 12
  CufftLibrary cufft;
  library.find("cufftCreate", cufft.create);
  library.find("cufftDestroy", cufft.destroy);
  library.find("cufftSetStream", cufft.set_stream);
  library.find("cufftSetAutoAllocation", cufft.set_auto_allocation);
  library.find("cufftSetWorkArea", cufft.set_work_area);
  library.find("cufftMakePlanMany64", cufft.make_plan);
  library.find("cufftExecR2C", cufft.real_to_complex);
  library.find("cufftExecC2R", cufft.complex_to_real);
  library.find("cufftExecD2Z", cufft.double_to_complex);
  library.find("cufftExecZ2D", cufft.complex_to_double);
  library.find("cufftExecZ2Z", cufft.wide_complex);
  return cufft;
}

}  // namespace

const CufftLibrary& cufft_library() {
  static const CufftLibrary library = load_cufft();
  return library;
}

void check_cufft(int status, const char* what) {
  constexpr int no_memory = 2;
  if (status == 0) return;
  throw MachineError(std::string("cuFFT, ") + what +
                     (status == no_memory ? ": the GPU's memory is full; use fewer replicas"
                                          : ": error " + std::to_string(status)));
}

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
  CUstream_st* own_stream = stream(device.ordinal);
  CublasContext* made = nullptr;
  check_cublas(cublas_library().create(&made), "starting");
  context_.reset(made);
  check_cublas(cublas_library().set_stream(made, own_stream), "choosing a stream");
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
  const auto transposed = CublasOperation::transposed;
  check_cublas(
      cublas_library().add(context_.get(), transposed, transposed, static_cast<int>(columns),
                           static_cast<int>(rows), &alpha, from, static_cast<int>(rows), &beta,
                           from, static_cast<int>(rows), to, static_cast<int>(columns)),
      "transposing a matrix");
}

void Cublas::Destroy::operator()(CublasContext* context) const {
  cublas_library().destroy(context);
}

#endif

}  // namespace larmor::cuda
