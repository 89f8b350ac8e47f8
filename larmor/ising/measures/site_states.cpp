#include "larmor/ising/measures/site_states.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/measures/grid_sums_gpu.hpp"

namespace larmor::ising {
namespace {

template <class Write>
void write_all(const Device& device, const Write& write, Index count, Index replicas) {
  const Region region("states of sites");
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return write_on_gpu(device, write, count, replicas);
#endif
  require_cpu(device);
  constexpr Index piece = 1 << 12;
  const Index pieces = (count + piece - 1) / piece;
  parallel_for(device.threads, pieces * replicas, [&](Index n) {
    const Index first = n % pieces * piece;
    for (Index i = first; i < std::min(count, first + piece); ++i) write(i, n / pieces);
  });
}

}  // namespace

void write_site_states(PottsState& from, Array<std::uint8_t>& states) {
  const PottsModel& model = from.model();
  const StateOfPosition write{from.view(), model.sites(), states.data()};
  write_all(model.device(), write, model.positions(), model.replicas().count);
}

void write_site_states(const BitLattice& from, Array<std::uint8_t>& states) {
  const LatticeView view = from.view();
  if (view.grid.last - view.grid.first < view.grid.words)
    throw InternalError("states of all sites are asked for, of which a rank has a part");
  const StatesOfWord write{view, from.sites(), states.data()};
  write_all(from.device(), write, 2 * view.grid.words, from.replicas());
}

}  // namespace larmor::ising
