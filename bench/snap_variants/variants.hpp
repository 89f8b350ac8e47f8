#pragma once
// Forces of SNAP on a GPU by every step of the proxy TestSNAP and of LAMMPS after it (A. Thompson,
// S. Moore, R. Gayatri et al., Refactoring EXAALT MD for Emerging Architecture, 2020; R. Gayatri et
// al., arXiv:2011.12875), and by ours. Each method has a name, and all use equal data:
//
// - baseline: one thread an atom; all products Z stored, derivatives of all components
// - adjoint: one thread an atom; Y = dE/dU in place of Z
// - split: a kernel for each stage; a thread for an atom and neighbour, or an atom and product
// - layout: the atom is the fastest index of all arrays, and adjacent threads have adjacent atoms
// - half: U and dU are stored as halves, which their symmetry completes
// - fused: dU.Y is summed while u is recomputed; no dU is stored
// - generators: only u is recomputed, and generators of rotations act on Y once an atom;
//   forces are gathered, not added by atomics
// - products: Y from products of two elements that all j share
// - ours: the kernels of the program (larmor/atoms/potentials/snap/gpu_snap.hpp)

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bench/compared_methods.hpp"
#include "larmor/atoms/neighbours/neighbours.hpp"
#include "larmor/atoms/potentials/snap/snap_potential.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor::bench {

class SnapVariantMethod {
 public:
  virtual ~SnapVariantMethod() = default;
  /// The parts of a launch, in order. The method does work that is equal for all steps before.
  const std::vector<MethodPart>& parts() const { return parts_; }
  /// Launches all parts.
  void launch() const {
    for (const MethodPart& part : parts_) part.launch();
  }
  /// Forces of the last launch, eV/Angstrom. Waits until the launch has ended.
  virtual std::vector<Vec3<double>> forces() = 0;

 protected:
  std::vector<MethodPart> parts_;
};

/// Names from the slowest method to the fastest.
std::span<const char* const> snap_variant_names();

/// @param potential linear, of one element and without an inner switch
/// @param rows only pairs within the cutoff
/// @throws InputError for a name that is not in snap_variant_names()
/// @throws MachineError if there is no GPU, or its memory is too small
std::unique_ptr<SnapVariantMethod> make_snap_variant_method(
    const Device& device, std::string_view name, const atoms::snap::SnapPotential& potential,
    const atoms::NeighbourRows& rows);

/// Launches enough fused multiply-adds in double precision to occupy a whole GPU.
/// @return the number of flops
double launch_snap_floor(const Device& device);

}  // namespace larmor::bench
