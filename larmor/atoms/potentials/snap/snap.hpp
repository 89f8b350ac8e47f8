#pragma once
// SNAP for many atoms, by one of several methods with equal results.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/atoms/neighbours/pair_gradients.hpp"
#include "larmor/atoms/potentials/snap/baseline.hpp"
#include "larmor/atoms/potentials/snap/group_kernel.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor::atoms::snap {

/// `baseline` computes the derivatives of all components (baseline.hpp). `adjoint` computes Y =
/// dE/dU, then derivatives of u. `generators` computes Y, then only u (gradients.hpp).
enum class Method { baseline, adjoint, generators };

class ComponentPlan;

class Snap {
 public:
  /// @throws InputError for 2J above 14
  explicit Snap(SnapPotential potential, Method method = Method::generators,
                const Device& device = Device::cpu());
  Snap(const Snap&) = delete;
  Snap& operator=(const Snap&) = delete;

  const SnapPotential& potential() const { return potential_; }
  double cutoff() const { return potential_.largest_cutoff(); }
  int components() const { return energy_.components(); }

  /// @param rows at least the pairs within `cutoff()`, for all atoms or the first ones
  /// @param elements elements of the atoms, by their numbers in the potential
  /// @param last last stage to compute, for measurements of time
  PairGradients evaluate(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                         Stage last = Stage::gradients) const;

  /// Components of the bispectrum (atom, component).
  std::vector<double> bispectrum(const NeighbourRows& rows,
                                 std::span<const std::int32_t> elements) const;

  /// Derivatives of the components of every atom by the displacement of each neighbour (entry of
  /// the rows, component).
  std::vector<Vec3<double>> bispectrum_gradients(const NeighbourRows& rows,
                                                 std::span<const std::int32_t> elements) const;

 private:
  struct Wanted {
    Stage last;
    PairGradients* gradients;  ///< may be null
    double* components;        ///< may be null
    /// Derivatives of the components (entry of the rows, component); may be null.
    Vec3<double>* component_gradients = nullptr;
    const ComponentPlan* plan = nullptr;  ///< for these derivatives
  };

  void fill_views();
  void evaluate_groups(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                       const Wanted& wanted) const;
  void evaluate_group(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                      std::span<const std::int32_t> atoms, const Wanted& wanted) const;
  void find_component_gradients(const SnapGroup& group, std::span<const Index> entries,
                                const Wanted& wanted) const;
  template <class Visit>
  void for_each_baseline(const NeighbourRows& rows, std::span<const std::int32_t> elements,
                         const Visit& visit) const;

  SnapPotential potential_;
  Method method_;
  int threads_;
  SnapTables tables_;
  EnergyFunction energy_;
  Baseline baseline_;
  std::vector<std::vector<double>> product_;  ///< for linear potentials, by element
  std::vector<PairShape<double>> shape_;      ///< (element, other)
  SnapView view_{};
  std::vector<SnapElementView> element_view_;
};

}  // namespace larmor::atoms::snap
