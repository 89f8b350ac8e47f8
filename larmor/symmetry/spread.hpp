#pragma once
// The key `symmetry = "crystal"` of tables of couplings: a table names representative bonds or
// atoms, and the space group of the lattice gives all their images.

#include <functional>
#include <string>
#include <vector>

#include "larmor/lattice/bond_selection.hpp"
#include "larmor/symmetry/bond_symmetry.hpp"

namespace larmor::symmetry {

/// The value of the key `symmetry` that spreads a table.
inline constexpr const char* by_crystal = "crystal";

template <class Term>
FieldTable<Term>& add_symmetry_field(FieldTable<Term>& table) {
  return table
      .optional("symmetry", &Term::symmetry, Dimension::none,
                "\"crystal\": each bond of `offset` stands for all bonds to which the space group "
                "of the lattice moves it, and the coupling turns with it")
      .one_of({"none", by_crystal});
}

/// A bond with its matrix A, for the energy - e_i^T A e_j.
struct CoupledBond {
  lattice::StencilBond bond;
  Mat3<double> matrix;
};

/// Gives the matrix of a bond that the table names.
using MatrixOfBond = std::function<Mat3<double>(const lattice::StencilBond&)>;

/// All images of the bonds of `offset`, with their matrices. Matrices are made exactly symmetric
/// under the group of their bond, because users write few digits.
/// @param term name of the term, for messages
/// @param key key of the matrix, for messages
/// @throws InputError unless bonds are selected by `offset` on a lattice; if the symmetry forbids
/// the matrix; if two named bonds are images of each other
std::vector<CoupledBond> spread(const lattice::BondSelection& selection, const std::string& term,
                                const lattice::Geometry& geometry, const Surroundings& surroundings,
                                const std::string& key, const MatrixOfBond& matrix);

/// All images of the bonds of `offset`, for couplings that no operation changes.
lattice::SelectedBonds spread(const lattice::BondSelection& selection, const std::string& term,
                              const lattice::Geometry& geometry, const Surroundings& surroundings);

/// The image of a matrix at an atom, and the rotation that has turned it.
struct TurnedMatrix {
  Mat3<double> rotation, matrix;
};

/// For each atom of the basis, the image of the matrix of one of the named atoms; empty
/// for other atoms. The matrix is made exactly symmetric under the group of its site.
/// @param atoms representatives
/// @param matrix - e^T A e of a representative
/// @throws InputError if the symmetry of a site forbids the matrix; if two named atoms are images
/// of each other
std::vector<std::optional<TurnedMatrix>> spread_sites(
    const std::vector<Index>& atoms, const std::string& term, const lattice::Geometry& geometry,
    const Surroundings& surroundings, const SourcePosition& where, const Mat3<double>& matrix);

}  // namespace larmor::symmetry
