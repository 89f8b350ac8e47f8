#pragma once
// A force field of potentials on a GPU: their energies are added. Nothing waits for the GPU but
// `settle`.

#include <memory>
#include <vector>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/forces/gpu_neighbours.hpp"

namespace larmor::atoms {

class GpuForceField : public ForceField {
 public:
  /// @param skin Angstrom; changes how often neighbours are searched, and no bit
  /// @param width_of_rows entries that a row has room for to begin with; 0: by the density. Changes
  /// no bit
  /// @throws InputError without a potential, or for a skin that is negative
  GpuForceField(std::vector<std::unique_ptr<GpuPotential>> potentials, double skin,
                Index width_of_rows = 0);

  /// Of a state on a GPU.
  void evaluate(AtomState& state) override;
  bool settle(AtomState& state) override;

  /// Of the last evaluation, on the GPU: energies of atoms, and the rows of their neighbours.
  const AtomArray<double>& energies() const { return energy_; }
  const GpuRowsView& rows() const { return rows_; }

  /// How often neighbours were searched, in all replicas together.
  Index searches() const { return neighbours_.searches(); }

 private:
  std::vector<std::unique_ptr<GpuPotential>> potentials_;
  GpuNeighbours neighbours_;
  GpuRowsView rows_{};
  AtomArray<double> energy_;           ///< of atoms
  AtomArray<Vec3<double>> gradient_;   ///< of entries of rows
  AtomArray<SymmetricTensor> virial_;  ///< of atoms
};

}  // namespace larmor::atoms
