#include "larmor/symmetry/coupling_tables.hpp"

#include <fmt/core.h>

namespace larmor::symmetry {
namespace {

/// The matrix as TOML.
std::string matrix_of_letters(const std::vector<Mat3<double>>& basis, const std::string& zero) {
  auto entries = with_letters(basis);
  for (auto& row : entries)
    for (std::string& entry : row) entry = entry == "0" ? zero : '"' + entry + '"';
  return matrix_text(entries);
}

}  // namespace

std::string exchange_table(const BondOrbit& orbit, const std::string& zero) {
  const lattice::StencilBond& bond = orbit.images.front().bond;
  return fmt::format(
      "[[exchange-tensor]]\nsymmetry = \"{}\"\natoms = [{}, {}]\noffset = [[{}, {}, {}]]\nA = {}\n",
      "crystal", bond.from, bond.to, bond.offset[0], bond.offset[1], bond.offset[2],
      matrix_of_letters(allowed_exchange(orbit.group).all(), zero));
}

std::string anisotropy_table(const SiteOrbit& orbit, const std::string& zero) {
  const MatrixSpace space = allowed_anisotropy(orbit.group);
  if (space.parameters() == 0) return "";
  return fmt::format("[[anisotropy]]\nsymmetry = \"{}\"\natoms = [{}]\nA = {}\n", "crystal",
                     orbit.images.front().atom, matrix_of_letters(space.symmetric, zero));
}

}  // namespace larmor::symmetry
