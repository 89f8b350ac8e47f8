#include "larmor/study/stages/rearranged_replicas.hpp"

#include <algorithm>
#include <cstring>

#include "larmor/core/error.hpp"

namespace larmor::study {
namespace {

/// Needs little more memory than the values. @param side_by_side as System::saved_side_by_side
template <class T>
void rearrange(std::vector<T>& values, const std::vector<Index>& source, Index side_by_side) {
  if (side_by_side == 0 || values.empty()) return;
  const Index replicas = std::ssize(source);
  const Index groups = (replicas + side_by_side - 1) / side_by_side;
  const Index width = std::ssize(values) / (groups * side_by_side);
  if (width * groups * side_by_side != std::ssize(values))
    throw InternalError("the saved values of replicas do not have one length");
  const auto place = [&](Index replica, Index n) {
    return static_cast<std::size_t>((replica / side_by_side * width + n) * side_by_side +
                                    replica % side_by_side);
  };
  constexpr Index piece = 1024;
  std::vector<T> moved(static_cast<std::size_t>(replicas * std::min(piece, width)));
  for (Index begin = 0; begin < width; begin += piece) {
    const Index end = std::min(begin + piece, width);
    auto to = moved.begin();
    for (const Index from : source)
      for (Index n = begin; n < end; ++n) *to++ = values[place(from, n)];
    to = moved.begin();
    for (Index r = 0; r < replicas; ++r)
      for (Index n = begin; n < end; ++n) values[place(r, n)] = *to++;
  }
}

template <class T>
std::vector<T> of_root(std::vector<T> values, const Ranks& ranks) {
  if (ranks.size() == 1) return values;
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  bytes = ranks.of_root(std::move(bytes));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

}  // namespace

void rearrange_replicas(System& system, const std::vector<Index>& source, const Ranks& ranks) {
  Blocks blocks = system.save(ranks);
  for (auto& [name, saved] : blocks)
    std::visit(
        [&, side_by_side = system.saved_side_by_side(name)](auto& values) {
          if (ranks.is_root()) rearrange(values, source, side_by_side);
          values = of_root(std::move(values), ranks);
        },
        saved);
  system.load(blocks, ranks);
}

}  // namespace larmor::study
