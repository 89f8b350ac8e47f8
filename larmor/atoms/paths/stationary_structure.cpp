#include "larmor/atoms/paths/stationary_structure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "larmor/atoms/minimisers/joint_vectors.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/core/saved_numbers.hpp"

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

ModeSystem modes_of(const HessianByDifferences& hessian, const AtomState& state,
                    const std::vector<Vec3<double>>& positions, const std::string& what) {
  ModeSystem found;
  found.weights = weights_of(state);
  const Index size = found.weights.size();
  const std::vector<double> H = hessian.matrix();
  Eigen::MatrixXd D = Eigen::Map<const Eigen::MatrixXd>(H.data(), size, size);
  const Eigen::VectorXd inverse = found.weights.cwiseInverse();
  D = inverse.asDiagonal() * D * inverse.asDiagonal();
  const RigidMotions rigid = rigid_motions(state.box[0], positions, found.weights);
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

struct StationarySearch::Progress {
  StationaryStructure structure;  ///< its modes are set at the end
  std::string what;
  std::optional<HessianByDifferences> hessian;  ///< while it is computed
  ModeSystem system;
  bool is_evaluated = false;
  bool are_modes_of_positions = false;  ///< or of an earlier step
  bool done = false;

  void evaluate(const Surface& one) {
    std::ranges::copy(structure.positions, one.state.position.begin());
    one.field.evaluate(one.state);
    structure.energy = one.state.energy[0];
    structure.largest_force = largest_of_atoms(one.state.layout, one.state.force, 1)[0];
    is_evaluated = true;
  }
  void begin_hessian() { hessian.emplace(structure.positions); }
  void advance_hessian(const Surface& copies) {
    hessian->advance(copies);
    if (!hessian->done()) return;
    system = modes_of(*hessian, copies.state, structure.positions, what);
    hessian.reset();
    are_modes_of_positions = true;
  }
  void step(const Surface& one) {
    const double before = structure.largest_force;
    const Eigen::Map<const Eigen::VectorXd> forces(&one.state.force[0].x, system.weights.size());
    make_step(structure.positions, system.newton_step(forces));
    evaluate(one);
    ++structure.steps;
    are_modes_of_positions = false;
    const double now = structure.largest_force;
    if (now > fine_force && now > slow_convergence * before) begin_hessian();
  }
  void require_progress() const {
    if (structure.steps < most_steps) return;
    throw UnphysicalError(what + " is too far from a stationary structure: forces of " +
                          number_text(structure.largest_force) + " eV/Angstrom remain after " +
                          std::to_string(structure.steps) + " steps of Newton's method");
  }
};

StationarySearch::StationarySearch(std::vector<Vec3<double>> positions, std::string what)
    : progress_(std::make_unique<Progress>()) {
  progress_->structure.positions = std::move(positions);
  progress_->what = std::move(what);
  progress_->begin_hessian();
}
StationarySearch::StationarySearch(StationarySearch&&) noexcept = default;
StationarySearch::~StationarySearch() = default;

void StationarySearch::advance(const Surface& one, const Surface& copies) {
  Progress& progress = *progress_;
  if (!progress.is_evaluated) progress.evaluate(one);
  if (progress.hessian) return progress.advance_hessian(copies);
  if (progress.structure.largest_force > fine_force) {
    progress.require_progress();
    return progress.step(one);
  }
  if (!progress.are_modes_of_positions) return progress.begin_hessian();
  progress.structure.modes = progress.system.modes;
  progress.done = true;
}

bool StationarySearch::done() const { return progress_->done; }

StationaryStructure StationarySearch::found() const { return progress_->structure; }

StationaryStructure find_stationary_structure(const Surface& one, const Surface& copies,
                                              std::vector<Vec3<double>> positions,
                                              const std::string& what) {
  StationarySearch search(std::move(positions), what);
  while (!search.done()) search.advance(one, copies);
  return search.found();
}

std::vector<double> saved(const StationaryStructure& structure) {
  std::vector<double> out = flattened(structure.positions);
  const NormalModes& modes = structure.modes;
  save_numbers(out,
               {structure.energy, structure.largest_force, static_cast<double>(structure.steps),
                static_cast<double>(modes.rigid_motions), modes.log_volume});
  save_numbers(out, modes.lowest);
  save_numbers(out, modes.squared_frequency);
  return out;
}

StationaryStructure loaded(std::span<const double> saved, Index atoms) {
  StationaryStructure structure{};
  for (Index i = 0; i < atoms; ++i) {
    const std::span<const double> r = take_numbers(saved, 3);
    structure.positions.push_back({r[0], r[1], r[2]});
  }
  NormalModes& modes = structure.modes;
  for (double* number : {&structure.energy, &structure.largest_force}) *number = take_number(saved);
  for (Index* number : {&structure.steps, &modes.rigid_motions})
    *number = static_cast<Index>(take_number(saved));
  modes.log_volume = take_number(saved);
  modes.lowest.resize(static_cast<std::size_t>(3 * atoms));
  take_into(saved, modes.lowest);
  modes.squared_frequency.assign(saved.begin(), saved.end());
  return structure;
}

double stationary_bytes(Index atoms) {
  // The columns of the Hessian, the Hessian, D, and three copies of the eigenvectors.
  constexpr double matrices = 6;
  const double size = 3 * static_cast<double>(atoms);
  return matrices * 8 * size * size;
}

}  // namespace larmor::atoms
