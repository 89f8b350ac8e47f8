#pragma once
// Vampire's material file (.mat).
//
//     H = - sum_<ij> J_ij S_i.S_j - sum_i k_i (S_i.n_i)^2,      each pair once, J in joules a pair
//     (exchange-matrix), k in joules an atom (uniaxial-anisotropy-constant), S unit vectors.
//
// A cubic anisotropy c (cubic-anisotropy-constant) adds - sum_i c_i / 2 (S_x^4 + S_y^4 + S_z^4).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "larmor/imports/vampire/keywords.hpp"

namespace larmor::imports::vampire {

struct Material {
  std::string species;  ///< the element, with the number of the material if several share it
  double damping = 1;
  SourceMark damping_mark;
  Quantity moment;  ///< muB
  SourceMark moment_mark;
  std::optional<Quantity> anisotropy;  ///< nothing: none
  SourceMark anisotropy_mark;
  Vec3<double> axis{0, 0, 1};
  std::optional<Quantity> half_cubic;  ///< c / 2; nothing: none
  SourceMark cubic_mark;
  std::optional<Vec3<double>> direction = Vec3<double>{0, 0, 1};  ///< nothing: random
  SourceMark direction_mark;
};

struct Exchange {
  double J;  ///< joules
  SourceMark where;
};

struct Materials {
  std::vector<Material> all;
  std::map<std::pair<int, int>, Exchange> exchange;  ///< by materials, counted from 0
  SourceMark file_mark;
};

/// @param notes receives keywords that are not needed, and values that Vampire assumes
/// @throws InputError for malformed lines, keywords that Larmor cannot follow, and a material
/// without a moment. MachineError if the file cannot be read
Materials read_materials(const std::string& path, std::vector<std::string>& notes);

}  // namespace larmor::imports::vampire
