// Loops of integrators on a GPU, compiled without fused multiplication: it has the bits of a CPU.

#include "larmor/atoms/integrators/bussi_kernel.hpp"
#include "larmor/atoms/integrators/cell_rescaling_kernel.hpp"
#include "larmor/atoms/integrators/langevin_kernel.hpp"
#include "larmor/atoms/integrators/motion_kernels.hpp"
#include "larmor/atoms/integrators/mtk_kernel.hpp"
#include "larmor/atoms/integrators/nose_hoover_kernel.hpp"
#include "larmor/atoms/system/loops.cuh"

namespace larmor::atoms {

template void for_each_atom_on_gpu(const Device&, const LayoutView&, const Kick&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const KickAndDrift&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const Drift&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const RequireFinite&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const Fluctuate&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const KickWithBox&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const DriftWithBox&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const StrainAtom&);

template void for_each_replica_on_gpu(const Device&, Index, const ChooseRescaling&);
template void for_each_replica_on_gpu(const Device&, Index, const KeptVelocity&);
template void for_each_replica_on_gpu(const Device&, Index, const AddHeat&);
template void for_each_replica_on_gpu(const Device&, Index, const MoveChain&);
template void for_each_replica_on_gpu(const Device&, Index, const MoveBothChains&);
template void for_each_replica_on_gpu(const Device&, Index, const PushBox&);
template void for_each_replica_on_gpu(const Device&, Index, const KickOfBox&);
template void for_each_replica_on_gpu(const Device&, Index, const DriftOfBox&);
template void for_each_replica_on_gpu(const Device&, Index, const ChooseStrain&);
template void for_each_replica_on_gpu(const Device&, Index, const StrainBox&);
template void for_each_replica_on_gpu(const Device&, Index, const AddWorkOfStrain&);

}  // namespace larmor::atoms
