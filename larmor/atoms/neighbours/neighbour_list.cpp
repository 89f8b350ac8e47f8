#include "larmor/atoms/neighbours/neighbour_list.hpp"

#include <algorithm>

#include "larmor/atoms/neighbours/list_validity.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"

namespace larmor::atoms {
NeighbourList::NeighbourList(double cutoff, double skin) : cutoff_(cutoff), skin_(skin) {
  if (!(cutoff > 0))
    throw InputError("the cutoff of neighbours is " + number_text(cutoff),
                     "give a positive length");
  if (!(skin >= 0))
    throw InputError("the skin of neighbours is " + number_text(skin),
                     "give a length of 0 or more");
}

const NeighbourRows& NeighbourList::rows(const Box& box, std::span<const Vec3<double>> positions,
                                         int threads) {
  if (positions_.size() != positions.size() || is_outdated(box, positions)) search(box, positions);
  move_pairs(box, positions, threads);
  keep_pairs_within_cutoff();
  return rows_;
}

bool NeighbourList::is_outdated(const Box& box, std::span<const Vec3<double>> positions) const {
  const ListValidity validity = ListValidity::between(box_, box, cutoff_, skin_);
  if (validity.is_outdated()) return true;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (validity.is_outdated_by(positions[i], positions_[i])) return true;
  return false;
}

void NeighbourList::search(const Box& box, std::span<const Vec3<double>> positions) {
  positions_.clear();  // The list is invalid if the search fails.
  found_ = find_neighbours(box, positions, cutoff_ + skin_);
  box_ = box;
  positions_.assign(positions.begin(), positions.end());
  ++searches_;
}

void NeighbourList::move_pairs(const Box& box, std::span<const Vec3<double>> positions,
                               int threads) {
  parallel_for(threads, found_.atoms(), [&](Index i) {
    const auto row = static_cast<std::size_t>(i);
    for (Index n = found_.first[row]; n < found_.first[row + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const auto mirror = static_cast<std::size_t>(found_.mirror[entry]);
      // BITS: as in find_neighbours, the displacement is computed in the row of the lower atom.
      // That is the first of the two entries of a pair. If both atoms are images of one atom, the
      // displacement is computed for the higher image. That is the second entry, in the row of this
      // atom.
      if (found_.mirror[entry] < n) continue;
      const auto j = static_cast<std::size_t>(found_.neighbour[entry]);
      const std::size_t computed = row == j ? mirror : entry, other = row == j ? entry : mirror;
      const Vec3<double> r =
          displacement_between(box, positions[row], positions[j], found_.image[computed]);
      found_.displacement[computed] = r;
      found_.displacement[other] = -r;
    }
  });
}

void NeighbourList::keep_pairs_within_cutoff() {
  const auto entries = static_cast<std::size_t>(found_.entries());
  kept_.resize(entries);
  rows_.first.assign(1, 0);
  rows_.neighbour.clear();
  rows_.image.clear();
  rows_.displacement.clear();
  for (std::size_t i = 0; i + 1 < found_.first.size(); ++i) {
    for (Index n = found_.first[i]; n < found_.first[i + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const Vec3<double>& r = found_.displacement[entry];
      kept_[entry] = -1;
      if (!(dot(r, r) < cutoff_ * cutoff_)) continue;
      kept_[entry] = rows_.entries();
      rows_.neighbour.push_back(found_.neighbour[entry]);
      rows_.image.push_back(found_.image[entry]);
      rows_.displacement.push_back(r);
    }
    rows_.first.push_back(rows_.entries());
  }
  rows_.mirror.resize(rows_.neighbour.size());
  for (std::size_t entry = 0; entry < entries; ++entry)
    if (kept_[entry] >= 0)
      rows_.mirror[static_cast<std::size_t>(kept_[entry])] =
          kept_[static_cast<std::size_t>(found_.mirror[entry])];
}

}  // namespace larmor::atoms
