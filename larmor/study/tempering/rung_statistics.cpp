#include "larmor/study/tempering/rung_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"

namespace larmor::study {
namespace {

/// If a ladder has this number of blocks, each two of them become one block. If there are many
/// ladders, each needs fewer blocks.
Index most_blocks(Index ladders) { return std::clamp<Index>(4096 / ladders, 32, 256) / 2 * 2; }

}  // namespace

void RungStatistics::begin(Index columns, Index rungs, Index ladders, int threads) {
  columns_ = columns;
  rungs_ = rungs;
  ladders_ = ladders;
  threads_ = threads;
  samples_ = 0;
  binnings_.assign(static_cast<std::size_t>(columns * rungs), LogBinning(ladders));
  block_length_ = 1;
  blocks_.clear();
  open_.assign(static_cast<std::size_t>(columns * rungs * ladders), 0.0);
}

void RungStatistics::add(const std::vector<double>& values) {
  const auto width = static_cast<std::size_t>(ladders_);
  ++samples_;
  const bool fills_block = samples_ % block_length_ == 0;
  const std::size_t block = blocks_.size();
  if (fills_block) blocks_.resize(block + open_.size());
  parallel_for(threads_, std::ssize(binnings_), [&](Index n) {
    const std::size_t first = static_cast<std::size_t>(n) * width;
    binnings_[static_cast<std::size_t>(n)].add(std::span(values).subspan(first, width));
    for (std::size_t at = first; at < first + width; ++at) {
      open_[at] += values[at];
      if (!fills_block) continue;
      blocks_[block + at] = open_[at] / static_cast<double>(block_length_);
      open_[at] = 0;
    }
  });
  if (fills_block && samples_ / block_length_ == most_blocks(ladders_)) join_blocks();
}

void RungStatistics::join_blocks() {
  const std::size_t width = open_.size(), pairs = blocks_.size() / width / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    for (std::size_t n = 0; n < width; ++n)
      blocks_[pair * width + n] =
          0.5 * (blocks_[2 * pair * width + n] + blocks_[(2 * pair + 1) * width + n]);
  blocks_.resize(pairs * width);
  block_length_ *= 2;
}

Estimate RungStatistics::mean(Index column, Index rung) const {
  return binning(column, rung).estimate();
}

std::vector<double> RungStatistics::blocks(Index column, Index rung) const {
  const auto width = static_cast<std::size_t>(ladders_);
  const auto first = static_cast<std::size_t>(column * rungs_ + rung) * width;
  std::vector<double> means;
  for (std::size_t block = 0; block < blocks_.size(); block += open_.size())
    for (std::size_t ladder = 0; ladder < width; ++ladder)
      means.push_back(blocks_[block + first + ladder]);
  return means;
}

void RungStatistics::save(StageMemory& memory) const {
  std::vector<double> mean, squares, pending;
  for (const LogBinning& binning : binnings_) {
    const LogBinning::State& state = binning.state();
    mean.insert(mean.end(), state.mean.begin(), state.mean.end());
    squares.insert(squares.end(), state.sum_of_squares.begin(), state.sum_of_squares.end());
    pending.insert(pending.end(), state.pending.begin(), state.pending.end());
  }
  // FORMAT: (column, rung, level, ladder)
  memory.numbers["rung_mean"] = std::move(mean);
  memory.numbers["rung_sum_of_squares"] = std::move(squares);
  memory.numbers["rung_pending"] = std::move(pending);
  memory.numbers["rung_blocks"] = blocks_;
  memory.numbers["rung_open_block"] = open_;
  memory.integers["rung_samples"] = {samples_, block_length_};
}

void RungStatistics::load(const StageMemory& memory) {
  const std::vector<Index>& counts = memory.integer("rung_samples");
  samples_ = counts.at(0);
  block_length_ = counts.at(1);
  blocks_ = memory.number("rung_blocks");
  open_ = memory.number("rung_open_block");
  if (std::ssize(open_) != columns_ * rungs_ * ladders_)
    throw InputError("the checkpoint's samples do not fit the ladders of the study",
                     "resume the results of the run that wrote this checkpoint");
  for (std::size_t n = 0; n < binnings_.size(); ++n) {
    const auto part = [&](const std::string& name) {
      const std::vector<double>& all = memory.number(name);
      const auto count = static_cast<std::ptrdiff_t>(all.size() / binnings_.size());
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(n) * count;
      return std::vector<double>(first, first + count);
    };
    binnings_[n] = LogBinning(LogBinning::State{ladders_, samples_, part("rung_mean"),
                                                part("rung_sum_of_squares"), part("rung_pending")});
  }
}

double RungStatistics::bytes(Index columns, Index rungs, Index ladders, Index samples) {
  const double levels = 1 + std::log2(static_cast<double>(samples) + 1);
  const auto blocks = static_cast<double>(std::min(samples, most_blocks(ladders)));
  // All numbers exist twice while they are saved.
  return 2 * 8 * (3 * levels + blocks + 1) * static_cast<double>(columns * rungs * ladders);
}

}  // namespace larmor::study
