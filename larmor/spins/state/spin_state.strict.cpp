#include "larmor/spins/state/spin_state.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/spins/state/random_direction.hpp"
#if defined(LARMOR_HAS_CUDA)
#endif

namespace larmor::spins {
namespace {

/// Number of positions in one transfer to or from a GPU.
constexpr Index staged_positions = Index{1} << 20;

template <class Numbers>
void store_as(const VectorView& view, Index position, Index replica, const Vec3<double>& e) {
  using Real = typename Numbers::Real;
  view.store(ScalarSlot<Numbers>{position, replica},
             {converted<Real>(e.x), converted<Real>(e.y), converted<Real>(e.z)});
}

/// Stores direction(position, replica) for all spins in CPU memory.
template <class Direction>
void store_on_cpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                  const Direction& direction) {
  const VectorView view(spins, layout);
  for (Index replica = 0; replica < layout.padded_replicas(); ++replica)
    parallel_blocks(device.threads, layout.spins(), 1, [&](Index first, Index last) {
      for (Index position = first; position < last; ++position) {
        const Vec3<double> e = direction(position, replica);
        if (device.precision == Precision::single_numbers)
          store_as<SingleNumbers>(view, position, replica, e);
        else
          store_as<DoubleNumbers>(view, position, replica, e);
      }
    });
}

/// Stores direction(position) for the spins of all replicas in GPU memory.
template <class Direction>
void store_by_blocks(const Device& device, const SpinLayout& layout, RealArray& spins,
                     const Direction& direction) {
  const Index width = layout.one_replica() ? 1 : lane_count;
  std::vector<double> staged;
  for (Index begin = 0; begin < layout.spins(); begin += staged_positions) {
    const Index count = std::min(staged_positions, layout.spins() - begin);
    staged.resize(static_cast<std::size_t>(3 * width * count));
    parallel_blocks(device.threads, count, 1, [&](Index first, Index last) {
      for (Index n = first; n < last; ++n) {
        const Vec3<double> e = direction(begin + n);
        const double component[3] = {e.x, e.y, e.z};
        for (Index c = 0; c < 3; ++c)
          for (Index l = 0; l < width; ++l)
            staged[static_cast<std::size_t>(width == 1 ? c * count + n : (3 * n + c) * width + l)] =
                component[c];
      }
    });
    const std::span<const double> all(staged);
    const auto n = static_cast<std::size_t>(count);
    if (layout.one_replica())
      for (std::size_t c = 0; c < 3; ++c)
        spins.copy_range_from(all.subspan(c * n, n),
                              static_cast<Index>(c) * layout.padded_sites() + begin);
    else
      for (Index block = 0; block < layout.blocks(); ++block)
        spins.copy_range_from(all, (block * layout.padded_sites() + begin) * 3 * lane_count);
  }
}

}  // namespace

SpinState::SpinState(const Device& device, const SpinLayout& layout,
                     std::vector<std::int32_t> canonical)
    : device_(device),
      layout_(layout),
      canonical_(std::move(canonical)),
      spins_(device, layout.numbers()) {
  set_uniform({0, 0, 1});
}

void SpinState::randomise(std::uint64_t seed) {
  const RandomKey key{seed, 0, Stream::initial_configuration,
                      static_cast<std::uint64_t>(layout_.first_replica)};
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    const Array<std::int32_t> canonical(device_, canonical_);
    return randomise_on_gpu(device_, layout_, spins_.reals(), canonical.data(), key);
  }
#endif
  store_on_cpu(device_, layout_, spins_.reals(), [&](Index position, Index replica) {
    return random_direction(
        key, static_cast<std::uint64_t>(canonical_[static_cast<std::size_t>(position)]),
        static_cast<std::uint64_t>(replica));
  });
}

void SpinState::set_uniform(const Vec3<double>& direction) {
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda)
    return set_on_gpu(device_, layout_, spins_.reals(), direction);
#endif
  store_on_cpu(device_, layout_, spins_.reals(), [&](Index, Index) { return direction; });
}

void SpinState::set_all(std::span<const Vec3<double>> direction) {
  set_by_site([direction](Index site) { return direction[static_cast<std::size_t>(site)]; });
}

void SpinState::set_by_site(const std::function<Vec3<double>(Index site)>& direction) {
  const auto of_position = [&](Index position) {
    return direction(canonical_[static_cast<std::size_t>(position)]);
  };
  if (device_.backend == Backend::cuda)
    store_by_blocks(device_, layout_, spins_, of_position);
  else
    store_on_cpu(device_, layout_, spins_.reals(),
                 [&](Index position, Index) { return of_position(position); });
}

void SpinState::copy_replicas(std::span<const ReplicaCopy> copies) {
  spins_.copy_replicas({3 * layout_.padded_sites(), lane_count}, copies);
}

/// Calls store(site, e) for every canonical site, on several threads. Spins on a GPU are copied in
/// several transfers.
template <class Store>
void SpinState::for_each_spin(Index replica, const Store& store) const {
  const bool one = layout_.one_replica();
  const Index n = layout_.padded_sites(), width = one ? 1 : 3 * lane_count;
  const bool in_place =
      device_.backend == Backend::cpu && device_.precision == Precision::double_numbers;
  std::vector<double> staged;
  for (Index begin = 0; begin < layout_.sites; begin += staged_positions) {
    const Index count = std::min(staged_positions, layout_.sites - begin);
    const Index block = one ? begin : (replica / lane_count * n + begin) * width;
    const double* from = spins_.reals().wide + (in_place ? block : 0);
    Index component = one ? n : lane_count;
    if (!in_place) {
      staged.resize(static_cast<std::size_t>((one ? 3 : width) * count));
      const std::span<double> all(staged);
      if (!one) spins_.copy_range_to(all, block);
      for (Index c = 0; one && c < 3; ++c)
        spins_.copy_range_to(
            all.subspan(static_cast<std::size_t>(c * count), static_cast<std::size_t>(count)),
            c * n + block);
      from = staged.data();
      if (one) component = count;
    }
    if (!one) from += replica % lane_count;
    parallel_blocks(device_.threads, count, 1, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        const double* p = from + i * width;
        store(static_cast<Index>(canonical_[static_cast<std::size_t>(begin + i)]),
              Vec3<double>{p[0], p[component], p[2 * component]});
      }
    });
  }
}

void SpinState::complete() const {
  if (const Domain* domain = layout_.domain)
    domain->complete(domain->context, spins_.reals(), 0, layout_.blocks());
}

void SpinState::complete_parts(Index block_sites) const {
  if (const Domain* domain = layout_.domain)
    domain->complete_site_blocks(domain->context, spins_.reals(), block_sites);
}

std::vector<double> SpinState::save() const {
  complete();
  return spins_.to_host();
}

std::vector<Vec3<double>> SpinState::configuration(Index replica) const {
  complete();
  std::vector<Vec3<double>> e(static_cast<std::size_t>(layout_.sites));
  for_each_spin(replica, [&](Index site, const Vec3<double>& of_site) {
    e[static_cast<std::size_t>(site)] = of_site;
  });
  return e;
}

std::vector<double> SpinState::configurations(Index count) const {
  const Index of_replica = 3 * layout_.sites;
  std::vector<double> numbers(static_cast<std::size_t>(count * of_replica));
  if (count == 0) return numbers;
  complete();
  for (Index replica = 0; replica < count; ++replica)
    for_each_spin(replica, [&](Index site, const Vec3<double>& e) {
      double* to = numbers.data() + replica * of_replica + 3 * site;
      to[0] = e.x;
      to[1] = e.y;
      to[2] = e.z;
    });
  return numbers;
}

StridedVectors SpinState::vectors() const {
  complete();
  return strided();
}

StridedVectors SpinState::vectors_of_parts(Index block_sites) const {
  complete_parts(block_sites);
  StridedVectors vectors = strided();
  vectors.domain = layout_.domain;
  return vectors;
}

StridedVectors SpinState::strided() const {
  const double* data = nullptr;
  if (device_ == Device::cpu(device_.threads)) {
    data = spins_.reals().wide;
  } else {
    copy_ = spins_.to_host();
    data = copy_.data();
  }
  const Index n = layout_.padded_sites();
  if (layout_.one_replica()) return {data, layout_.sites, 1, 1, 3 * n, 0, 1, n, canonical_.data()};
  return {data, layout_.sites,  layout_.replicas, lane_count,       3 * n * lane_count,
          1,    3 * lane_count, lane_count,       canonical_.data()};
}

void SpinState::require_finite() const {
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda && all_finite_on_gpu(device_, layout_, spins_.reals()))
    return;
#endif
  complete();
  for (Index replica = 0; replica < layout_.replicas; ++replica) {
    std::atomic<Index> first = layout_.sites;
    for_each_spin(replica, [&](Index site, const Vec3<double>& e) {
      if (std::isfinite(e.x + e.y + e.z)) return;
      Index known = first;
      while (site < known && !first.compare_exchange_weak(known, site)) {
      }
    });
    if (first < layout_.sites)
      throw UnphysicalError("spin " + std::to_string(first) + " of replica " +
                            std::to_string(layout_.first_replica + replica) +
                            " is not a number; a smaller time step usually helps");
  }
}

}  // namespace larmor::spins
