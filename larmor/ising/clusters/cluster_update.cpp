#include "larmor/ising/clusters/cluster_update.hpp"

#include <algorithm>
#include <utility>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {
namespace {

Index checked_replicas(Index replicas) {
  if (replicas < 1)
    throw InputError("a cluster update has " + std::to_string(replicas) + " replicas",
                     "give one or more replicas");
  return replicas;
}

std::unique_ptr<ClusterEngine> engine_on(const Device& device, ClusterMethod method,
                                         SlabClusters* slab) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return make_gpu_clusters(device, method, slab);
#endif
  static_cast<void>(method);
  require_cpu(device);
  return make_cpu_clusters(device.threads, slab);
}

std::unique_ptr<SlabClusters> slab_of(const ClusterGraph& graph, const Communicator* world,
                                      const Device& device) {
  if (world == nullptr || world->size() == 1) return nullptr;
  if (!graph.is_grid())
    throw InputError("ranks cannot share clusters of a list of bonds",
                     "use a regular grid, or one rank");
  return std::make_unique<SlabClusters>(*world, graph.grid(), device);
}

/// Codes of the bonds of this rank.
std::vector<std::uint32_t> own_codes(const ClusterGraph& graph, const SlabClusters* slab) {
  const std::vector<std::uint32_t>& all = graph.codes();
  if (slab == nullptr || all.empty()) return all;
  std::vector<std::uint32_t> own;
  // The codes are copied sample by sample and axis by axis, in the order of the graph.
  for (Index begin = 0; begin < std::ssize(all); begin += graph.sites()) {
    const auto first = all.begin() + begin + slab->first_site();
    own.insert(own.end(), first, first + slab->own_sites());
  }
  return own;
}

}  // namespace

ClusterUpdate::ClusterUpdate(ClusterGraph graph, Index replicas, std::uint64_t seed,
                             const Device& device, Index first_replica, ClusterMethod method,
                             const Communicator* world)
    : graph_(std::move(graph)),
      replicas_(checked_replicas(replicas)),
      seed_(seed),
      first_replica_(first_replica),
      device_(device),
      slab_(slab_of(graph_, world, device)),
      codes_(device, own_codes(graph_, slab_.get())),
      ends_(device, graph_.ends()),
      thresholds_(device, replicas * graph_.classes()),
      weights_(device, graph_.weights()),
      engine_(engine_on(device, method, slab_.get())) {
  if (graph_.samples() != 1 && graph_.samples() != replicas)
    throw InternalError("clusters of " + std::to_string(replicas) + " replicas have couplings of " +
                        std::to_string(graph_.samples()) + " samples");
}

void ClusterUpdate::set_inverse_temperatures(std::span<const double> beta) {
  if (std::ssize(beta) != replicas_)
    throw InputError(std::to_string(beta.size()) + " temperatures are given for " +
                         std::to_string(replicas_) + " replicas",
                     "give one value for each replica");
  std::vector<std::uint32_t> all;
  all.reserve(static_cast<std::size_t>(thresholds_.size()));
  for (std::size_t r = 0; r < beta.size(); ++r) {
    const double b = beta[r];
    if (!(b >= 0))
      throw InputError("an inverse temperature is " + std::to_string(b), "give 0 or more");
    const std::vector<std::uint32_t> of_replica = graph_.thresholds(b, static_cast<Index>(r));
    all.insert(all.end(), of_replica.begin(), of_replica.end());
  }
  thresholds_.copy_from(all);
}

ClusterView ClusterUpdate::view() const {
  ClusterView view{};
  view.sites = own_sites();
  view.first_site = static_cast<std::uint64_t>(first_site());
  view.is_slab = slab_ != nullptr;
  view.replicas = replicas_;
  view.classes = graph_.classes();
  view.states = graph_.states();
  view.is_ising = graph_.model() == StateModel::ising;
  view.antiferromagnetic = graph_.antiferromagnetic();
  if (graph_.is_grid())
    view.grid = grid_view(slab_ ? slab_->own_grid() : graph_.grid());
  else
    view.edges = {ends_.data(), graph_.bonds()};
  view.codes = codes_.size() > 0 ? codes_.data() : nullptr;
  view.weights = weights_.data();
  if (graph_.samples() > 1) {
    view.codes_of_replica = codes_.size() / graph_.samples();
    view.weights_of_replica = graph_.classes();
  }
  view.thresholds = thresholds_.data();
  return view;
}

ClusterKeys ClusterUpdate::keys(std::uint64_t step) const {
  return {seed_, step, static_cast<std::uint64_t>(first_replica_)};
}

void ClusterUpdate::require_size(const Array<std::uint8_t>& states) const {
  if (states.size() != replicas_ * own_sites())
    throw InternalError(std::to_string(states.size()) + " states are given for " +
                        std::to_string(replicas_) + " replicas of " + std::to_string(own_sites()) +
                        " sites");
}

void ClusterUpdate::swendsen_wang(Array<std::uint8_t>& states, std::uint64_t step,
                                  MeasureClusters measured) {
  require_size(states);
  engine_->swendsen_wang(view(), keys(step), states.data(), measured);
}

void ClusterUpdate::swendsen_wang(Array<std::uint8_t>& states, std::uint64_t first_step,
                                  Index updates, MeasureClusters measured) {
  require_size(states);
  engine_->swendsen_wang_updates(view(), keys(first_step), updates, states.data(), measured);
}

void ClusterUpdate::wolff(Array<std::uint8_t>& states, std::uint64_t first_step, Index clusters,
                          MeasureClusters measured) {
  require_size(states);
  if (slab_)
    throw InputError("ranks cannot share a grid in Wolff updates",
                     "use Swendsen-Wang updates, or one rank");
  engine_->wolff(view(), keys(first_step), clusters, states.data(), measured);
}

std::vector<std::uint32_t> ClusterUpdate::labels(const Array<std::uint8_t>& states,
                                                 std::uint64_t step) {
  require_size(states);
  Array<std::uint32_t> labels(device_, states.size());
  engine_->label(view(), keys(step), states.data(), labels.data());
  if (!slab_) return labels.to_host();
  const std::vector<std::uint32_t> own = labels.to_host();
  std::vector<std::uint32_t> all(static_cast<std::size_t>(replicas_ * graph_.sites()));
  for (Index replica = 0; replica < replicas_; ++replica) {
    std::uint32_t* const of_replica = all.data() + replica * graph_.sites();
    std::copy_n(own.begin() + replica * own_sites(), own_sites(), of_replica + first_site());
    slab_->planes().complete(
        of_replica, static_cast<std::size_t>(slab_->sites_of_plane()) * sizeof(std::uint32_t));
  }
  return all;
}

std::vector<ClusterSums> ClusterUpdate::sums() const {
  if (!slab_) return engine_->sums();
  const std::vector<ClusterSums> all = all_gathered(slab_->world(), engine_->sums());
  std::vector<ClusterSums> sums(static_cast<std::size_t>(replicas_));
  for (std::size_t n = 0; n < all.size(); ++n) sums[n % sums.size()].add(all[n]);
  return sums;
}

std::vector<StateSums> ClusterUpdate::measure(const Array<std::uint8_t>& states) const {
  require_size(states);
  std::vector<StateSums> sums = engine_->measure(view(), states.data());
  if (!slab_) return sums;
  std::vector<Index> own;
  for (const StateSums& replica : sums) {
    own.push_back(replica.satisfied);
    own.insert(own.end(), replica.counts.begin(), replica.counts.end());
  }
  const std::size_t numbers = own.size();
  const std::vector<Index> all = all_gathered(slab_->world(), std::move(own));
  std::size_t next = 0;
  const auto total = [&] {
    Index sum = 0;
    for (std::size_t n = next; n < all.size(); n += numbers) sum += all[n];
    ++next;
    return sum;
  };
  for (StateSums& replica : sums) {
    replica.satisfied = total();
    for (Index& count : replica.counts) count = total();
  }
  return sums;
}

double StateSums::order_squared() const {
  Index sites = 0;
  for (const Index count : counts) sites += count;
  const auto q = static_cast<double>(counts.size());
  double sum = 0;
  for (const Index count : counts) {
    const double excess = static_cast<double>(count) / static_cast<double>(sites) - 1 / q;
    sum += excess * excess;
  }
  return q / (q - 1) * sum;
}

}  // namespace larmor::ising
