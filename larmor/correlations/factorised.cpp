#include <cmath>

#include "larmor/core/device.hpp"
#include "larmor/core/parallel.hpp"
#include "larmor/core/views.hpp"
#include "larmor/correlations/factorised_kernel.hpp"
#include "larmor/correlations/transforms.hpp"

namespace larmor::correlations {

#if !defined(LARMOR_ONE_INSTRUCTION_SET)
namespace isa_v2 {
extern const TileKernel tile_kernel_of_set;
}
namespace isa_v3 {
extern const TileKernel tile_kernel_of_set;
}
namespace isa_v4 {
extern const TileKernel tile_kernel_of_set;
}
TileKernel tile_kernel() {
  static const std::string isa = cpu_instruction_set();
  if (isa == "v4") return isa_v4::tile_kernel_of_set;
  return isa == "v3" ? isa_v3::tile_kernel_of_set : isa_v2::tile_kernel_of_set;
}
#else
namespace isa_generic {
extern const TileKernel tile_kernel_of_set;
}
TileKernel tile_kernel() { return isa_generic::tile_kernel_of_set; }
#endif

namespace {

/// Phases of all sites and wave vectors are kept up to this size, and found anew each time beyond.
constexpr double most_phase_bytes = 512.0 * 1048576;

double phase_bytes(std::size_t q, Index sites) {
  return 16.0 * static_cast<double>(q) * static_cast<double>(sites);
}

}  // namespace

double FactorisedTransform::bytes(const lattice::Geometry& geometry, const QList& q) {
  const double phases = phase_bytes(q.cartesian.size(), geometry.sites());
  return (phases <= most_phase_bytes ? phases : 0) + 24.0 * static_cast<double>(geometry.sites());
}

FactorisedTransform::FactorisedTransform(const lattice::Geometry& geometry, const QList& q)
    : q_(q.cartesian) {
  for (Index site = 0; site < geometry.sites(); ++site)
    position_.push_back(geometry.position(site));
  keep_phases_ = phase_bytes(q_.size(), geometry.sites()) <= most_phase_bytes;
}

void FactorisedTransform::phases(const StridedVectors& spins, std::size_t q, Index first,
                                 Index count, double* cosine, double* sine) const {
  for (Index i = 0; i < count; ++i) {
    const double angle =
        dot(q_[q], position_[static_cast<std::size_t>(spins.canonical[first + i])]);
    cosine[i] = std::cos(angle);
    sine[i] = std::sin(angle);
  }
}

void FactorisedTransform::fill_phases(const StridedVectors& spins, int threads) {
  const std::size_t sites = position_.size();
  cosine_.resize(q_.size() * sites);
  sine_.resize(q_.size() * sites);
  const auto count = static_cast<Index>(q_.size());
  parallel_for(threads, count, [&](Index q) {
    const std::size_t begin = static_cast<std::size_t>(q) * sites;
    phases(spins, static_cast<std::size_t>(q), 0, spins.sites, cosine_.data() + begin,
           sine_.data() + begin);
  });
}

void FactorisedTransform::transform(const StridedVectors& spins, int threads,
                                    std::complex<double>* out) {
  if (keep_phases_ && cosine_.empty()) fill_phases(spins, threads);
  const Index blocks = (spins.replicas + spins.lanes - 1) / spins.lanes;
  const auto count = static_cast<Index>(q_.size());
  // Groups of wave vectors share the reading of the spins; each (block, group) is a thread's.
  constexpr Index group = 8;
  const Index groups = (count + group - 1) / group;
  parallel_for(threads, blocks * groups, [&](Index i) {
    const Index first = i % groups * group;
    sum_group(spins, i / groups, first, std::min(count, first + group), out);
  });
}

void FactorisedTransform::sum_group(const StridedVectors& spins, Index block, Index first_q,
                                    Index last_q, std::complex<double>* out) const {
  const TileKernel kernel = tile_kernel();
  constexpr int width = 6 * lane_count;
  std::vector<double> sums(static_cast<std::size_t>((last_q - first_q) * width));
  double cosine[tile_sites], sine[tile_sites];
  for (Index first = 0; first < spins.sites; first += tile_sites) {
    TileRequest tile;
    tile.sites = std::min(tile_sites, spins.sites - first);
    tile.one_replica = spins.lanes == 1;
    tile.component_stride = spins.component_stride;
    tile.spins = spins.at(block * spins.lanes, first);
    for (Index q = first_q; q < last_q; ++q) {
      const auto begin =
          static_cast<std::size_t>(q) * position_.size() + static_cast<std::size_t>(first);
      if (keep_phases_) {
        tile.cosine = cosine_.data() + begin;
        tile.sine = sine_.data() + begin;
      } else {
        phases(spins, static_cast<std::size_t>(q), first, tile.sites, cosine, sine);
        tile.cosine = cosine;
        tile.sine = sine;
      }
      tile.sum = sums.data() + (q - first_q) * width;
      kernel(tile);
    }
  }
  for (Index q = first_q; q < last_q; ++q) {
    const double* sum = sums.data() + (q - first_q) * width;
    for (Index lane = 0; lane < spins.lanes; ++lane) {
      const Index replica = block * spins.lanes + lane;
      if (replica >= spins.replicas) break;
      for (Index a = 0; a < 3; ++a) {
        std::complex<double>& A = out[(q * spins.replicas + replica) * 3 + a];
        A = {sum[a * lane_count + lane], sum[(3 + a) * lane_count + lane]};
        // One replica: the lanes are partial sums over sites.
        for (int l = 1; spins.lanes == 1 && l < lane_count; ++l)
          A += std::complex<double>(sum[a * lane_count + l], sum[(3 + a) * lane_count + l]);
      }
    }
  }
}

}  // namespace larmor::correlations
