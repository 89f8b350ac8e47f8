#pragma once
// Who makes the methods of the ladder; ladder.hpp is what others use.

#include "bench/snap_variants/variants.hpp"

namespace larmor::bench {

/// What a method takes over from the steps of the source. Each goes with all before it.
struct SnapLadderSteps {
  bool adjoint = false;
  bool split = false;
  bool atom_fastest = false;
  bool half = false;
  bool fused = false;
  bool generators = false;
  bool shared_products = false;
  bool ours = false;
};

/// One kernel, a thread an atom. @param steps none but `adjoint`
std::unique_ptr<SnapLadderMethod> make_snap_textbook(const Device& device,
                                                     const SnapLadderSteps& steps,
                                                     const atoms::snap::SnapPotential& potential,
                                                     const atoms::NeighbourRows& rows);
/// What the program runs. @param steps are not read
std::unique_ptr<SnapLadderMethod> make_snap_ours(const Device& device, const SnapLadderSteps& steps,
                                                 const atoms::snap::SnapPotential& potential,
                                                 const atoms::NeighbourRows& rows);
/// A kernel for each stage. @param steps `split` and others
std::unique_ptr<SnapLadderMethod> make_snap_stages(const Device& device,
                                                   const SnapLadderSteps& steps,
                                                   const atoms::snap::SnapPotential& potential,
                                                   const atoms::NeighbourRows& rows);

}  // namespace larmor::bench
