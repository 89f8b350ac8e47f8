#pragma once
// A force field that adds the energies of potentials on a GPU. Only `complete_steps` waits for the
// GPU.

#include <memory>
#include <vector>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/forces/gpu_neighbours.hpp"

namespace larmor::atoms {

class GpuForceField : public ForceField {
 public:
  /// @param skin Angstrom. It changes only how often neighbours are searched, and no bit of results
  /// @param width_of_rows initial number of entries of a row; 0: estimated from the density. It
  /// changes no bit of results
  /// @throws InputError if there is no potential, or if the skin is negative
  GpuForceField(std::vector<std::unique_ptr<GpuPotential>> potentials, double skin,
                Index width_of_rows = 0);

  /// @param state a state on a GPU
  void evaluate(AtomState& state) override;
  bool complete_steps(AtomState& state) override;

  /// Energies of atoms and rows of neighbours of the last evaluation, on the GPU.
  const AtomArray<double>& energies() const { return energy_; }
  const GpuRowsView& rows() const { return rows_; }

  /// Number of neighbour searches, summed over all replicas.
  Index searches() const { return neighbours_.searches(); }

 private:
  std::vector<std::unique_ptr<GpuPotential>> potentials_;
  GpuNeighbours neighbours_;
  GpuRowsView rows_{};
  AtomArray<double> energy_;           ///< [atoms]
  AtomArray<Vec3<double>> gradient_;   ///< [entries of rows]
  AtomArray<SymmetricTensor> virial_;  ///< [atoms]
};

}  // namespace larmor::atoms
