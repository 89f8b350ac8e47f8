#pragma once
// For tests of correlations: spins in the engine's layouts, and their amplitudes, summed term by
// term.

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "larmor/core/simd/strided_vectors.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::testing_support {

using Configuration = std::vector<Vec3<double>>;  // by canonical site

inline lattice::Geometry periodic_lattice(const std::string& type, const std::vector<Index>& size) {
  return lattice::make_lattice(lattice::named_crystal(type, 1.0), size, {true});
}

inline Configuration random_spins(Index sites, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Configuration spins;
  for (Index i = 0; i < sites; ++i) {
    const Vec3<double> v{normal(generator), normal(generator), normal(generator) + 0.7};
    spins.push_back((1 / std::sqrt(dot(v, v))) * v);
  }
  return spins;
}

/// Replicas in the engine's layout, with sites stored in reverse order. The padding is NaN, so that
/// a sum that reads the padding is NaN.
class Replicas {
 public:
  explicit Replicas(const std::vector<Configuration>& replicas) {
    const auto M = static_cast<Index>(replicas.size());
    const auto N = static_cast<Index>(replicas[0].size());
    const Index padded = N + 5;
    spins_ = M == 1 ? StridedVectors{nullptr, N, 1, 1, 3 * padded, 0, 1, padded, nullptr}
                    : StridedVectors{nullptr, N, M, 8, 24 * padded, 1, 24, 8, nullptr};
    const Index blocks = (M + spins_.lanes - 1) / spins_.lanes;
    data_.assign(static_cast<std::size_t>(blocks * spins_.block_stride),
                 std::numeric_limits<double>::quiet_NaN());
    for (Index s = 0; s < N; ++s) canonical_.push_back(static_cast<std::int32_t>(N - 1 - s));
    spins_.data = data_.data();
    spins_.canonical = canonical_.data();
    for (Index r = 0; r < M; ++r)
      for (Index s = 0; s < N; ++s) {
        double* p = data_.data() + (spins_.at(r, s) - spins_.data);
        const Vec3<double>& e =
            replicas[static_cast<std::size_t>(r)][static_cast<std::size_t>(N - 1 - s)];
        p[0] = e.x;
        p[spins_.component_stride] = e.y;
        p[2 * spins_.component_stride] = e.z;
      }
  }
  Replicas(const Replicas&) = delete;
  const StridedVectors& view() const { return spins_; }

 private:
  std::vector<double> data_;
  std::vector<std::int32_t> canonical_;
  StridedVectors spins_;
};

inline std::vector<Configuration> random_replicas(Index sites, Index count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<Configuration> replicas;
  for (Index r = 0; r < count; ++r) replicas.push_back(random_spins(sites, generator));
  return replicas;
}

/// A(q) = sum_r exp(-i q.r) e_r, component by component.
inline std::array<std::complex<double>, 3> amplitude(const lattice::Geometry& geometry,
                                                     const Configuration& spins,
                                                     const Vec3<double>& q) {
  std::array<std::complex<double>, 3> sum{};
  for (std::size_t i = 0; i < spins.size(); ++i) {
    const std::complex<double> phase =
        std::polar(1.0, -dot(q, geometry.position(static_cast<Index>(i))));
    sum[0] += phase * spins[i].x;
    sum[1] += phase * spins[i].y;
    sum[2] += phase * spins[i].z;
  }
  return sum;
}

}  // namespace larmor::testing_support
