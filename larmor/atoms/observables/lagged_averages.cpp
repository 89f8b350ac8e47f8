#include "larmor/atoms/observables/lagged_averages.hpp"

#include <algorithm>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {
LaggedAverages::LaggedAverages(LaggedFunction function, const AtomLayout& layout, Index types,
                               const LagSettings& settings, int threads)
    : function_(function),
      layout_(layout),
      types_(types),
      settings_(settings),
      threads_(threads),
      means_(layout.replicas(), types * settings.lags),
      sum_(static_cast<std::size_t>(layout.replicas() * means_.numbers())),
      count_(static_cast<std::size_t>(settings.lags)) {
  if (settings.lags < 1 || settings.origin_every < 1)
    throw InputError("the number of time lags is " + std::to_string(settings.lags) +
                         ", and an origin is taken every " + std::to_string(settings.origin_every) +
                         " frames",
                     "give 1 or more for both");
  if (settings.lags > settings.frames_of_block)
    throw InputError("the number of time lags is " + std::to_string(settings.lags) +
                         ", but a block of the averages has only " +
                         std::to_string(settings.frames_of_block) + " frames",
                     "give shorter times, or fewer and thus longer blocks");
}

void LaggedAverages::add(std::vector<Vec3<double>> vectors, std::span<const std::int32_t> type,
                         std::span<const double> n) {
  const Index frame = frames_ % settings_.frames_of_block;
  std::erase_if(origins_,
                [&](const Origin& origin) { return frame - origin.frame >= settings_.lags; });
  const Origin now{frame, std::move(vectors)};
  for (const Origin& origin : origins_)
    add_products(origin, frame - origin.frame, now.vectors, type);
  if (frame % settings_.origin_every == 0) {
    add_products(now, 0, now.vectors, type);
    origins_.push_back(now);
  }
  if (++frames_ % settings_.frames_of_block == 0) end_block(n);
}

void LaggedAverages::add_products(const Origin& origin, Index lag,
                                  std::span<const Vec3<double>> now,
                                  std::span<const std::int32_t> type) {
  const auto atom_blocks = layout_.atom_blocks();
  const auto types = static_cast<std::size_t>(types_);
  const bool is_product = function_ == LaggedFunction::product;
  std::vector<double> partial(atom_blocks.size() * types);  // [atom block, type]
  parallel_for(threads_, static_cast<Index>(atom_blocks.size()), [&](Index n) {
    const AtomBlock& atom_block = atom_blocks[static_cast<std::size_t>(n)];
    double* sums = partial.data() + static_cast<std::size_t>(n) * types;
    for (Index atom = atom_block.first; atom < atom_block.last; ++atom) {
      const auto i = static_cast<std::size_t>(atom);
      const Vec3<double> moved = now[i] - origin.vectors[i];
      sums[type[i]] += is_product ? dot(origin.vectors[i], now[i]) : dot(moved, moved);
    }
  });
  // BITS: the sums of atom blocks are added in the order of the blocks.
  for (std::size_t n = 0; n < atom_blocks.size(); ++n)
    for (std::size_t a = 0; a < types; ++a)
      sum_[(static_cast<std::size_t>(atom_blocks[n].replica) * types + a) * count_.size() +
           static_cast<std::size_t>(lag)] += partial[n * types + a];
  ++count_[static_cast<std::size_t>(lag)];
}

void LaggedAverages::end_block(std::span<const double> n) {
  for (std::size_t k = 0; k < sum_.size(); ++k)
    sum_[k] /= count_[k % count_.size()] * n[k / count_.size()];
  means_.add_block(sum_);
  std::fill(sum_.begin(), sum_.end(), 0.0);
  std::fill(count_.begin(), count_.end(), 0.0);
  origins_.clear();
}

std::vector<double> LaggedAverages::save() const {
  std::vector<double> out;
  for (Index replica = 0; replica < layout_.replicas(); ++replica) {
    save_numbers(out, {static_cast<double>(frames_), static_cast<double>(origins_.size())});
    save_numbers(out, count_);
    const double* sum = sum_.data() + replica * means_.numbers();
    out.insert(out.end(), sum, sum + means_.numbers());
    for (const Origin& origin : origins_) {
      save_numbers(out, {static_cast<double>(origin.frame)});
      for (Index i = layout_.first(replica); i < layout_.first(replica + 1); ++i) {
        const Vec3<double>& v = origin.vectors[static_cast<std::size_t>(i)];
        save_numbers(out, {v.x, v.y, v.z});
      }
    }
    means_.save(out, replica);
  }
  return out;
}

void LaggedAverages::load(std::span<const double> saved) {
  for (Index replica = 0; replica < layout_.replicas(); ++replica) {
    frames_ = static_cast<Index>(take_number(saved));
    origins_.resize(static_cast<std::size_t>(take_number(saved)));
    take_into(saved, count_);
    std::ranges::copy(take_numbers(saved, static_cast<std::size_t>(means_.numbers())),
                      sum_.begin() + replica * means_.numbers());
    for (Origin& origin : origins_) {
      origin.frame = static_cast<Index>(take_number(saved));
      origin.vectors.resize(static_cast<std::size_t>(layout_.atoms()));
      for (Index i = layout_.first(replica); i < layout_.first(replica + 1); ++i) {
        const auto numbers = take_numbers(saved, 3);
        origin.vectors[static_cast<std::size_t>(i)] = {numbers[0], numbers[1], numbers[2]};
      }
    }
    means_.load(saved, replica);
  }
}

}  // namespace larmor::atoms
