#pragma once
// Energies and slice sums of all replicas at once, on the device of the spins. A GPU sends only
// these numbers to the host. Estimators of moments and correlations in time read slice sums.

#include "larmor/trotter/estimators.hpp"

namespace larmor::trotter {

/// E and D of a site at M slices are linear in its whole numbers:
///
///   E_i = - ( 1/2 sum_b J_b sum_k s_ik s_jk + h_i sum_k s_ik ) / M + energy + energy_of_kink n_i
///   D_i = derivative + derivative_of_kink n_i
struct SiteTerms {
  double h;
  double energy, energy_of_kink;
  double derivative, derivative_of_kink;
};

struct TotalsView {
  UpdateView base;
  const double* J;         ///< (instance, bond)
  const SiteTerms* terms;  ///< (instance, site)
};

struct ReplicaTotals {
  std::vector<EnergyTerms> energy;  ///< [replicas]
  std::vector<std::int32_t> slice;  ///< sum_i s_ik (replica, M)

  /// The slice sums of a replica.
  std::span<const std::int32_t> slices(Index replica, Index count) const {
    return std::span(slice).subspan(static_cast<std::size_t>(replica * count),
                                    static_cast<std::size_t>(count));
  }
};

class TotalsOfReplicas {
 public:
  /// @param model must outlive the object
  explicit TotalsOfReplicas(const TrotterModel& model);

  /// Waits for a GPU.
  ReplicaTotals measure(TrotterState& state) const;

 private:
  const TrotterModel* model_;
  Array<double> J_;
  Array<SiteTerms> terms_;
  TotalsView view_{};
};

inline namespace LARMOR_ISA_NAMESPACE {

/// E and D of a site of one replica. @param mask its field
LARMOR_INLINE EnergyTerms energy_of_site(const TotalsView& view, Index group, Index site,
                                         std::uint32_t mask) {
  const UpdateView& base = view.base;
  const Index instance = base.instance[group], stride = Index{base.time.words} * base.lanes;
  const std::uint32_t* const spins = base.spins + base.index_of(group, 0, 0);
  struct Words {
    const std::uint32_t* p;
    int lanes;
    LARMOR_INLINE std::uint32_t at(int w) const { return p[Index{w} * lanes]; }
  };
  const Words own{spins + site * stride, base.lanes};
  std::int32_t kinks = 0, down = 0;
  for (int w = 0; w < base.time.words; ++w) {
    kinks += ising::count_ones((own.at(w) ^ next_slices<std::uint32_t>(base.time, own, w)) & mask);
    down += ising::count_ones(own.at(w) & mask);
  }
  double bonds = 0;
  for (Index n = base.offset[site]; n < base.offset[site + 1]; ++n) {
    const Words other{spins + base.neighbour[n] * stride, base.lanes};
    std::int32_t opposite = 0;
    for (int w = 0; w < base.time.words; ++w)
      opposite += ising::count_ones((own.at(w) ^ other.at(w)) & mask);
    bonds += view.J[instance * base.bonds + base.bond[n]] * (base.time.slices() - 2 * opposite);
  }
  const SiteTerms& terms = view.terms[instance * base.sites + site];
  const double classical = 0.5 * bonds + terms.h * (base.time.slices() - 2 * down);
  return {-classical / base.time.slices() + terms.energy + terms.energy_of_kink * kinks,
          terms.derivative + terms.derivative_of_kink * kinks};
}

}  // namespace LARMOR_ISA_NAMESPACE

namespace detail {
/// Sums of blocks of sites on a GPU. @param energy (group, block, field) @param down spins that are
/// down (group, word, bit); begins with zeros
void sum_on_gpu(const Device& device, const TotalsView& view, EnergyTerms* energy,
                std::int32_t* down);
/// Sites of a block of these sums.
inline constexpr Index sites_of_totals = 1024;
}  // namespace detail

}  // namespace larmor::trotter
