#pragma once
// What a potential says of structures, on a CPU or a GPU.

#include <memory>
#include <span>

#include "larmor/evaluation/overlaid_potential.hpp"
#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::evaluation {

struct Evaluated {
  double energy = 0;                 ///< of all atoms, eV
  std::vector<double> energies;      ///< eV [atoms]
  std::vector<Vec3<double>> forces;  ///< eV/Angstrom [atoms]
  atoms::SymmetricTensor virial{};   ///< W = -dE/d(strain), eV
  std::vector<double> bispectrum;    ///< [atoms, components], where it is asked for
};

/// Numbers of the elements in the potential [atoms].
/// @throws InputError for an element that the potential lacks, naming file and line
std::vector<std::int32_t> kinds_of(const OverlaidPotential& potential, const io::AtomFrame& frame);

/// @throws InputError for atoms on the same place, or a box that is far too small, naming file and
/// line
atoms::NeighbourRows neighbours_of(const io::AtomFrame& frame, double cutoff);

/// @throws UnphysicalError where an energy or a force is not finite, naming file and line
void require_finite(const io::AtomFrame& frame, const Evaluated& found);

/// On a CPU.
/// @throws as `kinds_of`, `neighbours_of` and `require_finite`
Evaluated evaluate(const OverlaidPotential& potential, const io::AtomFrame& frame,
                   bool with_bispectrum);

/// Evaluates batches of structures. The numbers of a structure do not depend on its batch.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  /// Atoms of a batch that keep the device busy.
  virtual Index atoms_of_batch() const = 0;
  /// @throws as the function `evaluate`, for the first structure that is wrong
  virtual std::vector<Evaluated> evaluate(std::span<const io::AtomFrame> frames) = 0;
};

/// @param potential must outlive it
/// @throws InputError for single precision on a CPU; MachineError if there is no such device
std::unique_ptr<Evaluator> evaluator_on(const Device& device, const OverlaidPotential& potential,
                                        bool with_bispectrum);

}  // namespace larmor::evaluation
