#pragma once
// Evaluation of structures on a GPU: a batch is evaluated as replicas that differ in size and box.

#include "larmor/atoms/forces/gpu_force_field.hpp"
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#include "larmor/evaluation/evaluator.hpp"

namespace larmor::evaluation {

class GpuEvaluator : public Evaluator {
 public:
  GpuEvaluator(const Device& device, const OverlaidPotential& potential, bool with_bispectrum);

  Index atoms_of_batch() const override { return Index{1} << 16; }
  std::vector<Evaluated> evaluate(std::span<const io::AtomFrame> frames) override;

 private:
  void find_forces(atoms::AtomState& state, std::span<const io::AtomFrame> frames);
  std::vector<double> bispectrum_of(const atoms::AtomState& state);

  Device device_;
  const OverlaidPotential& potential_;
  bool with_bispectrum_;
  std::unique_ptr<atoms::GpuForceField> field_;
  atoms::snap::GpuSnap* snap_;  ///< owned by `field_`
};

}  // namespace larmor::evaluation
