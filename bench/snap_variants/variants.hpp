#pragma once
// Forces of SNAP on a GPU by every step of the proxy TestSNAP and of LAMMPS after it (A. Thompson,
// S. Moore, R. Gayatri et al., Refactoring EXAALT MD for Emerging Architecture, 2020; R. Gayatri et
// al., arXiv:2011.12875), and in ours, each by its name, over the same data, to be compared:
//
//   baseline    one thread an atom; all products Z stored, derivatives of all components
//   adjoint     one thread an atom; Y = dE/dU in place of Z
//   split       a kernel for each stage; a thread for an atom and neighbour, or an atom and product
//   layout      the atom is the fastest index of all arrays, and neighbouring threads have
//               neighbouring atoms
//   half        U and dU are stored as halves, which their symmetry makes whole
//   fused       dU.Y is summed while u is computed again; no dU is stored
//   generators  u alone is computed again, and generators of rotations act on Y once an atom;
//               forces are gathered, not added by atomics
//   products    Y of products of two elements that all j share
//   ours        what the program runs (larmor/atoms/potentials/snap/gpu_snap.hpp)

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bench/variant_table.hpp"
#include "larmor/atoms/neighbours/neighbours.hpp"
#include "larmor/atoms/potentials/snap/snap_potential.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor::bench {

class SnapLadderMethod {
 public:
  virtual ~SnapLadderMethod() = default;
  /// In their order. What stays the same from one step to the next was done before.
  const std::vector<LadderPart>& parts() const { return parts_; }
  /// All parts.
  void launch() const {
    for (const LadderPart& part : parts_) part.launch();
  }
  /// Of the last launch, eV/Angstrom; waits for it.
  virtual std::vector<Vec3<double>> forces() = 0;

 protected:
  std::vector<LadderPart> parts_;
};

/// From the slowest to the fastest.
std::span<const char* const> snap_ladder_names();

/// @param potential linear, of one element and without an inner switch
/// @param rows with pairs within the cutoff alone
/// @throws InputError for a name that is none of snap_ladder_names()
/// @throws MachineError where there is no GPU, or its memory is short
std::unique_ptr<SnapLadderMethod> make_snap_ladder_method(
    const Device& device, std::string_view name, const atoms::snap::SnapPotential& potential,
    const atoms::NeighbourRows& rows);

/// Launches fused multiplications and additions in double, as many as keep all of a GPU busy.
/// @return how many flops
double launch_snap_floor(const Device& device);

}  // namespace larmor::bench
