#pragma once
// Constructors of the methods, only for variants.cpp; other code includes variants.hpp.

#include "bench/snap_variants/variants.hpp"

namespace larmor::bench {

/// Steps that the authors of TestSNAP and LAMMPS took. Each step requires all steps before it.
struct SnapVariantSteps {
  bool adjoint = false;
  bool split = false;
  bool atom_fastest = false;
  bool half = false;
  bool fused = false;
  bool generators = false;
  bool shared_products = false;
  bool ours = false;
};

/// One kernel with a thread per atom. @param steps only `adjoint` may be set
std::unique_ptr<SnapVariantMethod> make_snap_textbook(const Device& device,
                                                      const SnapVariantSteps& steps,
                                                      const atoms::snap::SnapPotential& potential,
                                                      const atoms::NeighbourRows& rows);
/// The kernels of the program. @param steps is ignored
std::unique_ptr<SnapVariantMethod> make_snap_ours(const Device& device,
                                                  const SnapVariantSteps& steps,
                                                  const atoms::snap::SnapPotential& potential,
                                                  const atoms::NeighbourRows& rows);
/// One kernel for each stage. @param steps must have `split`, and may have later steps
std::unique_ptr<SnapVariantMethod> make_snap_stages(const Device& device,
                                                    const SnapVariantSteps& steps,
                                                    const atoms::snap::SnapPotential& potential,
                                                    const atoms::NeighbourRows& rows);

}  // namespace larmor::bench
