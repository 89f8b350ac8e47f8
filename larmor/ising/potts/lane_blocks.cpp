#include "larmor/ising/potts/lane_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"

namespace larmor::ising {
namespace {

constexpr Index quads_of_range = 256;
/// If all blocks together have at most this many positions, one thread does all the work. It takes
/// about 20 us, so other threads would start too late.
constexpr Index most_positions_of_one_thread = 2048;
/// Half of a unit in the last place of 1 in single precision.
constexpr double half_ulp = 1.0 / 16777216;

/// Does a replica have the couplings of the replica before it?
bool has_couplings_of_previous(const PottsView& view, Index replica) {
  const Index bonds = view.couplings_of_replica;
  const std::int32_t* const own = view.coupling + replica * bonds;
  return replica > 0 && std::equal(own, own + bonds, own - bonds);
}

Index ranges_of(Index count, Index length) { return (count + length - 1) / length; }

/// Largest error that rounding in sums over bonds causes in the exponent of a weight.
double error_of_exponent(const PottsView& view, Index most_bonds, double factor) {
  const auto most = static_cast<double>(view.most);
  if (most * half_ulp <= 1) return 0;
  return factor * most * static_cast<double>(most_bonds + 4) * half_ulp;
}

}  // namespace

bool LaneBlocks::fit(const PottsModel& model) {
  return model.states() == 2 && model.device().backend == Backend::cpu &&
         model.replicas().count >= lane_kernels().least_replicas;
}

LaneBlocks::LaneBlocks(const PottsModel& model) : model_(&model) {
  const PottsView view = model.view();
  const Index replicas = model.replicas().count;
  Index runs = 0;
  for (Index r = 0; r < replicas; ++r) runs += has_couplings_of_previous(view, r) ? 0 : 1;
  const bool share = runs == 1 || make_blocks(replicas / runs);
  cut_into_blocks(view, share);
  if (!share) copy_couplings(view);
}

void LaneBlocks::cut_into_blocks(const PottsView& view, bool share) {
  for (Index r = 0; r < model_->replicas().count; ++r) {
    if (blocks_.empty() || blocks_.back().replicas == block_replicas ||
        (share && !has_couplings_of_previous(view, r))) {
      LaneBlock& block = blocks_.emplace_back();
      block.first = r;
      block.coupling = view.coupling + r * view.couplings_of_replica;
      block.shares_couplings = share;
      block.has_small_sums = view.most * positions_of_sum < (Index{1} << 31);
    }
    ++blocks_.back().replicas;
  }
  bits_.resize(blocks_.size() * static_cast<std::size_t>(view.positions));
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    blocks_[b].bits = bits_.data() + b * static_cast<std::size_t>(view.positions);
}

void LaneBlocks::copy_couplings(const PottsView& view) {
  const Index bonds = view.couplings_of_replica, of_block = bonds * block_replicas;
  couplings_.resize(blocks_.size() * static_cast<std::size_t>(of_block));
  for (Index b = 0; b < std::ssize(blocks_); ++b) {
    LaneBlock& block = blocks_[static_cast<std::size_t>(b)];
    std::int32_t* const kept = couplings_.data() + b * of_block;
    for (int l = 0; l < block_replicas; ++l)
      for (Index n = 0; n < bonds; ++n)
        kept[n * block_replicas + l] = block.coupling[std::min(l, block.replicas - 1) * bonds + n];
    block.coupling = kept;
  }
}

bool LaneBlocks::set_weights(const PottsView& view) {
  constexpr double least_margin = 1.0 / 32768, most_error = 1.0 / 128;
  // This factor is so large that the exponent of one quantum exceeds all limits.
  constexpr double most_factor = 1e20;
  for (LaneBlock& block : blocks_)
    for (int l = 0; l < block_replicas; ++l) {
      const Index replica = block.first + std::min(l, block.replicas - 1);
      const double factor = std::min(view.beta[replica] * view.quantum, most_factor);
      const double error = error_of_exponent(view, model_->most_bonds(), factor);
      if (!(error <= most_error)) return false;
      const double of_powers = factor / std::log(2.0);
      block.factor[l] = static_cast<float>(view.rule == Rule::heat_bath ? -of_powers : of_powers);
      block.field[l] = static_cast<float>(view.field[replica]);
      block.margin[l] =
          static_cast<float>((least_margin + 2 * error) * static_cast<double>(certain));
    }
  return true;
}

LaneBlock LaneBlocks::block_of_sweep(const PottsView& view, std::size_t number,
                                     std::uint64_t step) const {
  constexpr float half_of_certain = 2147483648.0F;
  LaneBlock block = blocks_[number];
  const bool may_be_lazy = view.rule == Rule::metropolis && lattice::is_lazy_sweep(step);
  for (int l = 0; l < block_replicas; ++l) {
    const Index replica = block.first + std::min(l, block.replicas - 1);
    const bool lazy = may_be_lazy && (view.has_lazy_sweeps || view.beta[replica] == 0);
    block.bar[l] = lazy ? half_of_certain : 2 * half_of_certain;
  }
  return block;
}

void LaneBlocks::sweep_block(PottsView view, std::size_t number, Index sweeps) const {
  const LaneKernels& kernels = lane_kernels();
  const Index quads = view.positions / positions_of_key;
  std::uint64_t changes[block_replicas] = {};
  kernels.pack(view, blocks_[number], 0, view.positions);
  for (Index sweep = 0; sweep < sweeps; ++sweep, ++view.key.step)
    kernels.update(view, block_of_sweep(view, number, view.key.step), 0, quads, changes);
  kernels.unpack(view, blocks_[number], 0, view.positions);
  const LaneBlock& block = blocks_[number];
  for (int l = 0; l < block.replicas; ++l) view.accepted[block.first + l] += changes[l];
}

int LaneBlocks::threads_for(Index positions) const {
  return positions * std::ssize(blocks_) <= most_positions_of_one_thread ? 1
                                                                         : model_->device().threads;
}

template <class Work>
void LaneBlocks::for_ranges(int threads, Index begin, Index end, Index length,
                            const Work& work) const {
  const Index ranges = ranges_of(end - begin, length);
  parallel_for(threads, ranges * std::ssize(blocks_), [&](Index n) {
    const Index first = begin + n % ranges * length;
    work(n / ranges, first, std::min(first + length, end));
  });
}

void LaneBlocks::pack(const PottsView& view) const {
  for_ranges(threads_for(view.positions), 0, view.positions, positions_of_sum,
             [&](Index b, Index first, Index last) {
               lane_kernels().pack(view, blocks_[static_cast<std::size_t>(b)], first, last);
             });
}

/// Sweeps colour by colour. Threads share the positions of each colour.
void LaneBlocks::sweep_together(PottsView view, Index sweeps) const {
  const LaneKernels& kernels = lane_kernels();
  const std::vector<Index>& colour_begin = model_->colour_begin();
  pack(view);
  for (Index sweep = 0; sweep < sweeps; ++sweep, ++view.key.step)
    for (std::size_t c = 0; c + 1 < colour_begin.size(); ++c) {
      const Index begin = colour_begin[c] / positions_of_key;
      const Index end = colour_begin[c + 1] / positions_of_key;
      for_ranges(threads_for((end - begin) * positions_of_key), begin, end, quads_of_range,
                 [&](Index b, Index first, Index last) {
                   const LaneBlock block =
                       block_of_sweep(view, static_cast<std::size_t>(b), view.key.step);
                   std::uint64_t changes[block_replicas] = {};
                   kernels.update(view, block, first, last, changes);
                   for (int l = 0; l < block.replicas; ++l)
                     __atomic_fetch_add(view.accepted + block.first + l, changes[l],
                                        __ATOMIC_RELAXED);
                 });
    }
  for_ranges(threads_for(view.positions), 0, view.positions, positions_of_sum,
             [&](Index b, Index first, Index last) {
               kernels.unpack(view, blocks_[static_cast<std::size_t>(b)], first, last);
             });
}

bool LaneBlocks::sweep(const PottsView& view, Index sweeps) {
  if (!set_weights(view)) return false;
  const int threads = threads_for(view.positions * sweeps);
  const bool is_small = view.positions <= quads_of_range * positions_of_key;
  if (std::ssize(blocks_) < threads && !is_small)
    sweep_together(view, sweeps);
  else
    parallel_for(threads, std::ssize(blocks_),
                 [&](Index b) { sweep_block(view, static_cast<std::size_t>(b), sweeps); });
  return true;
}

void LaneBlocks::sum(const PottsView& view, double* sums) {
  constexpr Index numbers = 3;
  constexpr Index of_block = numbers * block_replicas;
  const Index ranges = ranges_of(view.positions, positions_of_sum);
  std::vector<Index> partial_sums(static_cast<std::size_t>(ranges * of_block) * blocks_.size());
  pack(view);
  for_ranges(threads_for(view.positions), 0, view.positions, positions_of_sum,
             [&](Index b, Index first, Index last) {
               lane_kernels().sum(
                   view, blocks_[static_cast<std::size_t>(b)], first, last,
                   partial_sums.data() + (b * ranges + first / positions_of_sum) * of_block);
             });
  for (Index b = 0; b < std::ssize(blocks_); ++b) {
    const LaneBlock& block = blocks_[static_cast<std::size_t>(b)];
    for (Index i = 0; i < numbers * block.replicas; ++i) {
      Index all = 0;
      for (Index k = 0; k < ranges; ++k)
        all += partial_sums[static_cast<std::size_t>((b * ranges + k) * of_block + i)];
      sums[numbers * block.first + i] = static_cast<double>(all);
    }
  }
}

double lane_bytes(double sites, double bonds, Index replicas, Index alike) {
  const Index of_block =
      make_blocks(alike) ? std::min<Index>(alike, block_replicas) : block_replicas;
  const auto blocks = static_cast<double>(ranges_of(replicas, of_block));
  return blocks * (sites + (make_blocks(alike) ? 0 : block_replicas * 2 * bonds * 4));
}

int updated_exactly(const PottsView& view, const LaneBlock& block, int lane, Index position,
                    std::uint64_t random) {
  return PottsUpdate{view}.updated(StatesOfLane{block.bits, lane}, position, block.first + lane,
                                   random, 0);
}

}  // namespace larmor::ising
