#include "larmor/correlations/pairs/gpu/ladder.hpp"

#include <array>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/ladder_rungs.hpp"

namespace larmor::correlations::real_space {
namespace {

struct NamedRung {
  const char* name;
  int numbers_of_pair;  ///< doubles stored for each pair of sites
};

constexpr NamedRung rungs[] = {{"baseline", 0},      {"simt-tile", 0},      {"simt-thread-tile", 0},
                               {"cublas-eq4", 3},    {"cublas-eq5", 3},     {"fused-load", 2},
                               {"fused-otf-reg", 0}, {"fused-otf-smem", 0}, {"fused", 0}};

constexpr auto names = [] {
  std::array<const char*, std::size(rungs)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = rungs[i].name;
  return all;
}();

const NamedRung& rung_by_name(std::string_view name) {
  std::string known;
  for (const NamedRung& rung : rungs) {
    if (name == rung.name) return rung;
    known += (known.empty() ? "" : ", ") + std::string(rung.name);
  }
  throw InputError("no way of summing correlations is called \"" + std::string(name) + "\"",
                   "there are " + known);
}

}  // namespace

std::span<const char* const> ladder_names() { return names; }

double ladder_square_bytes(std::string_view name, Index sites) {
  return rung_by_name(name).numbers_of_pair * static_cast<double>(sizeof(double)) *
         static_cast<double>(sites) * static_cast<double>(sites);
}

#if defined(LARMOR_HAS_CUDA)

namespace {

/// In the order of `rungs`.
constexpr MakeRung makers[] = {
    make_baseline_rung,        make_simt_tile_rung,    make_simt_thread_tile_rung,
    make_cublas_eq4_rung,      make_cublas_eq5_rung,   make_fused_load_rung,
    make_fused_registers_rung, make_fused_shared_rung, make_fused_rung};
static_assert(std::size(makers) == std::size(rungs));

class FusedRung : public LadderRung {
 public:
  FusedRung(const Device& device, const LadderProblem& problem, const SpinMatrices& spins)
      : configurations_(static_cast<double>(problem.configurations)) {
    PairSettings settings{problem.sites, problem.numbers()};
    settings.blocks = problem.blocks;
    sums_ = make_fourier_sums(device, settings, {&problem.q, 1}, problem.position);
    sums_->set_columns(spins.centred_columns);
    parts_ = {{"packing", [this, spins] { sums_->set_rows(spins.centred_rows); }},
              {"fused", [this] { sums_->launch(); }}};
  }
  std::complex<double> total() override {
    const std::vector<double> sum = sums_->totals().take();
    return std::complex<double>(sum[0], sum[1]) / configurations_;
  }

 private:
  double configurations_;
  std::unique_ptr<FusedSums> sums_;
};

}  // namespace

std::unique_ptr<LadderRung> make_fused_rung(const Device& device, const LadderProblem& problem,
                                            const SpinMatrices& spins) {
  return std::make_unique<FusedRung>(device, problem, spins);
}

std::unique_ptr<LadderRung> make_ladder_rung(const Device& device, std::string_view name,
                                             const LadderProblem& problem,
                                             const SpinMatrices& spins) {
  const NamedRung& rung = rung_by_name(name);
  if (device.backend != Backend::cuda)
    throw MachineError("correlations by \"" + std::string(name) + "\" need a GPU");
  const double bytes = ladder_square_bytes(name, problem.sites);
  const auto free = static_cast<double>(gpu_info(device.ordinal).free_bytes);
  if (bytes > free)
    throw MachineError("correlations by \"" + std::string(name) + "\" store matrices of " +
                       std::to_string(problem.sites) + " x " + std::to_string(problem.sites) +
                       ": " + memory_text(bytes) + ", " + memory_text(free) + " are free");
  return makers[&rung - rungs](device, problem, spins);
}

#else

std::unique_ptr<LadderRung> make_ladder_rung(const Device&, std::string_view name,
                                             const LadderProblem&, const SpinMatrices&) {
  throw MachineError("correlations by \"" + std::string(rung_by_name(name).name) +
                     "\" need a build with CUDA");
}

#endif

}  // namespace larmor::correlations::real_space
