#include "larmor/spinwaves/magnetic_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"

namespace larmor::spinwaves {
namespace {

/// If a box has more cells than this, only translations along lattice vectors are searched.
constexpr Index most_box_cells = 1 << 17;

bool same_couplings(const std::vector<spins::OnsiteCoupling>& a,
                    const std::vector<spins::OnsiteCoupling>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const spins::OnsiteCoupling& x, const spins::OnsiteCoupling& y) {
                      return x.axis == y.axis && x.a2 == y.a2 && x.a4 == y.a4 && x.a6 == y.a6;
                    });
}

/// Compares sites with their images under a translation.
class Comparison {
 public:
  Comparison(const Hamiltonian& hamiltonian, std::span<const Vec3<double>> e, double tolerance)
      : hamiltonian_(hamiltonian),
        e_(e),
        tolerance_(tolerance),
        by_atom_(hamiltonian.known_by_atom()) {}

  double distance(Index a, Index b) const {
    return length(e_[static_cast<std::size_t>(a)] - e_[static_cast<std::size_t>(b)]);
  }
  bool same_terms(Index a, Index b) const {
    return by_atom_ || (hamiltonian_.moment(a) == hamiltonian_.moment(b) &&
                        hamiltonian_.field(a) == hamiltonian_.field(b) &&
                        same_couplings(hamiltonian_.onsite(a), hamiltonian_.onsite(b)));
  }

  /// The first site of the first `box` cells that differs from its image under the translation
  /// `shift`, or -1. The image is taken modulo `wrap` cells.
  Index first_broken(const std::array<Index, 3>& shift, const std::array<Index, 3>& box,
                     const std::array<Index, 3>& wrap) const {
    const lattice::Geometry& geometry = hamiltonian_.geometry;
    const auto atoms = static_cast<int>(geometry.crystal.basis.size());
    for (Index z = 0; z < box[2]; ++z)
      for (Index y = 0; y < box[1]; ++y)
        for (Index x = 0; x < box[0]; ++x)
          for (int b = 0; b < atoms; ++b) {
            const Index site = geometry.site(b, x, y, z);
            const Index other = geometry.site(b, (x + shift[0]) % wrap[0], (y + shift[1]) % wrap[1],
                                              (z + shift[2]) % wrap[2]);
            if (distance(site, other) > tolerance_ || !same_terms(site, other)) return site;
          }
    return -1;
  }

 private:
  const Hamiltonian& hamiltonian_;
  std::span<const Vec3<double>> e_;
  double tolerance_;
  bool by_atom_;
};

std::array<Index, 3> along(std::size_t d, Index cells) {
  std::array<Index, 3> shift{0, 0, 0};
  shift[d] = cells;
  return shift;
}

std::string text_of(const std::array<Index, 3>& cells) {
  return fmt::format("[{}, {}, {}]", cells[0], cells[1], cells[2]);
}

void require_possible(const Hamiltonian& hamiltonian, const std::array<Index, 3>& cells) {
  const lattice::Geometry& geometry = hamiltonian.geometry;
  for (std::size_t d = 0; d < 3; ++d) {
    const Index size = geometry.size[d];
    if (cells[d] < 1 || size % cells[d] != 0)
      throw InputError("magnetic_cell = " + text_of(cells) + " does not divide the lattice of " +
                           text_of(geometry.size) + " cells",
                       "give a divisor of size along each lattice vector");
    if (cells[d] == size) continue;
    if (!geometry.periodic[d])
      throw InputError("magnetic_cell = " + text_of(cells) +
                           " repeats along a lattice vector whose boundary is open",
                       "give the length of the lattice along this vector, " + std::to_string(size));
    if (hamiltonian.has_pairs())
      throw InputError("magnetic_cell = " + text_of(cells) +
                           " repeats, but couplings are given pair by pair or differ from bond to "
                           "bond",
                       "remove magnetic_cell: the whole lattice is then the cell");
  }
}

}  // namespace

MagneticCell MagneticCell::find(const Hamiltonian& hamiltonian, std::span<const Vec3<double>> e,
                                double tolerance) {
  const lattice::Geometry& geometry = hamiltonian.geometry;
  std::array<Index, 3> box = geometry.size;
  if (!geometry.is_lattice() || hamiltonian.has_pairs()) return {hamiltonian, box, {}};
  const Comparison comparison(hamiltonian, e, tolerance);
  for (std::size_t d = 0; d < 3; ++d) {
    if (!geometry.periodic[d]) continue;
    Index period = 1;
    while (period < geometry.size[d] &&
           (geometry.size[d] % period != 0 ||
            comparison.first_broken(along(d, period), geometry.size, geometry.size) >= 0))
      ++period;
    box[d] = period;
  }
  std::vector<std::array<Index, 3>> translations;
  if (box[0] * box[1] * box[2] <= most_box_cells) {
    const auto last = [&](std::size_t d) { return geometry.periodic[d] ? box[d] : 1; };
    for (Index z = 0; z < last(2); ++z)
      for (Index y = 0; y < last(1); ++y)
        for (Index x = 0; x < last(0); ++x)
          if (x + y + z > 0 && comparison.first_broken({x, y, z}, box, box) < 0)
            translations.push_back({x, y, z});
  }
  return {hamiltonian, box, std::move(translations)};
}

MagneticCell MagneticCell::given(const Hamiltonian& hamiltonian, std::span<const Vec3<double>> e,
                                 const std::array<Index, 3>& cells, double tolerance) {
  const lattice::Geometry& geometry = hamiltonian.geometry;
  require_possible(hamiltonian, cells);
  const Comparison comparison(hamiltonian, e, tolerance);
  for (std::size_t d = 0; d < 3; ++d) {
    const Index site = comparison.first_broken(along(d, cells[d]), geometry.size, geometry.size);
    if (site < 0) continue;
    lattice::SiteIndex there = geometry.decode(site);
    there.cell[d] = (there.cell[d] + cells[d]) % geometry.size[d];
    const Index other = geometry.site(there.basis, there.cell[0], there.cell[1], there.cell[2]);
    throw InputError(comparison.same_terms(site, other)
                         ? "magnetic_cell = " + text_of(cells) +
                               " does not repeat the spins: the spins of sites " +
                               std::to_string(site) + " and " + std::to_string(other) +
                               " differ by " + number_text(comparison.distance(site, other))
                         : "magnetic_cell = " + text_of(cells) +
                               " does not repeat the Hamiltonian: sites " + std::to_string(site) +
                               " and " + std::to_string(other) + " differ",
                     "remove magnetic_cell: Larmor then finds the smallest cell");
  }
  return {hamiltonian, cells, {}};
}

MagneticCell::MagneticCell(const Hamiltonian& hamiltonian, const std::array<Index, 3>& box,
                           std::vector<std::array<Index, 3>> translations)
    : geometry_(&hamiltonian.geometry), box_(box), translations_(std::move(translations)) {
  make_orbits();
  number_spins();
  if (spins() > most_spins)
    throw InputError("the magnetic cell has " + std::to_string(spins()) +
                         " spins; spin-wave theory diagonalises matrices of twice this size, and "
                         "a cell may have at most " +
                         std::to_string(most_spins),
                     "bring the spins to a periodic state first (a minimise stage, or "
                     "ground_state), or use a smaller lattice");
}

Index MagneticCell::box_index(const std::array<Index, 3>& cell) const {
  return cell[0] % box_[0] + box_[0] * (cell[1] % box_[1] + box_[1] * (cell[2] % box_[2]));
}

std::array<Index, 3> MagneticCell::box_cell(Index index) const {
  return {index % box_[0], index / box_[0] % box_[1], index / (box_[0] * box_[1])};
}

void MagneticCell::make_orbits() {
  const Index cells = box_[0] * box_[1] * box_[2];
  orbit_.assign(static_cast<std::size_t>(cells), -1);
  for (Index first = 0; first < cells; ++first) {
    if (orbit_[static_cast<std::size_t>(first)] >= 0) continue;
    const auto orbit = static_cast<Index>(orbit_cell_.size());
    orbit_cell_.push_back(first);
    orbit_[static_cast<std::size_t>(first)] = orbit;
    // Equality within a tolerance may not be transitive. Therefore all cells that a chain of equal
    // cells connects form one orbit.
    std::vector<Index> reached{first};
    while (!reached.empty()) {
      const std::array<Index, 3> cell = box_cell(reached.back());
      reached.pop_back();
      for (const std::array<Index, 3>& t : translations_) {
        const Index to = box_index({cell[0] + t[0], cell[1] + t[1], cell[2] + t[2]});
        if (orbit_[static_cast<std::size_t>(to)] >= 0) continue;
        orbit_[static_cast<std::size_t>(to)] = orbit;
        reached.push_back(to);
      }
    }
  }
}

void MagneticCell::number_spins() {
  const auto atoms = static_cast<int>(geometry_->crystal.basis.size());
  for (const Index first : orbit_cell_) {
    const std::array<Index, 3> cell = box_cell(first);
    for (int b = 0; b < atoms; ++b) {
      const Index site = geometry_->site(b, cell[0], cell[1], cell[2]);
      const bool occupied = geometry_->occupied(site);
      spin_.push_back(occupied ? static_cast<Index>(site_.size()) : -1);
      if (occupied) site_.push_back(site);
    }
  }
}

Index MagneticCell::spin_of(Index site) const {
  const lattice::SiteIndex at = geometry_->decode(site);
  const Index orbit = orbit_[static_cast<std::size_t>(box_index(at.cell))];
  const auto atoms = static_cast<Index>(geometry_->crystal.basis.size());
  return spin_[static_cast<std::size_t>(orbit * atoms + at.basis)];
}

bool MagneticCell::translates(const std::array<Index, 3>& shift) const {
  return orbit_[static_cast<std::size_t>(box_index(shift))] == orbit_[0];
}

std::array<std::array<Index, 3>, 3> MagneticCell::vectors() const {
  std::array<Index, 3> a{1, 0, 0}, b{0, 1, 0}, c{0, 0, 1};
  while (!translates(a)) ++a[0];
  const auto next_row = [&](std::array<Index, 3>& v) {
    if (++v[0] < a[0]) return;
    v[0] = 0;
    ++v[1];
  };
  while (!translates(b)) next_row(b);
  while (!translates(c)) {
    if (++c[0] < a[0]) continue;
    c[0] = 0;
    if (++c[1] < b[1]) continue;
    c[1] = 0;
    ++c[2];
  }
  return {a, b, c};
}

}  // namespace larmor::spinwaves
