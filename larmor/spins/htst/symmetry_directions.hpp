#pragma once
// The directions in which translations and rotations move a state, and the volume of its valley.
// The valley has all states of equal energy that translations and rotations reach.
//
// A translation by one cell is the shortest rotation of every spin to the spin one cell further.
// Its length is the distance between the state and its translate. A rotation about w moves each
// spin e by w x e. The volume is the area that all translates and all rotated copies of the state
// sweep. Each of them counts once. Translates count even if a barrier lies between them. A ratio of
// volumes thus includes how many translates of a saddle each minimum has (Bessarab, Uzdin, Jonsson,
// Phys. Rev. B 85, 184409 (2012); Langer, Ann. Phys. 54, 258 (1969)). Host code.

#include <array>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/htst/energy_expansion.hpp"
#include "larmor/spins/htst/lowest_modes.hpp"

namespace larmor::spins {

class SymmetryDirections {
 public:
  /// @param geometry geometry of the model
  /// @param spins [3, sites], stationary, as in `expansion`
  SymmetryDirections(const Model& model, const lattice::Geometry& geometry,
                     const SiteVectors& spins, const EnergyExpansion& expansion);

  /// Fraction of the squared length of a vector along translations and rotations.
  double share(const std::vector<double>& vector) const;

  struct Valley {
    Index translations = 0, rotations = 0;  ///< number of directions
    /// Logarithm of the volume of all distinct translates together. Translates count even if
    /// translations are not zero modes.
    double log_volume = 0;
  };
  /// The valley along the directions that the zero modes contain.
  Valley valley(const std::vector<Mode>& zero_modes) const;

 private:
  struct Direction {
    std::vector<double> vector;  ///< for one cell, or one radian
    bool is_rotation;
  };
  void add_translations(const EnergyExpansion& expansion);
  void add_rotations(const EnergyExpansion& expansion);
  SiteVectors translated(const std::array<Index, 3>& shift) const;
  std::size_t source(std::size_t position, const std::array<Index, 3>& shift) const;
  bool is_same_after(const std::array<Index, 3>& shift) const;
  Index copies() const;

  const Model* model_;
  const lattice::Geometry& geometry_;
  std::vector<std::int32_t> canonical_, storage_;
  const SiteVectors& spins_;
  std::size_t most_different_site_ = 0;  ///< site whose spin differs most from the first
  std::vector<Direction> direction_;
  std::vector<std::vector<double>> basis_;  ///< orthonormal basis of all directions
};

}  // namespace larmor::spins
