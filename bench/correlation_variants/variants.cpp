#include "bench/correlation_variants/variants.hpp"

#include "bench/compared_methods.hpp"
#include "bench/correlation_variants/methods.hpp"
#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::bench {
namespace {

struct NamedMethod {
  const char* name;
  int numbers_of_pair;  ///< doubles stored for each pair of sites
};

constexpr NamedMethod methods[] = {
    {"baseline", 0},      {"simt-tile", 0},      {"simt-thread-tile", 0},
    {"cublas-eq4", 3},    {"cublas-eq5", 3},     {"fused-load", 2},
    {"fused-otf-reg", 0}, {"fused-otf-smem", 0}, {"fused", 0}};

constexpr auto names = names_of(methods);

const NamedMethod& method_by_name(std::string_view name) {
  return bench::method_by_name(methods, name, "way of summing correlations");
}

}  // namespace

std::span<const char* const> variant_names() { return names; }

double variant_square_bytes(std::string_view name, Index sites) {
  return method_by_name(name).numbers_of_pair * static_cast<double>(sizeof(double)) *
         static_cast<double>(sites) * static_cast<double>(sites);
}

#if defined(LARMOR_HAS_CUDA)

namespace {

/// In the order of `methods`.
constexpr MakeMethod makers[] = {make_baseline,        make_simt_tile,    make_simt_thread_tile,
                                 make_cublas_eq4,      make_cublas_eq5,   make_fused_load,
                                 make_fused_registers, make_fused_shared, make_fused};
static_assert(std::size(makers) == std::size(methods));

class Fused : public VariantMethod {
 public:
  Fused(const Device& device, const VariantProblem& problem, const SpinMatrices& spins)
      : configurations_(static_cast<double>(problem.configurations)) {
    correlations::real_space::PairSettings settings{problem.sites, problem.numbers()};
    settings.blocks = problem.blocks;
    sums_ = correlations::real_space::make_fused_sums(
        device, settings,
        correlations::real_space::FourierTerms{{&problem.q, 1}, problem.position});
    sums_->set_columns(spins.centred_columns);
    parts_ = {{"packing", [this, spins] { sums_->set_rows(spins.centred_rows); }},
              {"fused", [this] { sums_->add(); }}};
  }
  std::complex<double> total() override {
    const std::vector<double> sum = sums_->totals().take();
    return std::complex<double>(sum[0], sum[1]) / configurations_;
  }

 private:
  double configurations_;
  std::unique_ptr<correlations::real_space::FusedSums> sums_;
};

}  // namespace

std::unique_ptr<VariantMethod> make_fused(const Device& device, const VariantProblem& problem,
                                          const SpinMatrices& spins) {
  return std::make_unique<Fused>(device, problem, spins);
}

std::unique_ptr<VariantMethod> make_variant_method(const Device& device, std::string_view name,
                                                   const VariantProblem& problem,
                                                   const SpinMatrices& spins) {
  const NamedMethod& method = method_by_name(name);
  if (device.backend != Backend::cuda)
    throw MachineError("correlations by \"" + std::string(name) + "\" need a GPU");
  const double bytes = variant_square_bytes(name, problem.sites);
  const auto free = static_cast<double>(gpu_info(device.ordinal).free_bytes);
  if (bytes > free)
    throw MachineError("correlations by \"" + std::string(name) + "\" store matrices of " +
                       std::to_string(problem.sites) + " x " + std::to_string(problem.sites) +
                       ": " + memory_text(bytes) + ", " + memory_text(free) + " are free");
  return makers[&method - methods](device, problem, spins);
}

#else

std::unique_ptr<VariantMethod> make_variant_method(const Device&, std::string_view name,
                                                   const VariantProblem&, const SpinMatrices&) {
  throw MachineError("correlations by \"" + std::string(method_by_name(name).name) +
                     "\" need a build with CUDA");
}

#endif

}  // namespace larmor::bench
