#pragma once
// The keys of [lattice] that every model kind on a lattice has, and their meaning.

#include "larmor/core/error.hpp"
#include "larmor/core/input/fields.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/lattice/input.hpp"

namespace larmor::study {

struct LatticeKeys {
  std::optional<std::string> type;
  std::vector<Index> size;
  std::vector<bool> periodic{true};
  double constant = 1;
  std::optional<std::array<Vec3<double>, 3>> cell;
  std::vector<Vec3<double>> basis;
  std::vector<std::string> species;
  std::optional<std::string> file;
  TablePosition where;
};

/// Adds all keys of a lattice except `file`.
template <class Table>
FieldTable<Table>& add_lattice_fields(FieldTable<Table>& table) {
  return table.optional("type", &LatticeKeys::type, Dimension::none, "a named lattice")
      .one_of({"chain", "square", "triangular", "honeycomb", "kagome", "sc", "bcc", "fcc",
               "diamond", "pyrochlore"})
      .optional(
          "size", &LatticeKeys::size, Dimension::none,
          "number of cells along each lattice vector, or one number for all vectors of a named "
          "type. In bcc, fcc, diamond and pyrochlore these are cubic cells")
      .at_least(1)
      .optional("periodic", &LatticeKeys::periodic, Dimension::none,
                "true for a periodic and false for an open boundary. Give one value for each "
                "lattice vector, or one for all")
      .optional("constant", &LatticeKeys::constant, Dimension::length,
                "lattice constant a; with `cell`, the factor that multiplies its vectors")
      .positive()
      .optional("cell", &LatticeKeys::cell, Dimension::none,
                "three lattice vectors in units of `constant`, for a custom lattice")
      .optional("basis", &LatticeKeys::basis, Dimension::none,
                "positions of the atoms of `cell`, in fractions of the vectors of `cell`")
      .optional("species", &LatticeKeys::species, Dimension::none,
                "a name for each basis atom, or one for all");
}

/// @throws InputError for keys that contradict one another
void check_lattice_keys(const LatticeKeys& keys);

/// @return values[i], or the single value for all
template <class T>
const T& one_or_each(const std::vector<T>& values, std::size_t i) {
  return values.size() == 1 ? values[0] : values[i];
}

/// @throws InputError unless there is one entry, or one for each basis atom
void require_one_or_each(const LatticeKeys& keys, std::size_t count, const char* key,
                         const lattice::Crystal& crystal);

/// Cell and basis of the keys, with moments 1.
lattice::Crystal own_crystal(const LatticeKeys& keys);

/// Number of cells along each vector of the crystal: a single number counts for all vectors.
std::vector<Index> cells_of(const LatticeKeys& keys, const lattice::Crystal& crystal);

/// Gives the basis the species of the keys, if the keys name any. @throws InputError
void set_species(const LatticeKeys& keys, lattice::Crystal& crystal);

/// Runs `work`. An error about a key of the lattice points at its value.
/// @param whose prefix of the message: "exchange: "
template <class Work>
auto lattice_key_located(const LatticeKeys& keys, const std::string& whose, const Work& work) {
  try {
    return work();
  } catch (const lattice::LatticeKeyError& error) {
    throw InputError(whose + error.problem(), keys.where.of(error.key()), error.remedy());
  }
}

/// Runs `work` on one table of the Hamiltonian. An error about a lattice that is too small for the
/// term points at the key of the lattice.
template <class Term, class Work>
auto term_located(const LatticeKeys& keys, const Term& term, const Work& work) {
  return with_position(
      term.where, [&] { return lattice_key_located(keys, std::string(Term::name) + ": ", work); });
}

/// "square, 8 x 8 cells (periodic, open), 64 sites"
std::string lattice_text(const lattice::Geometry& geometry);

/// Path of a file that a study names. @param folder folder of the study
std::string path_in(const std::string& folder, const std::string& file);

}  // namespace larmor::study
