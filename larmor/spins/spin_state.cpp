#include "larmor/spins/spin_state.hpp"

#include <cmath>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/math.hpp"
#include "larmor/core/philox.hpp"

namespace larmor::spins {

SpinState::SpinState(const Device& device, const SpinLayout& layout,
                     std::vector<std::int32_t> canonical)
    : device_(device),
      layout_(layout),
      canonical_(std::move(canonical)),
      spins_(device, layout.numbers()) {
  set_all(std::vector<Vec3<double>>(static_cast<std::size_t>(layout.sites), {0, 0, 1}));
}

void SpinState::randomise(std::uint64_t seed) {
  std::vector<double> host = spins_.to_host();
  const VectorView view(host.data(), layout_);
  const RandomKey key{seed, 0, Stream::initial_configuration};
  for (Index replica = 0; replica < layout_.padded_replicas(); ++replica) {
    for (Index position = 0; position < layout_.spins(); ++position) {
      const auto site = static_cast<std::uint64_t>(canonical_[static_cast<std::size_t>(position)]);
      const auto random = philox(key, site, static_cast<std::uint64_t>(replica));
      const double z = 1 - 2 * uniform_52<double>(random.w[0], random.w[1]);
      double sine, cosine;
      sine_cosine_turns(uniform_52<double>(random.w[2], random.w[3]), sine, cosine);
      const double s = std::sqrt(1 - z * z);
      view.store(Single{position, replica}, {s * cosine, s * sine, z});
    }
  }
  spins_.copy_from(host);
}

void SpinState::set_all(std::span<const Vec3<double>> direction) {
  std::vector<double> host = spins_.to_host();
  const VectorView view(host.data(), layout_);
  for (Index replica = 0; replica < layout_.padded_replicas(); ++replica)
    for (Index position = 0; position < layout_.spins(); ++position)
      view.store(
          Single{position, replica},
          direction[static_cast<std::size_t>(canonical_[static_cast<std::size_t>(position)])]);
  spins_.copy_from(host);
}

std::vector<Vec3<double>> SpinState::configuration(Index replica) const {
  const StridedVectors spins = vectors();
  std::vector<Vec3<double>> e(static_cast<std::size_t>(layout_.sites));
  for (Index position = 0; position < layout_.sites; ++position)
    e[static_cast<std::size_t>(canonical_[static_cast<std::size_t>(position)])] =
        spins.load(replica, position);
  return e;
}

StridedVectors SpinState::vectors() const {
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
  const StridedVectors spins = vectors();
  for (Index replica = 0; replica < layout_.replicas; ++replica) {
    for (Index position = 0; position < layout_.sites; ++position) {
      const Vec3<double> e = spins.load(replica, position);
      if (std::isfinite(e.x + e.y + e.z)) continue;
      throw UnphysicalError("spin " +
                            std::to_string(canonical_[static_cast<std::size_t>(position)]) +
                            " of replica " + std::to_string(replica) +
                            " is not a number; a smaller time step is the usual remedy");
    }
  }
}

}  // namespace larmor::spins
