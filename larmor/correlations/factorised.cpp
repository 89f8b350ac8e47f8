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

double FactorisedTransform::bytes(const lattice::Geometry& geometry, const QList& q,
                                  Index replicas) {
  const double phases = phase_bytes(q.cartesian.size(), geometry.sites());
  const FactorisedShares shares(geometry.sites(), replicas, std::ssize(q.cartesian));
  return (phases <= most_phase_bytes ? phases : 0) + 24.0 * static_cast<double>(geometry.sites()) +
         8.0 * static_cast<double>(shares.sums());
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
  const auto wave_vectors = static_cast<Index>(q_.size());
  const FactorisedShares shares(spins.sites, spins.replicas, wave_vectors);
  std::vector<double> sums(static_cast<std::size_t>(shares.sums()));
  parallel_for(threads, shares.count(),
               [&](Index share) { sum_share(spins, shares, share, sums.data()); });
  for (Index q = 0; q < wave_vectors; ++q)
    for (Index replica = 0; replica < spins.replicas; ++replica)
      for (Index a = 0; a < 3; ++a) {
        // One replica: the lanes are partial sums over sites.
        const Index first = replica % spins.lanes;
        const Index last = spins.lanes == 1 ? lane_count : first + 1;
        std::complex<double> A = 0;
        for (Index piece = 0; piece < shares.pieces(); ++piece) {
          const double* sum = sums.data() + shares.place(piece, q, replica / spins.lanes);
          for (Index lane = first; lane < last; ++lane)
            A += std::complex<double>(sum[a * lane_count + lane], sum[(3 + a) * lane_count + lane]);
        }
        out[(q * spins.replicas + replica) * 3 + a] = A;
      }
}

void FactorisedTransform::sum_share(const StridedVectors& spins, const FactorisedShares& shares,
                                    Index share, double* sums) const {
  const IndexRange sites = shares.sites(share), blocks = shares.blocks(share),
                   wave_vectors = shares.wave_vectors(share);
  const TileKernel kernel = tile_kernel();
  double cosine[FactorisedShares::group][tile_sites], sine[FactorisedShares::group][tile_sites];
  for (Index first = sites.first; first < sites.last; first += tile_sites) {
    TileRequest tile;
    tile.sites = std::min(tile_sites, sites.last - first);
    tile.one_replica = spins.lanes == 1;
    tile.component_stride = spins.component_stride;
    for (Index q = wave_vectors.first; !keep_phases_ && q < wave_vectors.last; ++q)
      phases(spins, static_cast<std::size_t>(q), first, tile.sites, cosine[q - wave_vectors.first],
             sine[q - wave_vectors.first]);
    for (Index block = blocks.first; block < blocks.last; ++block)
      for (Index q = wave_vectors.first; q < wave_vectors.last; ++q) {
        const auto kept =
            static_cast<std::size_t>(q) * position_.size() + static_cast<std::size_t>(first);
        const Index n = q - wave_vectors.first;
        tile.cosine = keep_phases_ ? cosine_.data() + kept : cosine[n];
        tile.sine = keep_phases_ ? sine_.data() + kept : sine[n];
        tile.spins = spins.at(block * spins.lanes, first);
        tile.sum = sums + shares.place(shares.piece(share), q, block);
        kernel(tile);
      }
  }
}

}  // namespace larmor::correlations
