#pragma once
// Energies, forces, virials and descriptors of structures by a potential, on a CPU or a GPU.

#include <memory>
#include <span>

#include "larmor/evaluation/overlaid_potential.hpp"
#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::evaluation {

struct Evaluated {
  double energy = 0;                 ///< sum over all atoms, eV
  std::vector<double> energies;      ///< eV [atoms]
  std::vector<Vec3<double>> forces;  ///< eV/Angstrom [atoms]
  atoms::SymmetricTensor virial{};   ///< W = -dE/d(strain), eV
  std::vector<double> bispectrum;    ///< [atoms, components]; empty if it was not requested
};

/// Numbers of the atoms' elements in the potential [atoms].
/// @throws InputError with file and line for an element that the potential lacks
std::vector<std::int32_t> kinds_of(const OverlaidPotential& potential, const io::AtomFrame& frame);

/// @throws InputError with file and line if two atoms have one position, or if the box is far too
/// small
atoms::NeighbourRows neighbours_of(const io::AtomFrame& frame, double cutoff);

/// @throws UnphysicalError with file and line if an energy or a force is not finite
void require_finite(const io::AtomFrame& frame, const Evaluated& found);

/// Evaluates one structure on a CPU.
/// @throws the errors of `kinds_of`, `neighbours_of` and `require_finite`
Evaluated evaluate(const OverlaidPotential& potential, const io::AtomFrame& frame,
                   bool with_bispectrum);

/// Evaluates batches of structures. The results of a structure do not depend on its batch.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  /// Number of atoms that a batch needs to keep the device busy.
  virtual Index atoms_of_batch() const = 0;
  /// @throws the errors of the function `evaluate`, for the first structure that is wrong
  virtual std::vector<Evaluated> evaluate(std::span<const io::AtomFrame> frames) = 0;
};

/// @param potential must outlive the evaluator
/// @throws InputError for single precision on a CPU; MachineError if there is no such device
std::unique_ptr<Evaluator> evaluator_on(const Device& device, const OverlaidPotential& potential,
                                        bool with_bispectrum);

}  // namespace larmor::evaluation
