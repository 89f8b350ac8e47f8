#include "larmor/atoms/paths/stationary_structure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/atoms/minimisers/joint_vectors.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::atoms {
namespace {

/// Forces of a stationary structure, eV/Angstrom.
constexpr double fine_force = 1e-8;
constexpr Index most_steps = 30;
/// If a step leaves a larger share of the force, the Hessian is computed again.
constexpr double slow_convergence = 0.1;
/// Longest displacement of an atom in a step, Angstrom.
constexpr double longest_step = 0.1;
/// Below this share of the largest w^2, a mode costs no energy beyond errors of the Hessian.
constexpr double no_energy = 1e-8;
/// A rotation counts if the part of it that is orthogonal to other rigid motions is a larger share.
/// For a linear molecule, one rotation does not count.
constexpr double same_motion = 1e-8;

/// Square roots of the masses. [3 atoms]
Eigen::VectorXd weights_of(const AtomState& state) {
  Eigen::VectorXd weights(3 * state.layout.atoms_of(0));
  for (Index i = 0; i < weights.size(); ++i) weights[i] = std::sqrt(state.mass(i / 3));
  return weights;
}

/// Displacements of all atoms by rigid motions that keep the energy.
std::vector<Eigen::VectorXd> rigid_displacements(const Box& box,
                                                 const std::vector<Vec3<double>>& positions) {
  const std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const auto motion = [&](const auto& of_atom) {
    Eigen::VectorXd moves(3 * static_cast<Index>(positions.size()));
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Vec3<double> v = of_atom(positions[i]);
      moves.segment<3>(3 * static_cast<Index>(i)) = Eigen::Vector3d(v.x, v.y, v.z);
    }
    return moves;
  };
  std::vector<Eigen::VectorXd> motions;
  for (const Vec3<double>& axis : axes)
    motions.push_back(motion([&](const Vec3<double>&) { return axis; }));
  // A rotation about the vector of the box that is not open keeps the periodic images in place.
  const std::array<bool, 3>& periodic = box.periodic;
  const auto open = std::count(periodic.begin(), periodic.end(), false);
  for (std::size_t d = 0; d < 3; ++d) {
    if (open < 2 || (open == 2 && !periodic[d])) continue;
    const Vec3<double> axis = open == 3 ? axes[d] : (1 / length(box.vectors[d])) * box.vectors[d];
    motions.push_back(motion([&](const Vec3<double>& r) { return cross(axis, r - positions[0]); }));
  }
  return motions;
}

/// Rigid motions in weighted coordinates, made orthonormal.
struct RigidMotions {
  std::vector<Eigen::VectorXd> directions;
  double log_volume = 0;
};

RigidMotions rigid_motions(const Box& box, const std::vector<Vec3<double>>& positions,
                           const Eigen::VectorXd& weights) {
  RigidMotions rigid;
  for (const Eigen::VectorXd& motion : rigid_displacements(box, positions)) {
    Eigen::VectorXd direction = weights.cwiseProduct(motion);
    const double before = direction.norm();
    // The second pass removes the rounding errors of the first.
    for (int pass = 0; pass < 2; ++pass)
      for (const Eigen::VectorXd& other : rigid.directions)
        direction -= other.dot(direction) * other;
    const double left = direction.norm();
    if (!(left > same_motion * before)) continue;
    rigid.log_volume += std::log(left);
    rigid.directions.push_back(direction / left);
  }
  return rigid;
}

/// The modes with all of their vectors.
struct ModeSystem {
  NormalModes modes;
  Eigen::MatrixXd vectors;  ///< all modes, in weighted coordinates, without rigid motions
  Eigen::VectorXd weights;

  /// The displacements of Newton's method, from the forces. [3 atoms]
  Eigen::VectorXd newton_step(const Eigen::VectorXd& forces) const {
    Eigen::VectorXd parts = vectors.transpose() * forces.cwiseQuotient(weights);
    for (Index n = 0; n < parts.size(); ++n)
      parts[n] /= modes.squared_frequency[static_cast<std::size_t>(n)];
    return (vectors * parts).cwiseQuotient(weights);
  }
};

ModeSystem modes_at(const Surface& copies, const std::vector<Vec3<double>>& positions,
                    const std::string& what) {
  ModeSystem found;
  found.weights = weights_of(copies.state);
  const Index size = found.weights.size();
  const std::vector<double> H = hessian(copies, positions);
  Eigen::MatrixXd D = Eigen::Map<const Eigen::MatrixXd>(H.data(), size, size);
  const Eigen::VectorXd inverse = found.weights.cwiseInverse();
  D = inverse.asDiagonal() * D * inverse.asDiagonal();
  const RigidMotions rigid = rigid_motions(copies.state.box[0], positions, found.weights);
  // Rigid motions get eigenvalues above all others, so the last eigenvectors are theirs.
  const double above = 2 * D.cwiseAbs().rowwise().sum().maxCoeff();
  for (const Eigen::VectorXd& u : rigid.directions) {
    const Eigen::VectorXd Du = D * u;
    const double uDu = u.dot(Du);
    D -= Du * u.transpose() + u * Du.transpose() - (uDu + above) * (u * u.transpose());
  }
  const Eigensystem<Eigen::MatrixXd> system = eigensystem(D);
  if (!system.converged) throw UnphysicalError("the normal modes of " + what + " are not finite");
  const Index count = size - static_cast<Index>(rigid.directions.size());
  found.vectors = system.vectors.leftCols(count);
  NormalModes& modes = found.modes;
  modes.squared_frequency.assign(system.values.data(), system.values.data() + count);
  modes.rigid_motions = static_cast<Index>(rigid.directions.size());
  modes.log_volume = rigid.log_volume;
  if (count == 0) throw UnphysicalError(what + " has no modes: a single atom moves rigidly");
  const Eigen::VectorXd lowest = found.vectors.col(0).cwiseQuotient(found.weights).normalized();
  modes.lowest.assign(lowest.data(), lowest.data() + size);
  const double largest =
      std::max(std::abs(modes.squared_frequency.front()), std::abs(modes.squared_frequency.back()));
  for (const double w2 : modes.squared_frequency)
    if (!(std::abs(w2) > no_energy * largest))
      throw UnphysicalError(what +
                            " has a mode that costs no energy: harmonic theory does not apply");
  return found;
}

void evaluate(const Surface& one, const std::vector<Vec3<double>>& positions) {
  std::ranges::copy(positions, one.state.position.begin());
  one.field.evaluate(one.state);
}

void make_step(std::vector<Vec3<double>>& positions, const Eigen::VectorXd& step) {
  double longest = 0;
  for (Index i = 0; i < step.size(); i += 3) longest = std::max(longest, step.segment<3>(i).norm());
  const double share = std::min(1.0, longest_step / longest);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Eigen::Vector3d move = share * step.segment<3>(3 * static_cast<Index>(i));
    positions[i] += Vec3<double>{move.x(), move.y(), move.z()};
  }
}

}  // namespace

Index NormalModes::unstable() const {
  return std::ranges::count_if(squared_frequency, [](double w2) { return w2 < 0; });
}

double NormalModes::log_determinant() const {
  double sum = 0;
  for (const double w2 : squared_frequency) sum += std::log(std::abs(w2));
  return sum;
}

std::vector<double> NormalModes::frequencies() const {
  std::vector<double> frequencies;
  for (const double w2 : squared_frequency)
    frequencies.push_back(std::copysign(std::sqrt(std::abs(w2)), w2) / (2 * std::numbers::pi));
  return frequencies;
}

StationaryStructure find_stationary_structure(const Surface& one, const Surface& copies,
                                              std::vector<Vec3<double>> positions,
                                              const std::string& what) {
  const auto largest_force = [&] {
    return largest_of_atoms(one.state.layout, one.state.force, 1)[0];
  };
  evaluate(one, positions);
  double force = largest_force();
  ModeSystem system = modes_at(copies, positions, what);
  Index steps = 0;
  bool are_modes_of_positions = true;
  while (force > fine_force && steps < most_steps) {
    const Eigen::Map<const Eigen::VectorXd> forces(&one.state.force[0].x, system.weights.size());
    make_step(positions, system.newton_step(forces));
    evaluate(one, positions);
    ++steps;
    const double now = largest_force();
    are_modes_of_positions = now > fine_force && now > slow_convergence * force;
    if (are_modes_of_positions) system = modes_at(copies, positions, what);
    force = now;
  }
  if (!(force <= fine_force))
    throw UnphysicalError(what + " is too far from a stationary structure: forces of " +
                          number_text(force) + " eV/Angstrom remain after " +
                          std::to_string(steps) + " steps of Newton's method");
  if (!are_modes_of_positions) system = modes_at(copies, positions, what);
  return {std::move(positions), one.state.energy[0], force, steps, std::move(system.modes)};
}

double stationary_bytes(Index atoms) {
  // The Hessian, the matrix D, and its eigenvectors with the copy of Eigen.
  constexpr double matrices = 5;
  const double size = 3 * static_cast<double>(atoms);
  return matrices * 8 * size * size;
}

}  // namespace larmor::atoms
