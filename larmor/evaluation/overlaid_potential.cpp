#include "larmor/evaluation/overlaid_potential.hpp"

#include <algorithm>
#include <numeric>

#include "larmor/atoms/cell/elements.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/atoms/forces/gpu_force_field.hpp"
#include "larmor/atoms/potentials/zbl/gpu_zbl.hpp"
#endif
#include "larmor/core/error.hpp"
#include "larmor/io/potentials/lammps_script.hpp"
#include "larmor/io/potentials/snap_files.hpp"

namespace larmor::evaluation {
namespace {

double nuclear_charge(const std::string& element) {
  const atoms::Element* found = atoms::find_element(element);
  if (found == nullptr)
    throw InputError(
        "'" + element + "' is not a chemical element, so its nuclear charge for ZBL is unknown",
        "give the charges in an include file of LAMMPS, and name this file with --potential");
  return found->Z;
}

/// Adds suffixes to the prefix, and looks for missing files in LAMMPS's folder of potentials.
PotentialChoice with_paths(PotentialChoice choice) {
  if (!choice.prefix.empty()) {
    choice.coefficients = choice.prefix + ".snapcoeff";
    choice.parameters = choice.prefix + ".snapparam";
  }
  for (std::string* file : {&choice.script, &choice.coefficients, &choice.parameters})
    if (!file->empty()) *file = io::potential_file("", *file);
  return choice;
}

/// The contents of the include file of LAMMPS, or equivalent contents from the other options.
io::LammpsPotential named(const PotentialChoice& choice) {
  if (!choice.script.empty()) return io::read_lammps_potential(choice.script);
  io::LammpsPotential potential{choice.coefficients, choice.parameters, {}, {}};
  potential.elements = io::read_snap_elements(potential.coefficients);
  if (!choice.zbl) return potential;
  potential.zbl = io::LammpsPotential::Repulsion{(*choice.zbl)[0], (*choice.zbl)[1], {}};
  const auto count = static_cast<std::int32_t>(potential.elements.size());
  for (std::int32_t i = 0; i < count; ++i)
    for (std::int32_t j = 0; j < count; ++j)
      potential.zbl->pairs.push_back(
          {i, j, nuclear_charge(potential.elements[static_cast<std::size_t>(i)]),
           nuclear_charge(potential.elements[static_cast<std::size_t>(j)])});
  return potential;
}

}  // namespace

OverlaidPotential::OverlaidPotential(const PotentialChoice& given, const Device& device) {
  const PotentialChoice choice = with_paths(given);
  const io::LammpsPotential potential = named(choice);
  types_ = potential.elements;
  files_ = {potential.coefficients, potential.parameters};
  if (!choice.script.empty()) files_.push_back(choice.script);
  std::vector<std::int32_t> kind_of_type;
  for (const std::string& element : types_) {
    const auto found = std::find(elements_.begin(), elements_.end(), element);
    kind_of_type.push_back(static_cast<std::int32_t>(found - elements_.begin()));
    if (found == elements_.end()) elements_.push_back(element);
  }
  snap_ = std::make_unique<atoms::snap::Snap>(
      io::read_snap(potential.coefficients, potential.parameters, elements_),
      atoms::snap::Method::generators, device);
  if (!potential.zbl) return;
  std::vector<atoms::Zbl::Nuclei> pairs = potential.zbl->pairs;
  for (atoms::Zbl::Nuclei& pair : pairs)
    for (std::int32_t* type : {&pair.type_i, &pair.type_j})
      *type = kind_of_type[static_cast<std::size_t>(*type)];
  zbl_.emplace(potential.zbl->inner, potential.zbl->outer,
               static_cast<std::int32_t>(elements_.size()), pairs);
}

OverlaidPotential::OverlaidPotential(const atoms::snap::SnapPotential& snap,
                                     std::optional<atoms::Zbl> zbl, const Device& device)
    : snap_(std::make_unique<atoms::snap::Snap>(snap, atoms::snap::Method::generators, device)),
      zbl_(std::move(zbl)) {
  for (const atoms::snap::SnapElement& element : snap.elements) elements_.push_back(element.name);
  types_ = elements_;
}

std::vector<std::int32_t> OverlaidPotential::kinds() const {
  std::vector<std::int32_t> kinds(elements_.size());
  std::iota(kinds.begin(), kinds.end(), 0);
  return kinds;
}

double OverlaidPotential::cutoff() const {
  return zbl_ ? std::max(snap_->cutoff(), zbl_->cutoff()) : snap_->cutoff();
}

atoms::PairGradients OverlaidPotential::evaluate(const atoms::NeighbourRows& rows,
                                                 std::span<const std::int32_t> kinds) const {
  atoms::PairGradients sum = snap_->evaluate(rows, kinds);
  if (zbl_) sum.add(zbl_->evaluate(rows, kinds));
  return sum;
}

#if defined(LARMOR_HAS_CUDA)
atoms::snap::GpuSnap& OverlaidPotential::add_to(
    std::vector<std::unique_ptr<atoms::GpuPotential>>& terms,
    std::span<const std::int32_t> kind_of_type, const Device& device) const {
  auto snap = std::make_unique<atoms::snap::GpuSnap>(snap_->potential(), kind_of_type, device);
  atoms::snap::GpuSnap& added = *snap;
  terms.push_back(std::move(snap));
  if (zbl_) terms.push_back(std::make_unique<atoms::GpuZbl>(zbl_->of_types(kind_of_type), device));
  return added;
}
#endif

std::unique_ptr<atoms::ForceField> force_field_of(
    std::unique_ptr<const OverlaidPotential> potential, double skin, const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) {
    std::vector<std::unique_ptr<atoms::GpuPotential>> terms;
    potential->add_to(terms, potential->kinds(), device);
    return std::make_unique<atoms::GpuForceField>(std::move(terms), skin);
  }
#endif
  std::vector<std::unique_ptr<const atoms::Potential>> terms;
  terms.push_back(std::move(potential));
  return std::make_unique<atoms::PotentialForces>(std::move(terms), skin, device.threads);
}

}  // namespace larmor::evaluation
