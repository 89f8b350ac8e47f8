#include "larmor/evaluation/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/evaluation/gpu_evaluator.hpp"
#endif

namespace larmor::evaluation {
namespace {

using atoms::NeighbourRows;
using io::AtomFrame;

class CpuEvaluator : public Evaluator {
 public:
  CpuEvaluator(int threads, const OverlaidPotential& potential, bool with_bispectrum)
      : threads_(threads), potential_(potential), with_bispectrum_(with_bispectrum) {}

  Index atoms_of_batch() const override {
    constexpr Index atoms_of_thread = 512;
    return atoms_of_thread * threads_;
  }

  std::vector<Evaluated> evaluate(std::span<const AtomFrame> frames) override {
    std::vector<Evaluated> found(frames.size());
    std::vector<std::exception_ptr> failure(frames.size());
    const auto evaluate_one = [&](Index n) {
      const auto frame = static_cast<std::size_t>(n);
      try {
        found[frame] = evaluation::evaluate(potential_, frames[frame], with_bispectrum_);
      } catch (...) {
        failure[frame] = std::current_exception();
      }
    };
    const auto count = static_cast<Index>(frames.size());
    // If there are fewer structures than threads, all threads share one structure after the other.
    if (count < threads_)
      for (Index n = 0; n < count; ++n) evaluate_one(n);
    else
      parallel_for(threads_, count, evaluate_one);
    for (const std::exception_ptr& error : failure)
      if (error) std::rethrow_exception(error);
    return found;
  }

 private:
  int threads_;
  const OverlaidPotential& potential_;
  bool with_bispectrum_;
};

}  // namespace

std::vector<std::int32_t> kinds_of(const OverlaidPotential& potential, const AtomFrame& frame) {
  const std::vector<std::string>& known = potential.elements();
  std::vector<std::int32_t> number;
  for (const std::string& name : frame.atoms.species) {
    const auto found = std::find(known.begin(), known.end(), name);
    number.push_back(static_cast<std::int32_t>(found - known.begin()));
    if (found != known.end()) continue;
    const auto kind = static_cast<std::int32_t>(number.size()) - 1;
    const auto first = std::find(frame.atoms.types.begin(), frame.atoms.types.end(), kind);
    if (first == frame.atoms.types.end()) continue;  // POSCAR may have a count of 0 for an element.
    throw InputError("the potential has no element '" + name + "'",
                     frame.where_atom(first - frame.atoms.types.begin()),
                     hint_and_list(name, known));
  }
  std::vector<std::int32_t> kinds;
  for (const std::int32_t kind : frame.atoms.types)
    kinds.push_back(number[static_cast<std::size_t>(kind)]);
  return kinds;
}

NeighbourRows neighbours_of(const AtomFrame& frame, double cutoff) {
  return with_position(frame.where_box, [&] {
    try {
      return atoms::find_neighbours(frame.atoms.box, frame.atoms.positions, cutoff);
    } catch (const atoms::CoincidentAtoms& pair) {
      const auto [first, second] = std::minmax(pair.first, pair.second, [&](Index a, Index b) {
        return frame.where_atom(a).line < frame.where_atom(b).line;
      });
      throw InputError("the atom has the position of the atom on line " +
                           std::to_string(frame.where_atom(first).line),
                       frame.where_atom(second),
                       "remove one of the two atoms; periodic images count as one position");
    }
  });
}

void require_finite(const AtomFrame& frame, const Evaluated& found) {
  for (std::size_t i = 0; i < found.energies.size(); ++i) {
    const Vec3<double>& f = found.forces[i];
    if (std::isfinite(found.energies[i]) && std::isfinite(f.x + f.y + f.z)) continue;
    throw UnphysicalError(frame.where.file + ":" + std::to_string(frame.line[i]) +
                          ": the energy of the atom or the force on it is not a finite number");
  }
}

Evaluated evaluate(const OverlaidPotential& potential, const AtomFrame& frame,
                   bool with_bispectrum) {
  const std::vector<std::int32_t> kinds = kinds_of(potential, frame);
  const NeighbourRows rows = neighbours_of(frame, potential.cutoff());
  const atoms::PairGradients pairs = potential.evaluate(rows, kinds);
  Evaluated found;
  found.energy = atoms::total(pairs.energy);
  found.energies = pairs.energy;
  found.forces = atoms::forces(rows, pairs.gradient);
  found.virial = atoms::total(atoms::virials(rows, pairs.gradient));
  require_finite(frame, found);
  if (with_bispectrum) found.bispectrum = potential.snap().bispectrum(rows, kinds);
  return found;
}

std::unique_ptr<Evaluator> evaluator_on(const Device& device, const OverlaidPotential& potential,
                                        bool with_bispectrum) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return std::make_unique<GpuEvaluator>(device, potential, with_bispectrum);
#endif
  require_cpu(device);
  if (device.precision != Precision::double_numbers)
    throw InputError("potentials on a CPU need double precision",
                     "use double precision, or a GPU (--backend cuda)");
  return std::make_unique<CpuEvaluator>(device.threads, potential, with_bispectrum);
}

}  // namespace larmor::evaluation
