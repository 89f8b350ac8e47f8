#include "larmor/ising/multispin/samples/ladder_overlaps.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/multispin/samples/ladder_kernels.hpp"

namespace larmor::ising {
namespace {

/// Binary counters of 64 samples, digit by digit.
class SampleCounter {
 public:
  void add(std::uint64_t ones) {
    for (std::size_t n = 0; ones != 0; ++n) {
      if (n == digits_.size()) digits_.push_back(0);
      const std::uint64_t carry = digits_[n] & ones;
      digits_[n] ^= ones;
      ones = carry;
    }
  }
  std::int32_t count(int sample) const {
    std::int32_t count = 0;
    for (std::size_t n = 0; n < digits_.size(); ++n)
      count |= static_cast<std::int32_t>(digits_[n] >> sample & 1u) << n;
    return count;
  }

 private:
  std::vector<std::uint64_t> digits_;
};

std::uint64_t spins_of(const SamplesView& view, Index word, Index position) {
  const std::uint32_t* const low = view.spins_of(word * halves) + position * view.stride();
  return low[0] | static_cast<std::uint64_t>(low[1]) << 32;
}

/// @param counts (sample, layer)
void count_layers(const SamplesView& view, const WordPair& pair, Index axes, Index layers,
                  const std::int32_t* layer, std::int32_t* counts) {
  std::vector<SampleCounter> of_layer(static_cast<std::size_t>(layers));
  for (Index position = 0; position < view.positions; ++position) {
    const std::uint64_t opposite =
        spins_of(view, pair.first, position) ^ spins_of(view, pair.second, position);
    for (Index axis = 0; axis < axes; ++axis)
      of_layer[static_cast<std::size_t>(layer[axis * view.positions + position])].add(opposite);
  }
  for (int sample = 0; sample < samples_of_word; ++sample)
    for (const SampleCounter& counter : of_layer) *counts++ = counter.count(sample);
}

}  // namespace

LadderOverlaps::LadderOverlaps(const SampleLadders& ladders,
                               const std::vector<std::vector<std::int32_t>>& layer_of_site)
    : ladders_(ladders), axes_(std::ssize(layer_of_site)) {
  const Device& device = ladders.samples().device();
  const std::vector<std::int32_t>& position_of = ladders.samples().positions();
  std::vector<std::int32_t> layer(position_of.size() * layer_of_site.size());
  for (Index axis = 0; axis < axes_; ++axis) {
    const std::vector<std::int32_t>& of_site = layer_of_site[static_cast<std::size_t>(axis)];
    if (of_site.size() != position_of.size())
      throw InternalError("the layers do not have one entry per site");
    for (std::size_t site = 0; site < of_site.size(); ++site)
      layer[static_cast<std::size_t>(axis) * of_site.size() +
            static_cast<std::size_t>(position_of[site])] =
          static_cast<std::int32_t>(layers_) + of_site[site];
    layers_ += *std::max_element(of_site.begin(), of_site.end()) + 1;
  }
  layer_ = Array<std::int32_t>(device, layer);
  by_rung_ = Array<std::uint32_t>(device, ladders.samples().stored().size());
  const tempering::LadderLayout& layout = ladders.layout();
  std::vector<WordPair> pairs;
  for (Index group = 0; group < ladders.groups(); group += layout.copies)
    for (Index a = 0; a < layout.copies; ++a)
      for (Index b = a + 1; b < layout.copies; ++b)
        for (Index rung = 0; rung < layout.rungs; ++rung)
          pairs.push_back({(group + a) * layout.rungs + rung, (group + b) * layout.rungs + rung});
  pairs_ = Array<WordPair>(device, pairs);
}

LadderOverlaps::Counts LadderOverlaps::count() {
  const Device& device = ladders_.samples().device();
  ladders_.write_by_rung(by_rung_);
  Array<SampleSums> sums(device, pairs_.size() * samples_of_word);
  ladders_.samples().add_up_overlaps(by_rung_, pairs_, sums);
  SamplesView view = ladders_.samples().view();
  view.spins = by_rung_.data();
  Array<std::int32_t> of_layers(device, pairs_.size() * samples_of_word * layers_);
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    count_layers_on_gpu(device, view, pairs_.data(), pairs_.size(), static_cast<int>(axes_),
                        static_cast<int>(layers_), layer_.data(), of_layers.data());
#endif
  if (device.backend == Backend::cpu)
    parallel_for(device.threads, pairs_.size(), [&](Index n) {
      count_layers(view, pairs_.data()[n], axes_, layers_, layer_.data(),
                   of_layers.data() + n * samples_of_word * layers_);
    });
  Counts counts;
  counts.layout_ = ladders_.layout();
  counts.layers_ = layers_;
  counts.sums_ = sums.to_host();
  counts.of_layers_ = of_layers.to_host();
  return counts;
}

OppositeSpins LadderOverlaps::Counts::of(Index rung, Index sample,
                                         std::array<Index, 2> copies) const {
  const auto [a, b] = std::minmax(copies[0], copies[1]);
  // Pairs of copies have the order (0, 1), (0, 2), .., (1, 2), ..
  const Index pairs = layout_.copies * (layout_.copies - 1) / 2;
  const Index pair = a * (2 * layout_.copies - a - 1) / 2 + b - a - 1;
  const Index words = (sample / samples_of_word * pairs + pair) * layout_.rungs + rung;
  const Index index = words * samples_of_word + sample % samples_of_word;
  const SampleSums& sums = sums_[static_cast<std::size_t>(index)];
  // Every opposite product was counted at both ends of its bond.
  return {sums.down, sums.twice_unsatisfied / 2, of_layers_.data() + index * layers_};
}

}  // namespace larmor::ising
