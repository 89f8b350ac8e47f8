// Loops over atoms on a GPU, compiled without fused multiplication: a GPU has the bits of a CPU.

#include "larmor/atoms/system/loops.cuh"
#include "larmor/atoms/system/velocity_kernels.hpp"

namespace larmor::atoms {

template void for_each_atom_on_gpu(const Device&, const LayoutView&, const DrawVelocity&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const ScaleVelocity&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const StopCentreOfMass&);

template void sum_replicas_on_gpu(const Device&, const LayoutView&, const KineticEnergyTerm&,
                                  std::array<double, 1>*);
template void sum_replicas_on_gpu(const Device&, const LayoutView&, const KineticStressTerm&,
                                  std::array<double, 6>*);
template void sum_replicas_on_gpu(const Device&, const LayoutView&, const MotionTerm&,
                                  std::array<double, 4>*);

}  // namespace larmor::atoms
