#pragma once
// Lists of numbers for checkpoints of minimisers.

#include <initializer_list>
#include <span>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor {

inline void save_numbers(std::vector<double>& out, std::initializer_list<double> numbers) {
  out.insert(out.end(), numbers);
}
inline void save_numbers(std::vector<double>& out, const std::vector<double>& numbers) {
  out.insert(out.end(), numbers.begin(), numbers.end());
}

/// Takes `count` numbers from the front of `saved`. @throws InputError if `saved` holds fewer
inline std::span<const double> take_numbers(std::span<const double>& saved, std::size_t count) {
  if (saved.size() < count)
    throw InputError("the checkpoint of a minimiser is too short",
                     "resume with the version of Larmor that wrote this checkpoint");
  const std::span<const double> taken = saved.first(count);
  saved = saved.subspan(count);
  return taken;
}
inline double take_number(std::span<const double>& saved) { return take_numbers(saved, 1)[0]; }

/// Takes as many numbers from the front of `saved` as `numbers` has, and writes them to `numbers`.
inline void take_into(std::span<const double>& saved, std::vector<double>& numbers) {
  const std::span<const double> taken = take_numbers(saved, numbers.size());
  numbers.assign(taken.begin(), taken.end());
}

}  // namespace larmor
