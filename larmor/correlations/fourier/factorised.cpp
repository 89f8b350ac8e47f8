#include <algorithm>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/correlations/fourier/factorised_kernel.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/correlations/fourier/transforms.hpp"

namespace larmor::correlations {

namespace {

/// If the phases of all sites and wave vectors need no more than this, they are kept. Otherwise
/// each call recomputes them.
constexpr double most_phase_bytes = 512.0 * 1048576;
/// Largest number of sums over blocks of sites that are kept until they are added up.
constexpr Index most_partial_sums = Index{1} << 22;
/// Wave vectors that share one read of the spins.
constexpr Index group = 8;
/// Real and imaginary parts of three components, eight lanes each.
constexpr Index width = 6 * lane_count;

double phase_bytes(std::size_t q, Index sites) {
  return 16.0 * static_cast<double>(q) * static_cast<double>(sites);
}

/// Number of wave vectors whose sums are kept at once: a multiple of `group`, at least one group.
Index wave_vectors_at_once(Index site_blocks, Index blocks) {
  return std::max<Index>(1, most_partial_sums / (site_blocks * blocks * width * group)) * group;
}

}  // namespace

double FactorisedTransform::bytes(const lattice::Geometry& geometry, const QList& q,
                                  Index replicas) {
  const double phases = phase_bytes(q.cartesian.size(), geometry.sites());
  const Index site_blocks = site_block_count(geometry.sites());
  const Index blocks = (replicas + lane_count - 1) / lane_count;
  const Index at_once = std::min(wave_vectors_at_once(site_blocks, blocks), q.size());
  return (phases <= most_phase_bytes ? phases : 0) + 24.0 * static_cast<double>(geometry.sites()) +
         8.0 * static_cast<double>(at_once * site_blocks * blocks * width);
}

FactorisedTransform::FactorisedTransform(const lattice::Geometry& geometry, const QList& q)
    : q_(q.cartesian),
      sites_of_block_(correlations::sites_of_block(geometry.sites())),
      site_blocks_(site_block_count(geometry.sites())) {
  for (Index site = 0; site < geometry.sites(); ++site)
    position_.push_back(geometry.position(site));
  keep_phases_ = phase_bytes(q_.size(), geometry.sites()) <= most_phase_bytes;
}

Index FactorisedTransform::sites_of_block(const Domain*) const { return sites_of_block_; }

void FactorisedTransform::phases(const StridedVectors& spins, std::size_t q, Index first,
                                 Index count, double* re, double* im) const {
  for (Index i = 0; i < count; ++i) {
    const SitePhase phase =
        site_phase(q_[q], position_[static_cast<std::size_t>(spins.canonical[first + i])]);
    re[i] = phase.re;
    im[i] = phase.im;
  }
}

void FactorisedTransform::fill_phases(const StridedVectors& spins, int threads) {
  const std::size_t sites = position_.size();
  phase_re_.resize(q_.size() * sites);
  phase_im_.resize(q_.size() * sites);
  const std::vector<Index> own = owned_site_blocks(spins.domain, spins.sites);
  const auto count = static_cast<Index>(q_.size());
  parallel_for(threads, count, [&](Index q) {
    for (const Index site_block : own) {
      const Index first = site_block * sites_of_block_;
      const std::size_t begin =
          static_cast<std::size_t>(q) * sites + static_cast<std::size_t>(first);
      phases(spins, static_cast<std::size_t>(q), first,
             std::min(sites_of_block_, spins.sites - first), phase_re_.data() + begin,
             phase_im_.data() + begin);
    }
  });
}

void FactorisedTransform::transform(const StridedVectors& spins, int threads,
                                    std::complex<double>* out) {
  if (keep_phases_ && phase_re_.empty()) fill_phases(spins, threads);
  const Index blocks = (spins.replicas + spins.lanes - 1) / spins.lanes;
  const std::vector<Index> own = owned_site_blocks(spins.domain, spins.sites);
  const auto owned = static_cast<Index>(own.size());
  const auto all_q = static_cast<Index>(q_.size());
  const Index at_once = wave_vectors_at_once(site_blocks_, blocks);
  std::vector<double> partial;  // (block, q, block of sites, 6, 8)
  for (Index first_q = 0; first_q < all_q; first_q += at_once) {
    const WaveVectors batch{first_q, std::min(all_q, first_q + at_once)};
    partial.assign(static_cast<std::size_t>(blocks * batch.count() * site_blocks_ * width), 0);
    const auto sums_of = [&](Index block, Index q) {
      return partial.data() + (block * batch.count() + q - first_q) * site_blocks_ * width;
    };
    const Index groups = (batch.count() + group - 1) / group;
    parallel_for(threads, groups * owned * blocks, [&](Index i) {
      const Index site_block = own[static_cast<std::size_t>(i / groups % owned)];
      const Index block = i / (groups * owned), begin = first_q + i % groups * group;
      sum_site_block(spins, block, site_block, {begin, std::min(batch.last, begin + group)},
                     sums_of(block, begin));
    });
    if (const Domain* domain = spins.domain)
      domain->add_up(domain->context, partial.data(), static_cast<Index>(partial.size()));
    for (Index q = batch.first; q < batch.last; ++q)
      for (Index block = 0; block < blocks; ++block)
        add_up(spins, block, q, sums_of(block, q), out);
  }
}

/// @param sums begins with the sums of the first of the wave vectors: (q, all blocks of sites, 6,
/// 8)
void FactorisedTransform::sum_site_block(const StridedVectors& spins, Index block, Index site_block,
                                         const WaveVectors& waves, double* sums) const {
  const TileKernel kernel = tile_kernel();
  double re[tile_sites], im[tile_sites];
  const Index begin = site_block * sites_of_block_;
  const Index end = std::min(begin + sites_of_block_, spins.sites);
  for (Index first = begin; first < end; first += tile_sites) {
    TileRequest tile;
    tile.sites = std::min(tile_sites, end - first);
    tile.one_replica = spins.lanes == 1;
    tile.component_stride = spins.component_stride;
    tile.spins = spins.at(block * spins.lanes, first);
    for (Index q = waves.first; q < waves.last; ++q) {
      const auto kept =
          static_cast<std::size_t>(q) * position_.size() + static_cast<std::size_t>(first);
      if (keep_phases_) {
        tile.phase_re = phase_re_.data() + kept;
        tile.phase_im = phase_im_.data() + kept;
      } else {
        phases(spins, static_cast<std::size_t>(q), first, tile.sites, re, im);
        tile.phase_re = re;
        tile.phase_im = im;
      }
      tile.sum = sums + ((q - waves.first) * site_blocks_ + site_block) * width;
      kernel(tile);
    }
  }
}

/// @param partial (block of sites, 6, 8)
void FactorisedTransform::add_up(const StridedVectors& spins, Index block, Index q,
                                 const double* partial, std::complex<double>* out) const {
  double sum[width] = {};
  for (Index site_block = 0; site_block < site_blocks_; ++site_block)
    for (Index n = 0; n < width; ++n) sum[n] += partial[site_block * width + n];
  for (Index lane = 0; lane < spins.lanes; ++lane) {
    const Index replica = block * spins.lanes + lane;
    if (replica >= spins.replicas) break;
    for (Index a = 0; a < 3; ++a) {
      std::complex<double>& A = out[(q * spins.replicas + replica) * 3 + a];
      A = {sum[a * lane_count + lane], sum[(3 + a) * lane_count + lane]};
      // If there is one replica, the lanes are partial sums over sites.
      for (int l = 1; spins.lanes == 1 && l < lane_count; ++l)
        A += std::complex<double>(sum[a * lane_count + l], sum[(3 + a) * lane_count + l]);
    }
  }
}

}  // namespace larmor::correlations
