// Compiled once for each instruction set, and by update_kernels.cu for CUDA.

#include "larmor/spins/samplers/update_kernels.hpp"

#include "larmor/core/simd/update_domain.hpp"
#include "larmor/spins/hamiltonian/bond_class.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

void update_extent(Update kind, const Device& device, const SweepView& sweep, const Extent& extent,
                   std::uint64_t* accepted) {
  with_bond_class(sweep.model.bond_class, [&](auto bond_class) {
    constexpr BondClass C = bond_class;
    with_update(kind, [&](auto chosen) {
      using Kernel = typename decltype(chosen)::template Kernel<C>;
      count(device, extent, Kernel{sweep}, accepted);
    });
  });
}

void update(Update kind, const Device& device, const SweepView& sweep, const UpdateRange& range,
            std::uint64_t* accepted) {
  const Extent blocks{sweep.model.layout, 0, 0, range.first_block, range.last_block};
  update_shared(device, blocks, range.sites, sweep.spins, [&](Extent extent) {
    for (Index n = 0; n < range.sites.count; ++n) {
      extent.first_site = range.sites.range[n].first;
      extent.last_site = range.sites.range[n].last;
      update_extent(kind, device, sweep, extent, accepted);
    }
  });
}

}  // namespace

const UpdateKernels update_kernels_table{update};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
