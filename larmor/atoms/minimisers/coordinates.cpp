#include "larmor/atoms/minimisers/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/atoms/integrators/pressure_bath.hpp"
#include "larmor/atoms/system/replica_sums.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {
namespace {

constexpr double largest_strain = 0.05;
/// If the volume grows by more than this factor, the structure is not a solid or liquid.
constexpr double largest_growth = 1000;

Mat3<double> inverse_transposed(const Mat3<double>& m) {
  const auto& [a, b, c] = m.row;
  return (1 / dot(a, cross(b, c))) * Mat3<double>{{cross(b, c), cross(c, a), cross(a, b)}};
}

double largest_element(const Mat3<double>& m) {
  double largest = 0;
  for (const Vec3<double>& v : m.row)
    largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return largest;
}

}  // namespace

Coordinates::Coordinates(const AtomLayout& layout, const std::optional<BoxRelaxation>& box,
                         int threads)
    : box_(box),
      threads_(threads),
      first_vectors_(static_cast<std::size_t>(layout.replicas())),
      scale_(first_vectors_.size()) {
  if (!box_) return;
  if (box_->pressure.size() != scale_.size())
    throw InternalError("the relaxation of boxes needs a pressure for each replica");
  for (const double P : box_->pressure)
    if (!std::isfinite(P))
      throw InputError("the pressure of a box that relaxes is " + number_text(P),
                       "give a finite number");
  if (!(box_->tolerance > 0))
    throw InputError("the tolerance of the pressure is " + number_text(box_->tolerance),
                     "give a positive number");
}

void Coordinates::start(const AtomState& state, JointVector& x) {
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    const Box& box = state.box[r];
    if (box_ && box.periodic != std::array{true, true, true})
      throw InputError("only boxes that are periodic in all directions can relax",
                       "keep the box of an open structure as it is");
    first_vectors_[r] = box.vectors;
    scale_[r] =
        std::cbrt(box.volume()) * std::sqrt(static_cast<double>(state.layout.atoms_of(replica)));
    x.box[r] = {};
  }
  for_each_atom(state.layout, threads_, [&](Index, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    x.atom[i] = state.position[i];
  });
}

void Coordinates::place(const JointVector& x, AtomState& state) const {
  std::vector<Mat3<double>> F;
  for (std::size_t r = 0; r < state.box.size(); ++r) {
    F.push_back(deformation(x, r));
    for (std::size_t d = 0; d < 3; ++d) state.box[r].vectors[d] = F[r] * first_vectors_[r][d];
    const auto& [a, b, c] = first_vectors_[r];
    const double growth = state.box[r].volume() / std::abs(dot(a, cross(b, c)));
    if (growth > largest_growth)
      throw UnphysicalError(
          "the box of replica " +
          std::to_string(state.layout.first_replica() + static_cast<std::uint64_t>(r)) +
          " has grown to " + number_text(growth) +
          " times its volume: at this pressure the enthalpy has no minimum");
  }
  for_each_atom(state.layout, threads_, [&](Index replica, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    state.position[i] = F[static_cast<std::size_t>(replica)] * x.atom[i];
  });
}

void Coordinates::forces(const AtomState& state, const JointVector& x, JointVector& forces) const {
  std::vector<Mat3<double>> transposed;
  for (std::size_t r = 0; r < state.box.size(); ++r) {
    const Mat3<double> F = deformation(x, r);
    transposed.push_back(F.transposed());
    if (!box_) continue;
    const double PV = box_->pressure[r] * state.box[r].volume();
    const Mat3<double> slope =
        product(matrix_of(state.virial[r]) + multiple_of_unit(-PV), inverse_transposed(F));
    forces.box[r] = (1 / scale_[r]) * allowed_part(0.5 * (slope + slope.transposed()), box_->shape);
  }
  for_each_atom(state.layout, threads_, [&](Index replica, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    forces.atom[i] = transposed[static_cast<std::size_t>(replica)] * state.force[i];
  });
}

std::vector<double> Coordinates::enthalpies(const AtomState& state) const {
  std::vector<double> enthalpies;
  for (std::size_t r = 0; r < state.box.size(); ++r)
    enthalpies.push_back(state.energy[r] +
                         (box_ ? box_->pressure[r] * state.box[r].volume() : 0.0));
  return enthalpies;
}

std::vector<double> Coordinates::largest_forces(const AtomState& state) const {
  return largest_of_atoms(state.layout, state.force, threads_);
}

std::vector<double> Coordinates::pressure_excesses(const AtomState& state) const {
  std::vector<double> excesses(state.box.size());
  if (!box_) return excesses;
  for (std::size_t r = 0; r < excesses.size(); ++r) {
    const double volume = state.box[r].volume();
    const Mat3<double> excess =
        matrix_of(state.virial[r]) + multiple_of_unit(-box_->pressure[r] * volume);
    excesses[r] = largest_element(allowed_part(excess, box_->shape)) / volume;
  }
  return excesses;
}

std::vector<double> Coordinates::longest_steps(const AtomLayout& layout,
                                               const JointVector& direction,
                                               double distance) const {
  std::vector<double> longest;
  const std::vector<double> largest = largest_of_atoms(layout, direction.atom, threads_);
  for (std::size_t r = 0; r < largest.size(); ++r) {
    const double strain = frobenius_norm(direction.box[r]) / scale_[r];
    longest.push_back(std::min(distance / largest[r], largest_strain / strain));
  }
  return longest;
}

void Coordinates::save(std::vector<double>& out, std::size_t replica) const {
  for (const Vec3<double>& v : first_vectors_[replica]) save_numbers(out, {v.x, v.y, v.z});
  save_numbers(out, {scale_[replica]});
}

void Coordinates::load(std::span<const double>& saved, std::size_t replica) {
  for (Vec3<double>& v : first_vectors_[replica]) {
    const std::span<const double> numbers = take_numbers(saved, 3);
    v = {numbers[0], numbers[1], numbers[2]};
  }
  scale_[replica] = take_number(saved);
}

Mat3<double> Coordinates::deformation(const JointVector& x, std::size_t replica) const {
  return multiple_of_unit(1) + (1 / scale_[replica]) * x.box[replica];
}

}  // namespace larmor::atoms
