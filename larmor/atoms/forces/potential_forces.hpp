#pragma once
// A force field that adds the energies of potentials, such as [[snap]] and [[zbl]]. These
// potentials need the neighbours of every atom.

#include <memory>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/neighbours/neighbour_list.hpp"

namespace larmor::atoms {

class Potential {
 public:
  Potential() = default;
  Potential(const Potential&) = delete;
  Potential& operator=(const Potential&) = delete;
  virtual ~Potential() = default;

  /// The cutoff, Angstrom. Pairs at this distance or farther have no energy.
  virtual double cutoff() const = 0;
  /// @param rows at least the pairs within `cutoff()` @param types types of the atoms, from 0
  virtual PairGradients evaluate(const NeighbourRows& rows,
                                 std::span<const std::int32_t> types) const = 0;
};

class PotentialForces : public ForceField {
 public:
  /// @param skin Angstrom. It changes only how often neighbours are searched, and no bit of results
  /// @throws InputError if there is no potential, or if the skin is negative
  PotentialForces(std::vector<std::unique_ptr<const Potential>> potentials, double skin,
                  int threads);

  void evaluate(AtomState& state) override;

  /// Number of neighbour searches, summed over all replicas.
  Index searches() const;

 private:
  void evaluate_replica(AtomState& state, Index replica);

  std::vector<std::unique_ptr<const Potential>> potentials_;
  double cutoff_ = 0, skin_;
  int threads_;
  std::vector<NeighbourList> lists_;
};

}  // namespace larmor::atoms
