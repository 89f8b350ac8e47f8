#pragma once
// The contents of exchange.out of TB2J, before they become a study.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/imports/bonds.hpp"

namespace larmor::imports::tb2j {

struct ListedAtom {
  std::string label;      ///< element and number, such as "Fe1"
  Vec3<double> position;  ///< Angstrom
  Vec3<double> moment;    ///< mu_B, along z for a collinear run
  SourceMark where;
  Mat3<double> anisotropy{};  ///< meV, the matrix K of - e^T K e
  std::optional<SourceMark> anisotropy_mark = {};
};

struct ListedBond {
  Bond isotropic;                     ///< J
  std::optional<Vec3<double>> dmi;    ///< D
  std::optional<Mat3<double>> J_ani;  ///< the anisotropic exchange
};

struct ExchangeOut {
  std::string version;  ///< empty if the file does not give it
  bool merged = false;  ///< do its couplings come from several directions of the spins?
  std::array<Vec3<double>, 3> cell{};  ///< rows are lattice vectors, Angstrom
  SourceMark cell_mark, file_mark;
  std::vector<ListedAtom> atoms;
  std::vector<ListedBond> bonds;  ///< both directions, as in the file
  bool has_biquadratic = false;
};

/// @throws InputError, MachineError as read_tb2j
ExchangeOut read_exchange_out(const std::string& path);

}  // namespace larmor::imports::tb2j
