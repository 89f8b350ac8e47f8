// Forces of atoms on a GPU, compiled without fused multiplication: sums have the bits of a CPU.

#include <algorithm>

#include "larmor/atoms/forces/gpu_force_field.hpp"
#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/system/loops.cuh"
#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

/// Number of sums for an atom: three components of its force and six of its virial.
constexpr int sums_of_atom = 9;

/// A warp sums the forces and virials of an atom's pairs. Its lanes compute the terms of 32 pairs.
/// Then each of the first nine lanes sums one component. BITS: a sum has the order of the row.
__global__ void __launch_bounds__(warps_of_block* warp_size)
    gather_kernel(const __grid_constant__ GpuRowsView rows, const Vec3<double>* gradient,
                  Vec3<double>* force, SymmetricTensor* virial) {
  __shared__ double shared[warps_of_block][sums_of_atom][warp_size + 1];
  cuda::let_successor_begin_and_wait();
  const int warp = static_cast<int>(threadIdx.x) / warp_size,
            lane = static_cast<int>(threadIdx.x) % warp_size;
  const Index atom = Index(blockIdx.x) * warps_of_block + warp;
  if (atom >= rows.atoms) return;
  double(*const terms)[warp_size + 1] = shared[warp];
  const int count = rows.count[atom];
  double sum = 0;
  for (int first = 0; first < count; first += warp_size) {
    const int n = first + lane;
    if (n < count) {
      const Index entry = rows.entry(atom, n);
      const Vec3<double> f =
          gradient[entry] - gradient[rows.entry(rows.neighbour[entry], rows.mirror[entry])];
      const Vec3<double> r = -0.5 * rows.displacement[entry];
      const double of_pair[sums_of_atom] = {f.x,       f.y,       f.z,       r.x * f.x, r.y * f.y,
                                            r.z * f.z, r.x * f.y, r.x * f.z, r.y * f.z};
#pragma unroll
      for (int k = 0; k < sums_of_atom; ++k) terms[k][lane] = of_pair[k];
    }
    __syncwarp();
    const int pairs = count - first < warp_size ? count - first : warp_size;
    if (lane < sums_of_atom)
      for (int pair = 0; pair < pairs; ++pair) sum += terms[lane][pair];
    __syncwarp();
  }
  if (lane < 3) reinterpret_cast<double*>(force + atom)[lane] = sum;
  if (lane >= 3 && lane < sums_of_atom) virial[atom][static_cast<std::size_t>(lane) - 3] = sum;
}

struct EnergyAndVirialTerm {
  const double* energy;
  const SymmetricTensor* virial;

  __device__ std::array<double, 7> operator()(Index atom) const {
    const SymmetricTensor& w = virial[atom];
    return {energy[atom], w[0], w[1], w[2], w[3], w[4], w[5]};
  }
};

struct StoreEnergyAndVirial {
  double* energy;           ///< [replicas]
  SymmetricTensor* virial;  ///< [replicas]

  __device__ void operator()(Index replica, const std::array<double, 7>& sum) const {
    energy[replica] = sum[0];
    for (std::size_t k = 0; k < 6; ++k) virial[replica][k] = sum[k + 1];
  }
};

double largest_cutoff(const std::vector<std::unique_ptr<GpuPotential>>& potentials) {
  if (potentials.empty())
    throw InputError("there is no potential", "give a potential, such as [[snap]]");
  double largest = 0;
  for (const auto& potential : potentials) largest = std::max(largest, potential->cutoff());
  return largest;
}

}  // namespace

GpuForceField::GpuForceField(std::vector<std::unique_ptr<GpuPotential>> potentials, double skin,
                             Index width_of_rows)
    : potentials_(std::move(potentials)),
      neighbours_(largest_cutoff(potentials_), skin, width_of_rows) {}

void GpuForceField::evaluate(AtomState& state) {
  if (state.device.backend != Backend::cuda)
    throw InternalError("the potentials are on a GPU, and the atoms are on a CPU");
  const Device& device = state.device;
  const auto stream = cuda::stream(device.ordinal);
  const GpuRowsView rows = rows_ = neighbours_.rows(state);
  energy_.resize(device, rows.atoms);
  gradient_.resize(device, rows.entries());
  virial_.resize(device, rows.atoms);
  for (std::size_t n = 0; n < potentials_.size(); ++n)
    potentials_[n]->evaluate(rows, state.type.data(), energy_.data(), gradient_.data(), n > 0,
                             stream);
  {
    const cuda::LaunchRegion region(device.ordinal, "forces of pairs");
    const auto blocks = static_cast<unsigned>((rows.atoms + warps_of_block - 1) / warps_of_block);
    cuda::launch_early(device.ordinal, gather_kernel, blocks, warps_of_block * warp_size, 0, rows,
                       gradient_.data(), state.force.data(), virial_.data());
  }
  store_replica_sums_on_gpu<7>(device, state.layout.view(),
                               EnergyAndVirialTerm{energy_.data(), virial_.data()},
                               StoreEnergyAndVirial{state.energy.data(), state.virial.data()});
}

bool GpuForceField::complete_steps(AtomState& state) {
  const std::optional<RaisedFault> raised = state.faults.first();
  if (!raised || raised->fault != Fault::narrow_rows) return ForceField::complete_steps(state);
  state.faults.clear(state.step);
  neighbours_.widen();
  return false;
}

}  // namespace larmor::atoms
