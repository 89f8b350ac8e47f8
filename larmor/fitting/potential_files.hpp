#pragma once
// The files of a fitted potential in LAMMPS's formats, with comments about their origin.

#include "larmor/fitting/settings.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::fitting {

/// Texts of the files of a potential.
struct PotentialTexts {
  std::string coefficients, parameters;  ///< .snapcoeff, .snapparam
  std::string script;                    ///< include file (.mod) with the reference
};

/// Every number reads back bit for bit. The texts have no date, so that equal fits have equal
/// files.
/// @param program name and version of the program
/// @param prefix name of the files without ending, for the include file
PotentialTexts potential_texts(const Settings& settings,
                               const atoms::snap::SnapPotential& potential,
                               const std::string& program, const std::string& prefix);

/// "0123456789abcdef": checksum of the text of the input and of the bytes of all files of the set.
std::string checksum_of_input(const Settings& settings);

}  // namespace larmor::fitting
