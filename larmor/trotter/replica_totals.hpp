#pragma once
// Sums over the spins of all replicas, on the device of the spins. A GPU sends only these sums to
// the host: energies, weights for exchanges, and sums over sites by slice.
//
// BITS: sums of doubles have the order of ordered_sum.hpp in blocks of sites, and blocks follow one
// another. All other sums are whole numbers. So CPU and GPU agree bit for bit.

#include "larmor/core/maths/ordered_sum.hpp"
#include "larmor/trotter/estimators.hpp"

namespace larmor::trotter {

/// E, D and S of a site at M slices are linear in its whole numbers. With
///
///   A_i = 1/2 sum_b J_b sum_k s_ik s_jk + h_i sum_k s_ik,
///
///   E_i = - A_i / M + energy + energy_of_kink n_i,
///   D_i = derivative + derivative_of_kink n_i,
///   S_i = dtau A_i + weight_of_kink n_i.
struct SiteTerms {
  double h;
  double energy, energy_of_kink;
  double derivative, derivative_of_kink;
  double weight_of_kink;  ///< -2 K_i; -inf without a transverse field
};

struct TotalsView {
  UpdateView base;
  const double* J;         ///< (instance, bond)
  const double* dtau;      ///< [instances]
  const SiteTerms* terms;  ///< (instance, site)
  Index copies, groups_of_instance;

  /// The bits of a group that belong to replicas.
  LARMOR_HD std::uint32_t used_bits(Index group) const {
    const Index left = copies - group % groups_of_instance * base.time.fields();
    return low_bits(
        static_cast<int>((left < base.time.fields() ? left : base.time.fields()) * base.time.bits));
  }
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

/// S of a replica, without a constant of the instance, with the parameters of its own instance and
/// with those of the instance that it may change to.
struct ExchangeWeights {
  double own, other;
};

/// Which neighbouring rungs of a ladder exchange replicas: (parity, parity + 1), and so on.
struct RungPairs {
  Index rungs;
  int parity;

  /// The other instance of a pair; the instance itself if it has no partner.
  LARMOR_HD Index partner(Index instance) const {
    const Index rung = instance % rungs;
    if (rung < parity) return instance;
    if ((rung - parity) % 2 != 0) return instance - 1;
    return rung + 1 < rungs ? instance + 1 : instance;
  }
};

namespace detail {
/// Two sums of one block of sites of a replica.
struct TwoSums {
  double sum[2];
};
}  // namespace detail

class TotalsOfReplicas {
 public:
  /// @param model must outlive the object
  explicit TotalsOfReplicas(const TrotterModel& model);

  // All of them wait for a GPU.
  ReplicaTotals measure(TrotterState& state);
  /// S for exchanges [replicas].
  std::vector<ExchangeWeights> weights(TrotterState& state, const RungPairs& pairs);
  /// sum over sites and slices of s_i,k s_i,k+shift (replica, shift).
  std::vector<std::int64_t> products_in_time(TrotterState& state,
                                             std::span<const std::int32_t> shifts);
  /// sum_i s_ik s_ik' of copies 0 and 1, 2 and 3, and so on, of each instance (instance, pair, M).
  std::vector<std::int32_t> overlaps(TrotterState& state);

 private:
  /// The view with the spins of a state.
  TotalsView view_of(TrotterState& state) const;

  const TrotterModel* model_;
  Array<double> J_, dtau_;
  Array<SiteTerms> terms_;
  TotalsView view_{};
  // Sums on a GPU, made when first needed.
  Array<detail::TwoSums> sums_;
  Array<std::int32_t> down_, opposite_copies_;
  Array<std::int64_t> opposite_in_time_;
};

/// Sums over measurements and copies of the kinks and spins of each site. A GPU keeps them.
class SiteTally {
 public:
  /// @param model must outlive the object
  explicit SiteTally(const TrotterModel& model);

  /// Adds the spins of all copies. Does not wait for a GPU.
  void add(TrotterState& state);
  /// (instance, site, 2): pairs of slices that differ, and spins that are down. Waits for a GPU.
  std::vector<std::int64_t> counts() const { return counts_.to_host(); }
  /// @throws InternalError unless there are as many counts
  void assign(std::span<const std::int64_t> counts) { counts_.copy_from(counts); }

 private:
  const TrotterModel* model_;
  Array<std::int64_t> counts_;
};

inline namespace LARMOR_ISA_NAMESPACE {

/// The words of a site in one group.
struct WordsOfSite {
  const std::uint32_t* p;
  int lanes;
  LARMOR_INLINE WordsOfSite(const UpdateView& view, Index group, Index site)
      : p(view.spins + view.index_of(group, site, 0)), lanes(view.lanes) {}
  LARMOR_INLINE std::uint32_t at(int w) const { return p[Index{w} * lanes]; }
};

/// Whole numbers of a site of some replicas.
struct SiteCounts {
  std::int32_t kinks, down;
};
/// @param mask the bits of the replicas
LARMOR_INLINE SiteCounts count_site(const UpdateView& view, Index group, Index site,
                                    std::uint32_t mask) {
  const WordsOfSite own(view, group, site);
  SiteCounts counts{0, 0};
  for (int w = 0; w < view.time.words; ++w) {
    counts.kinks +=
        ising::count_ones((own.at(w) ^ next_slices<std::uint32_t>(view.time, own, w)) & mask);
    counts.down += ising::count_ones(own.at(w) & mask);
  }
  return counts;
}

/// A_i with the parameters of some instances. @param mask the field of a replica
template <int count>
LARMOR_INLINE void classical_of_site(const TotalsView& view, const Index (&instance)[count],
                                     Index group, Index site, std::uint32_t mask, std::int32_t down,
                                     double (&A)[count]) {
  const UpdateView& base = view.base;
  const WordsOfSite own(base, group, site);
  double bonds[count]{};
  for (Index n = base.offset[site]; n < base.offset[site + 1]; ++n) {
    const WordsOfSite other(base, group, base.neighbour[n]);
    std::int32_t opposite = 0;
    for (int w = 0; w < base.time.words; ++w)
      opposite += ising::count_ones((own.at(w) ^ other.at(w)) & mask);
    for (int p = 0; p < count; ++p)
      bonds[p] +=
          view.J[instance[p] * base.bonds + base.bond[n]] * (base.time.slices() - 2 * opposite);
  }
  for (int p = 0; p < count; ++p)
    A[p] = 0.5 * bonds[p] +
           view.terms[instance[p] * base.sites + site].h * (base.time.slices() - 2 * down);
}

/// E and D of a site.
struct EnergyOfSite {
  TotalsView view;

  LARMOR_INLINE void operator()(Index group, int field, Index site, double (&sum)[2]) const {
    const UpdateView& base = view.base;
    const std::uint32_t mask = base.time.field_mask(field);
    const SiteCounts counts = count_site(base, group, site, mask);
    const Index instance[1] = {base.instance[group]};
    double A[1];
    classical_of_site(view, instance, group, site, mask, counts.down, A);
    const SiteTerms& terms = view.terms[instance[0] * base.sites + site];
    sum[0] += -A[0] / base.time.slices() + terms.energy + terms.energy_of_kink * counts.kinks;
    sum[1] += terms.derivative + terms.derivative_of_kink * counts.kinks;
  }
};

/// S of a site for an exchange.
struct WeightsOfSite {
  TotalsView view;
  RungPairs pairs;

  LARMOR_INLINE void operator()(Index group, int field, Index site, double (&sum)[2]) const {
    const UpdateView& base = view.base;
    const std::uint32_t mask = base.time.field_mask(field);
    const SiteCounts counts = count_site(base, group, site, mask);
    const Index own = base.instance[group];
    const Index instance[2] = {own, pairs.partner(own)};
    double A[2];
    classical_of_site(view, instance, group, site, mask, counts.down, A);
    for (int p = 0; p < 2; ++p) {
      sum[p] += view.dtau[instance[p]] * A[p];
      // An infinite weight times no kinks would be no number.
      if (counts.kinks > 0)
        sum[p] += view.terms[instance[p] * base.sites + site].weight_of_kink * counts.kinks;
    }
  }
};

/// Adds a site of all copies of an instance to the counts (instance, site, 2) of a SiteTally.
LARMOR_INLINE void add_to_tally(const TotalsView& view, Index instance, Index site,
                                std::int64_t* counts) {
  const Index first = instance * view.groups_of_instance;
  std::int64_t* const to = counts + 2 * (instance * view.base.sites + site);
  for (Index group = first; group < first + view.groups_of_instance; ++group) {
    const SiteCounts of_group = count_site(view.base, group, site, view.used_bits(group));
    to[0] += of_group.kinks;
    to[1] += of_group.down;
  }
}

/// Word w of the spins `shift` slices later.
LARMOR_INLINE std::uint32_t later_word(const TimeWords& time, const WordsOfSite& words, int w,
                                       std::int32_t shift) {
  const std::uint32_t word = words.at((w + shift) % time.words);
  const int turn = (w + shift) / time.words % time.bits;
  if (turn == 0) return word;
  // One bit of each field times a mask is the mask in each field.
  const std::uint32_t all = time.low * low_bits(time.bits);
  const std::uint32_t late = time.low * low_bits(time.bits - turn);
  return ((word >> turn) & late) | ((word << (time.bits - turn)) & all & ~late);
}

}  // namespace LARMOR_ISA_NAMESPACE

namespace detail {
/// Sites of a block of sums of doubles.
inline constexpr Index sites_of_totals = 4 * sum_width;
inline Index blocks_of_totals(Index sites) {
  return (sites + sites_of_totals - 1) / sites_of_totals;
}

// On a GPU.
/// @param sums (group, block, field)
void energies_on_gpu(const Device& device, const TotalsView& view, TwoSums* sums);
void weights_on_gpu(const Device& device, const TotalsView& view, const RungPairs& pairs,
                    TwoSums* sums);
/// @param down numbers of spins that are down (group, word, bit)
void count_down_on_gpu(const Device& device, const TotalsView& view, std::int32_t* down);
/// @param shifts [count] @param opposite numbers of pairs of opposite spins
/// (group, shift, field)
void opposite_in_time_on_gpu(const Device& device, const TotalsView& view,
                             const std::int32_t* shifts, int count, std::int64_t* opposite);
/// @param opposite numbers of opposite spins (instance, pair, word, bit of the field)
void opposite_copies_on_gpu(const Device& device, const TotalsView& view, Index instances,
                            std::int32_t* opposite);
/// @param counts (instance, site, 2)
void tally_on_gpu(const Device& device, const TotalsView& view, Index instances,
                  std::int64_t* counts);
}  // namespace detail

}  // namespace larmor::trotter
