#if defined(LARMOR_HAS_CUDA)

#include "larmor/evaluation/gpu_evaluator.hpp"

#include "larmor/core/device/cuda_backend.hpp"

namespace larmor::evaluation {
namespace {

using atoms::AtomState;
using io::AtomFrame;

/// A state in which each frame is a replica. Its masses have no effect, because nothing moves.
AtomState state_of(const OverlaidPotential& potential, std::span<const AtomFrame> frames,
                   const Device& device) {
  std::vector<atoms::Structure> structures;
  for (const AtomFrame& frame : frames)
    structures.push_back({frame.atoms.box, frame.atoms.positions, kinds_of(potential, frame)});
  const std::vector<double> masses(potential.elements().size(), 1);
  return {atoms::AtomUnits::material(), masses, structures, 0, device};
}

/// Numbers of the atoms [first, first + count), `width` for each atom.
template <class T>
std::vector<T> rows_of(const std::vector<T>& numbers, Index first, Index count, Index width = 1) {
  const auto begin = numbers.begin() + first * width;
  return {begin, begin + count * width};
}

}  // namespace

GpuEvaluator::GpuEvaluator(const Device& device, const OverlaidPotential& potential,
                           bool with_bispectrum)
    : device_(device), potential_(potential), with_bispectrum_(with_bispectrum) {
  std::vector<std::unique_ptr<atoms::GpuPotential>> terms;
  snap_ = &potential.add_to(terms, potential.kinds(), device);
  field_ = std::make_unique<atoms::GpuForceField>(std::move(terms), 0.0);
}

void GpuEvaluator::find_forces(AtomState& state, std::span<const AtomFrame> frames) {
  try {
    do {
      field_->evaluate(state);
    } while (!field_->complete_steps(state));
  } catch (const UnphysicalError&) {
    // The CPU finds the error of the GPU again, and names the line of the file.
    for (const AtomFrame& frame : frames) neighbours_of(frame, potential_.cutoff());
    throw;
  }
}

std::vector<double> GpuEvaluator::bispectrum_of(const AtomState& state) {
  atoms::AtomArray<double> components(device_, state.layout.atoms() * snap_->components());
  snap_->bispectrum(field_->rows(), state.type.data(), components.data(),
                    cuda::stream(device_.ordinal));
  return components.to_host();
}

std::vector<Evaluated> GpuEvaluator::evaluate(std::span<const AtomFrame> frames) {
  AtomState state = state_of(potential_, frames, device_);
  find_forces(state, frames);
  const std::vector<double> energies = field_->energies().to_host();
  const std::vector<Vec3<double>> forces = state.force.to_host();
  const std::vector<double> energy = state.energy.to_host();
  const std::vector<atoms::SymmetricTensor> virial = state.virial.to_host();
  const std::vector<double> bispectrum =
      with_bispectrum_ ? bispectrum_of(state) : std::vector<double>();
  std::vector<Evaluated> found;
  for (std::size_t n = 0; n < frames.size(); ++n) {
    const auto replica = static_cast<Index>(n);
    const Index first = state.layout.first(replica), count = state.layout.atoms_of(replica);
    found.push_back(
        {energy[n], rows_of(energies, first, count), rows_of(forces, first, count), virial[n], {}});
    require_finite(frames[n], found.back());
    if (with_bispectrum_)
      found.back().bispectrum = rows_of(bispectrum, first, count, snap_->components());
  }
  return found;
}

}  // namespace larmor::evaluation

#endif
