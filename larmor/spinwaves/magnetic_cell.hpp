#pragma once
// The cell of a commensurate state. It consists of the lattice translations that preserve the spins
// and the Hamiltonian, and of one site of each orbit of these translations.

#include <array>
#include <span>
#include <vector>

#include "larmor/spinwaves/hamiltonian.hpp"

namespace larmor::spinwaves {

class MagneticCell {
 public:
  /// Matrices of spin-wave theory have twice as many rows and columns.
  static constexpr Index most_spins = 1000;

  /// The smallest cell that repeats a state. Along a lattice vector with an open boundary, the cell
  /// has the length of the lattice. If bonds are listed one by one, the cell is the whole lattice.
  /// @param e unit vectors of canonical sites, zero for vacancies
  /// @param tolerance largest |e - e'| of spins that count as equal
  /// @throws InputError if the cell has more than `most_spins` spins
  static MagneticCell find(const Hamiltonian& hamiltonian, std::span<const Vec3<double>> e,
                           double tolerance);
  /// A cell of the given number of crystal cells along each lattice vector.
  /// @throws InputError if the cell does not divide the lattice, does not repeat the state or the
  ///         Hamiltonian, or has more than `most_spins` spins
  static MagneticCell given(const Hamiltonian& hamiltonian, std::span<const Vec3<double>> e,
                            const std::array<Index, 3>& cells, double tolerance);

  /// Number of spins of the cell. Vacancies do not count.
  Index spins() const { return static_cast<Index>(site_.size()); }
  /// Canonical site of a spin of the cell.
  Index site(Index spin) const { return site_[static_cast<std::size_t>(spin)]; }
  /// The spin of the cell that a translation brings to a site; -1 for a vacancy.
  Index spin_of(Index site) const;
  /// Vectors that span the translations, in crystal cells.
  std::array<std::array<Index, 3>, 3> vectors() const;

 private:
  MagneticCell(const Hamiltonian& hamiltonian, const std::array<Index, 3>& box,
               std::vector<std::array<Index, 3>> translations);
  Index box_index(const std::array<Index, 3>& cell) const;
  std::array<Index, 3> box_cell(Index index) const;
  bool translates(const std::array<Index, 3>& shift) const;
  void make_orbits();
  void number_spins();

  const lattice::Geometry* geometry_;
  std::array<Index, 3> box_;  ///< numbers of crystal cells of a box that repeats
  std::vector<std::array<Index, 3>> translations_;  ///< within the box; zero is left out
  std::vector<Index> orbit_;                        ///< orbit of each cell of the box
  std::vector<Index> orbit_cell_;                   ///< first cell of each orbit
  std::vector<Index> spin_;                         ///< (orbit, basis atom); -1: vacancy
  std::vector<Index> site_;
};

}  // namespace larmor::spinwaves
