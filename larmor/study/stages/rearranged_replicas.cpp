#include "larmor/study/stages/rearranged_replicas.hpp"

#include <cstring>

#include "larmor/core/error.hpp"

namespace larmor::study {
namespace {

/// @param side_by_side as System::saved_side_by_side
template <class T>
std::vector<T> rearranged(const std::vector<T>& all, const std::vector<Index>& source,
                          Index side_by_side) {
  if (side_by_side == 0 || all.empty()) return all;
  const Index replicas = std::ssize(source);
  const Index groups = (replicas + side_by_side - 1) / side_by_side;
  const Index width = std::ssize(all) / (groups * side_by_side);
  if (width * groups * side_by_side != std::ssize(all))
    throw InternalError("what is saved of replicas is not the same of each");
  std::vector<T> moved = all;
  const auto place = [&](Index replica, Index n) {
    return static_cast<std::size_t>((replica / side_by_side * width + n) * side_by_side +
                                    replica % side_by_side);
  };
  for (Index r = 0; r < replicas; ++r) {
    const Index from = source[static_cast<std::size_t>(r)];
    for (Index n = 0; n < width; ++n) moved[place(r, n)] = all[place(from, n)];
  }
  return moved;
}

template <class T>
std::vector<T> of_root(const std::vector<T>& values, const Ranks& ranks) {
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
          if (ranks.is_root()) values = rearranged(values, source, side_by_side);
          values = of_root(values, ranks);
        },
        saved);
  system.load(blocks, ranks);
}

}  // namespace larmor::study
