// cuBLAS computes and stores C. Thrust forms the inner product of C with a stored matrix of phases
// (Chen, Chen, Turner, Feiguin (2023), section 3.2). Eq. (4) subtracts the product of means from C.
// Eq. (5) subtracts means from the spins before the product.

#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/system/cuda/execution_policy.h>

#include "bench/correlation_variants/fields.cuh"
#include "bench/correlation_variants/methods.hpp"
#include "bench/correlation_variants/pair_gemm.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"

namespace larmor::bench {
namespace {

using Complex = thrust::complex<double>;
static_assert(sizeof(Complex) == sizeof(double2));

constexpr int mean_threads = 256;

/// C(r,r') -= <S_r(t)>.<S_r'(0)>: outer product and axpy in one kernel. One block of threads per
/// row.
__global__ void __launch_bounds__(mean_threads)
    mean_kernel(const double* row_means, const double* column_means, Index sites,
                double* correlations) {
  const Index row = blockIdx.x;
  const double x = row_means[3 * row], y = row_means[3 * row + 1], z = row_means[3 * row + 2];
  for (Index column = threadIdx.x; column < sites; column += mean_threads) {
    const double* mean = column_means + 3 * column;
    correlations[row * sites + column] -= x * mean[0] + y * mean[1] + z * mean[2];
  }
}

struct TimesPhase {
  __host__ __device__ Complex operator()(double c, const Complex& phase) const {
    return {c * phase.real(), c * phase.imag()};
  }
};

/// Memory for Thrust, kept between sums.
class ThrustMemory {
 public:
  using value_type = char;
  explicit ThrustMemory(const Device& device) : memory_(device, capacity) {}

  char* allocate(std::ptrdiff_t bytes) {
    char* given = memory_.data() + used_;
    used_ += (bytes + alignment - 1) / alignment * alignment;
    if (used_ > capacity) throw InternalError("Thrust requests more memory than was reserved");
    ++given_;
    return given;
  }
  void deallocate(char*, std::size_t) {
    if (--given_ == 0) used_ = 0;
  }

 private:
  static constexpr Index capacity = Index{1} << 22, alignment = 256;
  Array<char> memory_;
  Index used_ = 0;
  int given_ = 0;
};

class Cublas : public VariantMethod {
 public:
  Cublas(const Device& device, const VariantProblem& problem, const SpinMatrices& spins,
         bool is_centred)
      : device_(device),
        problem_(problem),
        spins_(spins),
        phases_(variant_matrix(device, problem)),
        correlations_(device, problem.sites * problem.sites),
        gemm_(device, problem.sites, problem.numbers(),
              is_centred ? spins.centred_rows : spins.rows,
              is_centred ? spins.centred_columns : spins.columns, correlations_.data()),
        memory_(device) {
    parts_ = {{"rearranging", [this] { gemm_.arrange_rows(); }},
              {"GEMM", [this] { multiply(); }},
              {"inner product", [this] { compute_inner_product(); }}};
    if (!is_centred)
      parts_.insert(parts_.end() - 1, {"outer product and axpy", [this] { subtract_means(); }});
  }
  std::complex<double> total() override { return {total_.real(), total_.imag()}; }

 private:
  void multiply() {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, cuBLAS");
    gemm_.multiply(1 / static_cast<double>(problem_.configurations));
  }

  void subtract_means() {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, means");
    larmor::cuda::launch(
        device_.ordinal, {dim3(static_cast<unsigned>(problem_.sites)), mean_threads}, mean_kernel,
        spins_.row_means, spins_.column_means, problem_.sites, correlations_.data());
  }

  void compute_inner_product() {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, inner product");
    const double* first = correlations_.data();
    total_ = thrust::inner_product(
        thrust::cuda::par_nosync(memory_).on(larmor::cuda::stream(device_.ordinal)), first,
        first + correlations_.size(), reinterpret_cast<const Complex*>(phases_.data()),
        Complex(0, 0), thrust::plus<Complex>(), TimesPhase());
  }

  Device device_;
  VariantProblem problem_;
  SpinMatrices spins_;
  Array<double2> phases_;
  Array<double> correlations_;
  PairGemm gemm_;
  ThrustMemory memory_;
  Complex total_;
};

}  // namespace

std::unique_ptr<VariantMethod> make_cublas_eq4(const Device& device, const VariantProblem& problem,
                                               const SpinMatrices& spins) {
  return std::make_unique<Cublas>(device, problem, spins, false);
}

std::unique_ptr<VariantMethod> make_cublas_eq5(const Device& device, const VariantProblem& problem,
                                               const SpinMatrices& spins) {
  return std::make_unique<Cublas>(device, problem, spins, true);
}

}  // namespace larmor::bench
