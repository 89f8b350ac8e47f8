#include "larmor/trotter/space_time_clusters.hpp"

#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::trotter {
namespace {

/// One replica of a site, slice by slice.
class SliceBits {
 public:
  SliceBits(const LineView& view, Index group, int field, Index site)
      : time_(view.base.time),
        field_(field),
        p_(view.base.spins + view.base.index_of(group, site, 0)),
        lanes_(view.base.lanes) {}
  bool is_down(int slice) const { return ((word(slice) >> time_.bit_of(slice, field_)) & 1u) != 0; }
  void flip(int slice) { word(slice) ^= 1u << time_.bit_of(slice, field_); }

 private:
  std::uint32_t& word(int slice) const { return p_[Index{time_.word_of(slice)} * lanes_]; }

  TimeWords time_;
  int field_;
  std::uint32_t* p_;
  Index lanes_;
};

}  // namespace

// BITS: sites of random keys are lines, then bonds, then one for all clusters.
void SpaceTimeClusters::update(const RandomKey& key, Index replica) {
  const UpdateView& base = view_.base;
  const auto nodes = static_cast<std::size_t>(base.sites * base.time.slices());
  constexpr std::size_t most_nodes = std::size_t{1} << 26;
  if (nodes > most_nodes)
    throw InputError("clusters of space and time have at most 2^26 spins of all slices",
                     "update world lines, or give fewer sites or slices");
  spin_.resize(nodes);
  parent_.resize(nodes);
  field_.assign(nodes, 0);
  direction_.assign(nodes, 0);
  for (std::size_t n = 0; n < nodes; ++n) parent_[n] = static_cast<std::uint32_t>(n);
  const Index copy = replica % view_.copies;
  const Index group = replica / view_.copies * view_.groups_of_instance + copy / base.time.fields();
  const auto field = static_cast<int>(copy % base.time.fields());
  read(group, field);
  join_time(key, replica);
  join_space(key, replica);
  flip(key, replica);
  write(group, field);
}

void SpaceTimeClusters::read(Index group, int field) {
  const std::int32_t slices = view_.base.time.slices();
  std::size_t node = 0;
  for (Index site = 0; site < view_.base.sites; ++site) {
    const SliceBits line(view_, group, field, site);
    for (std::int32_t k = 0; k < slices; ++k, ++node) spin_[node] = line.is_down(k) ? -1 : 1;
  }
}

void SpaceTimeClusters::write(Index group, int field) {
  const std::int32_t slices = view_.base.time.slices();
  std::uint32_t node = 0;
  for (Index site = 0; site < view_.base.sites; ++site) {
    SliceBits line(view_, group, field, site);
    for (std::int32_t k = 0; k < slices; ++k, ++node)
      if (direction_[root(node)] < 0) line.flip(k);
  }
}

void SpaceTimeClusters::join_time(const RandomKey& key, Index replica) {
  const std::int32_t slices = view_.base.time.slices();
  const Index instance = replica / view_.copies;
  for (Index site = 0; site < view_.base.sites; ++site) {
    NumberSequence numbers(key, site, replica);
    const double scale = view_.gap_scale[instance * view_.base.sites + site];
    std::int32_t cut = drawn_gap(logarithm(numbers.next()), scale, slices);
    const auto first = static_cast<std::uint32_t>(site * slices);
    for (std::int32_t k = 0; k < slices; ++k) {
      const std::uint32_t a = first + static_cast<std::uint32_t>(k);
      const std::uint32_t b = first + static_cast<std::uint32_t>((k + 1) % slices);
      if (k == cut)
        cut += 1 + drawn_gap(logarithm(numbers.next()), scale, slices);
      else if (spin_[a] == spin_[b])
        join(a, b);
    }
  }
}

void SpaceTimeClusters::join_space(const RandomKey& key, Index replica) {
  const std::int32_t slices = view_.base.time.slices();
  const Index instance = replica / view_.copies;
  for (Index bond = 0; bond < view_.base.bonds; ++bond) {
    const double K = view_.K[instance * view_.base.bonds + bond];
    if (K == 0) continue;
    NumberSequence numbers(key, view_.base.sites + bond, replica);
    // A bond is active with probability 1 - e^(-2 |K|), so the logarithm of its complement is
    // exact.
    const double scale = -1 / (2 * std::abs(K));
    const Bond& ends = graph_.bonds[static_cast<std::size_t>(bond)];
    const auto i = static_cast<std::uint32_t>(ends.i * Index{slices}),
               j = static_cast<std::uint32_t>(ends.j * Index{slices});
    for (std::int32_t k = drawn_gap(logarithm(numbers.next()), scale, slices); k < slices;
         k += 1 + drawn_gap(logarithm(numbers.next()), scale, slices)) {
      const auto n = static_cast<std::uint32_t>(k);
      if ((spin_[i + n] == spin_[j + n]) == (K > 0)) join(i + n, j + n);
    }
  }
}

void SpaceTimeClusters::flip(const RandomKey& key, Index replica) {
  const std::int32_t slices = view_.base.time.slices();
  const Index instance = replica / view_.copies;
  std::uint32_t node = 0;
  for (Index site = 0; site < view_.base.sites; ++site) {
    const double h = view_.field[instance * view_.base.sites + site];
    for (std::int32_t k = 0; k < slices; ++k, ++node) field_[root(node)] += h * spin_[node];
  }
  NumberSequence numbers(key, view_.base.sites + view_.base.bonds, replica);
  for (std::uint32_t n = 0; n < node; ++n) {
    if (parent_[n] != n) continue;
    direction_[n] = numbers.next() * (1 + exponential(2 * field_[n])) < 1 ? -1 : 1;
  }
}

std::uint32_t SpaceTimeClusters::root(std::uint32_t node) {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

void SpaceTimeClusters::join(std::uint32_t a, std::uint32_t b) {
  a = root(a);
  b = root(b);
  if (a < b)
    parent_[b] = a;
  else
    parent_[a] = b;
}

}  // namespace larmor::trotter
