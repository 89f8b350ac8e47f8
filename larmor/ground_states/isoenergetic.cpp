#include "larmor/ground_states/isoenergetic.hpp"

#include <algorithm>

namespace larmor::ground_states {
namespace {

/// Moves are made up to this mean number of couplings per spin. A cubic lattice has six.
constexpr double most_couplings = 6;
/// Let each site of a random graph have z couplings. A random fraction of the sites percolates if
/// it is above 1 / (z - 1). On lattices, this threshold is higher by about this factor.
constexpr double beyond_random_graphs = 1.6;

template <class Number>
double couplings_of_spin(const Arrangement<Number>& arrangement) {
  return static_cast<double>(arrangement.rows().begin[arrangement.positions()]) /
         static_cast<double>(arrangement.spins());
}

}  // namespace

template <class Number>
bool has_small_clusters(const Arrangement<Number>& arrangement) {
  return arrangement.rows().dense == nullptr && couplings_of_spin(arrangement) <= most_couplings;
}

template <class Number>
IsoenergeticMove<Number>::IsoenergeticMove(const Arrangement<Number>& arrangement)
    : arrangement_(&arrangement), waits_(static_cast<std::size_t>(arrangement.positions())) {
  const double others = std::max(1.0, couplings_of_spin(arrangement) - 1);
  most_different_ = static_cast<Index>(static_cast<double>(arrangement.spins()) *
                                       std::min(0.5, beyond_random_graphs / others));
}

template <class Number>
Index IsoenergeticMove<Number>::compare(const ReplicaView<Number>& a,
                                        const ReplicaView<Number>& b) {
  const Index spins = arrangement_->spins();
  std::int32_t different = 0;
  for (Index i = 0; i < spins; ++i) {
    const bool differs = a.spin[i] != b.spin[i];
    waits_[static_cast<std::size_t>(i)] = differs ? 1 : 0;
    different += differs ? 1 : 0;
  }
  return different;
}

template <class Number>
void IsoenergeticMove<Number>::operator()(Replicas<Number>& replicas, Index a, Index b,
                                          const RandomKey& key, Index name) {
  const RowsView<Number> rows = arrangement_->rows();
  const ReplicaView<Number> of_a = replicas.view(a), of_b = replicas.view(b);
  const auto spins = static_cast<std::uint64_t>(arrangement_->spins());
  Index different = compare(of_a, of_b);
  if (2 * different > arrangement_->spins() && !arrangement_->has_fields()) {
    arrangement_->mirror(of_b);
    different = compare(of_a, of_b);
  }
  if (different == 0 || different > most_different_) return;
  const auto random = philox<std::uint64_t>(key, 0, static_cast<std::uint64_t>(name),
                                            static_cast<std::uint32_t>(DrawnFor::cluster));
  std::uint64_t first = (random.w[0] * spins) >> 32U;
  while (waits_[first] == 0) first = first + 1 < spins ? first + 1 : 0;
  cluster_ = {static_cast<std::int32_t>(first)};
  waits_[first] = 0;
  double change_of_a = 0, change_of_b = 0;
  for (std::size_t n = 0; n < cluster_.size(); ++n) {
    const std::int32_t position = cluster_[n];
    for (std::int64_t k = rows.begin[position]; k < rows.begin[position + 1]; ++k) {
      const std::int32_t other = rows.column[k];
      if (waits_[static_cast<std::size_t>(other)] == 0) continue;
      waits_[static_cast<std::size_t>(other)] = 0;
      cluster_.push_back(other);
    }
    change_of_a += flip_sparse(rows, of_a, position);
    change_of_b += flip_sparse(rows, of_b, position);
  }
  replicas.add_energy(a, change_of_a);
  replicas.add_energy(b, change_of_b);
}

template bool has_small_clusters(const Arrangement<float>&);
template bool has_small_clusters(const Arrangement<double>&);
template class IsoenergeticMove<float>;
template class IsoenergeticMove<double>;

}  // namespace larmor::ground_states
