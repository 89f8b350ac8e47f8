#pragma once
// Checks of studies, and of the studies that inputs of other programs give.

#include <string>

namespace larmor::fuzzing {

/// Checks a study as `larmor check` does, except for the times of its stages.
void check_study(const std::string& path);

/// Each reads an input of another program and checks the study that it gives.
/// @throws std::logic_error if the study is not the one that `larmor convert` would write

void check_tb2j(const std::string& path);
void check_vampire(const std::string& path);
/// CIF, magnetic CIF, POSCAR or extended XYZ: also the symmetry of the crystal.
void check_crystal(const std::string& path);

/// The folder of an input that consists of several files. A line `=== NAME` of the file begins each
/// file of the folder.

void check_uppasd_folder(const std::string& path);
void check_vampire_folder(const std::string& path);

}  // namespace larmor::fuzzing
