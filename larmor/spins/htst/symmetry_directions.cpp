#include "larmor/spins/htst/symmetry_directions.hpp"

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/maths/normal.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {
namespace {

/// The component of `v` orthogonal to orthonormal vectors.
std::vector<double> rest_across(const std::vector<std::vector<double>>& basis,
                                std::vector<double> v) {
  for (const auto& b : basis) {
    const double along = scalar_product(b, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= along * b[i];
  }
  return v;
}

/// Adds the direction of `v` orthogonal to the basis, if this part of `v` is large enough.
/// @return was a direction added?
bool extend(std::vector<std::vector<double>>& basis, const std::vector<double>& v) {
  constexpr double as_good_as_none = 0.03;
  const double whole = length(v);
  std::vector<double> rest = rest_across(basis, v);
  const double left = length(rest);
  if (whole == 0 || left < as_good_as_none * whole) return false;
  for (double& x : rest) x /= left;
  basis.push_back(std::move(rest));
  return true;
}

double share_along(const std::vector<std::vector<double>>& basis, const std::vector<double>& v) {
  double share = 0;
  for (const auto& b : basis) share += std::pow(scalar_product(b, v), 2);
  return share / scalar_product(v, v);
}

/// w x e of every spin e, where w is the unit vector along x, y or z.
SiteVectors turned_about(std::size_t axis, const SiteVectors& spins) {
  const Vec3<double> w{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
  SiteVectors moves(spins.size());
  const std::size_t sites = spins.size() / 3;
  for (std::size_t i = 0; i < sites; ++i) {
    const Vec3<double> v = cross(w, Vec3<double>{spins[i], spins[sites + i], spins[2 * sites + i]});
    moves[i] = v.x;
    moves[sites + i] = v.y;
    moves[2 * sites + i] = v.z;
  }
  return moves;
}

/// Random directions on all sites where `like` has a spin.
SiteVectors random_spins(const SiteVectors& like, std::uint64_t draw) {
  const RandomKey key{2, draw, Stream::perturbation};
  SiteVectors spins(like.size());
  const std::size_t sites = like.size() / 3;
  for (std::size_t i = 0; i < sites; ++i) {
    if (like[i] == 0 && like[sites + i] == 0 && like[2 * sites + i] == 0) continue;
    const Vec3<double> e =
        normalised(normal_vector<double>(philox(key, std::uint64_t{i}, std::uint64_t{0})));
    spins[i] = e.x;
    spins[sites + i] = e.y;
    spins[2 * sites + i] = e.z;
  }
  return spins;
}

/// The axes about which all spins can rotate in any state without a change of energy. Along these
/// axes, the total torque is zero in random states.
/// @return orthonormal columns
Eigen::MatrixXd axes_of_rotation(const Model& model, const SiteVectors& like) {
  constexpr int draws = 4;
  constexpr double rounding = 1e-10;
  Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
  double scale = 0;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const SiteVectors spins = random_spins(like, draw);
    const EnergyExpansion at = expand_energy(model, spins);
    Eigen::Vector3d torque;
    for (std::size_t axis = 0; axis < 3; ++axis)
      torque[static_cast<Eigen::Index>(axis)] =
          scalar_product(at.gradient, at.space.components(turned_about(axis, spins)));
    squares += torque * torque.transpose();
    scale += scalar_product(at.gradient, at.gradient);
  }
  const Eigensystem<Eigen::Matrix3d> solved = eigensystem(squares);
  const Eigen::Index free = (solved.values.array() <= rounding * rounding * scale).count();
  return solved.vectors.leftCols(free);
}

}  // namespace

SymmetryDirections::SymmetryDirections(const Model& model, const lattice::Geometry& geometry,
                                       const SiteVectors& spins, const EnergyExpansion& expansion)
    : model_(&model),
      geometry_(geometry),
      canonical_(model.canonical()),
      storage_(model.storage()),
      spins_(spins) {
  const std::size_t sites = spins.size() / 3;
  double farthest = 0;
  for (std::size_t i = 0; i < sites; ++i) {
    double squared = 0;
    for (std::size_t c = 0; c < 3; ++c)
      squared += std::pow(spins[c * sites + i] - spins[c * sites], 2);
    if (squared > farthest) {
      farthest = squared;
      most_different_site_ = i;
    }
  }
  add_translations(expansion);
  add_rotations(expansion);
  for (const Direction& d : direction_) extend(basis_, d.vector);
}

SiteVectors SymmetryDirections::translated(const std::array<Index, 3>& shift) const {
  SiteVectors moved(spins_.size());
  const std::size_t sites = spins_.size() / 3;
  for (std::size_t i = 0; i < sites; ++i) {
    const std::size_t from = source(i, shift);
    for (std::size_t c = 0; c < 3; ++c) moved[c * sites + i] = spins_[c * sites + from];
  }
  return moved;
}

void SymmetryDirections::add_translations(const EnergyExpansion& expansion) {
  if (!geometry_.is_perfect()) return;
  constexpr double moved_by_rounding = 1e-8;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!geometry_.periodic[d] || geometry_.size[d] < 3) continue;
    std::array<Index, 3> shift{};
    shift[d] = 1;
    SiteVectors turn(spins_.size());
    shortest_turn(spins_, translated(shift), turn, 1);
    const std::vector<double> ahead = expansion.space.components(turn);
    shift[d] = -1;
    shortest_turn(spins_, translated(shift), turn, 1);
    const std::vector<double> back = expansion.space.components(turn);
    std::vector<double> mean(ahead.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (ahead[i] - back[i]) / 2;
    const double step = (length(ahead) + length(back)) / 2;
    // If neighbouring spins are opposite, as in antiferromagnets, the displacements ahead and back
    // are not opposite. Such a state changes too much from one cell to the next.
    if (step < moved_by_rounding || length(mean) < step / 2) continue;
    const double factor = step / length(mean);
    for (double& x : mean) x *= factor;
    direction_.push_back({std::move(mean), false});
  }
}

/// Adds rotations about the axes of the model, independent of the state.
void SymmetryDirections::add_rotations(const EnergyExpansion& expansion) {
  const Eigen::MatrixXd axes = axes_of_rotation(*model_, spins_);
  if (axes.cols() == 0) return;
  std::array<std::vector<double>, 3> about;
  Eigen::Matrix3d lengths;
  for (std::size_t a = 0; a < 3; ++a) {
    about[a] = expansion.space.components(turned_about(a, spins_));
    for (std::size_t b = 0; b <= a; ++b) {
      const auto row = static_cast<Eigen::Index>(a), column = static_cast<Eigen::Index>(b);
      lengths(row, column) = lengths(column, row) = scalar_product(about[a], about[b]);
    }
  }
  // Choose axes whose rotations are orthogonal. If spins are collinear, the rotation about one of
  // these axes moves no spin.
  const Eigensystem<Eigen::MatrixXd> by_length =
      eigensystem(Eigen::MatrixXd(axes.transpose() * lengths * axes));
  const Eigen::MatrixXd chosen = axes * by_length.vectors;
  for (Eigen::Index n = 0; n < chosen.cols(); ++n) {
    constexpr double moved_by_rounding = 1e-8;
    std::vector<double> rotation(about[0].size());
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < rotation.size(); ++i)
        rotation[i] += chosen(static_cast<Eigen::Index>(c), n) * about[c][i];
    if (length(rotation) > moved_by_rounding * std::sqrt(static_cast<double>(rotation.size())))
      direction_.push_back({std::move(rotation), true});
  }
}

double SymmetryDirections::share(const std::vector<double>& vector) const {
  return share_along(basis_, vector);
}

/// Position of the spin that a translation moves to `position`.
std::size_t SymmetryDirections::source(std::size_t position,
                                       const std::array<Index, 3>& shift) const {
  lattice::SiteIndex at = geometry_.decode(canonical_[position]);
  for (std::size_t d = 0; d < 3; ++d)
    at.cell[d] = (at.cell[d] + shift[d] + geometry_.size[d]) % geometry_.size[d];
  return static_cast<std::size_t>(storage_[static_cast<std::size_t>(
      geometry_.site(at.basis, at.cell[0], at.cell[1], at.cell[2]))]);
}

bool SymmetryDirections::is_same_after(const std::array<Index, 3>& shift) const {
  constexpr double same = 1e-6;
  const std::size_t sites = spins_.size() / 3;
  const auto moves = [&](std::size_t i) {
    const std::size_t from = source(i, shift);
    for (std::size_t c = 0; c < 3; ++c)
      if (std::abs(spins_[c * sites + i] - spins_[c * sites + from]) > same) return true;
    return false;
  };
  // Compare first at the site that differs most from the first site. For a texture in a uniform
  // background, most translations change the spin of this site.
  if (moves(most_different_site_)) return false;
  for (std::size_t i = 0; i < sites; ++i)
    if (moves(i)) return false;
  return true;
}

/// Number of distinct translates of the state, with the state itself.
Index SymmetryDirections::copies() const {
  if (!geometry_.is_perfect()) return 1;
  std::array<Index, 3> period{1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!geometry_.periodic[d]) continue;
    std::array<Index, 3> shift{};
    for (shift[d] = 1; shift[d] < geometry_.size[d] && !is_same_after(shift);) ++shift[d];
    period[d] = shift[d];
  }
  Index same = 0;
  for (Index z = 0; z < period[2]; ++z)
    for (Index y = 0; y < period[1]; ++y)
      for (Index x = 0; x < period[0]; ++x)
        if (is_same_after({x, y, z})) ++same;
  return period[0] * period[1] * period[2] / same;
}

SymmetryDirections::Valley SymmetryDirections::valley(const std::vector<Mode>& zero_modes) const {
  std::vector<std::vector<double>> zero, basis;
  for (const Mode& mode : zero_modes) zero.push_back(mode.vector);
  std::vector<const Direction*> chosen;
  Valley valley;
  for (const Direction& direction : direction_) {
    constexpr double mostly = 0.5;
    if (share_along(zero, direction.vector) < mostly) continue;
    if (!extend(basis, direction.vector)) continue;
    chosen.push_back(&direction);
    ++(direction.is_rotation ? valley.rotations : valley.translations);
  }
  valley.log_volume = std::log(static_cast<double>(copies()));
  // The volume of no rotation, of all angles about one axis, of all directions, and of all
  // rotations.
  constexpr double pi = std::numbers::pi;
  constexpr std::array<double, 4> of_rotations{1, 2 * pi, 4 * pi, 8 * pi * pi};
  valley.log_volume += std::log(of_rotations[static_cast<std::size_t>(valley.rotations)]);
  const auto k = static_cast<Eigen::Index>(chosen.size());
  if (k == 0) return valley;
  Eigen::MatrixXd gram(k, k);
  for (Eigen::Index a = 0; a < k; ++a)
    for (Eigen::Index b = 0; b < k; ++b)
      gram(a, b) = scalar_product(chosen[static_cast<std::size_t>(a)]->vector,
                                  chosen[static_cast<std::size_t>(b)]->vector);
  valley.log_volume += std::log(determinant(gram)) / 2;
  return valley;
}

}  // namespace larmor::spins
