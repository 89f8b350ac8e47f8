#pragma once
// Named wave vectors of the Brillouin zones of named lattices: Γ, X, M, K, ...

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::lattice {

struct Crystal;

/// A wave vector with a name, in reciprocal-lattice units of the cell.
struct NamedWaveVector {
  std::string name;
  Vec3<double> q;
};

/// The named wave vectors of a lattice of `named_crystal`; none for another name. The vectors of
/// bcc, fcc, diamond and pyrochlore belong to the primitive zone. Their units are 2 pi / a of the
/// cubic cell.
std::vector<NamedWaveVector> wave_vectors_of_lattice(std::string_view type);

/// The wave vector of a name; no value for an unknown name. "G", "Gamma", "gamma" and "Γ" are
/// equivalent.
std::optional<Vec3<double>> find_named_wave_vector(const Crystal& crystal, const std::string& name);

/// The wave vector of a name, as find_named_wave_vector.
/// @throws InputError that lists the existing names
Vec3<double> named_wave_vector(const Crystal& crystal, const std::string& name);

}  // namespace larmor::lattice
