#include "larmor/ising/clusters/cluster_update.hpp"

#include <utility>

namespace larmor::ising {
namespace {

Index checked_replicas(Index replicas) {
  if (replicas < 1)
    throw InputError("clusters of " + std::to_string(replicas) + " replicas",
                     "there is one at least");
  return replicas;
}

std::unique_ptr<ClusterEngine> engine_on(const Device& device, ClusterMethod method) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return make_gpu_clusters(device, method);
#endif
  static_cast<void>(method);
  require_cpu(device);
  return make_cpu_clusters(device.threads);
}

}  // namespace

ClusterUpdate::ClusterUpdate(ClusterGraph graph, Index replicas, std::uint64_t seed,
                             const Device& device, Index first_replica, ClusterMethod method)
    : graph_(std::move(graph)),
      replicas_(checked_replicas(replicas)),
      seed_(seed),
      first_replica_(first_replica),
      device_(device),
      codes_(device, graph_.codes()),
      ends_(device, graph_.ends()),
      thresholds_(device, replicas * graph_.classes()),
      weights_(device, graph_.weights()),
      engine_(engine_on(device, method)) {
  if (graph_.samples() != 1 && graph_.samples() != replicas)
    throw InternalError("clusters of " + std::to_string(replicas) + " replicas have couplings of " +
                        std::to_string(graph_.samples()) + " samples");
}

void ClusterUpdate::set_inverse_temperatures(std::span<const double> beta) {
  if (std::ssize(beta) != replicas_)
    throw InputError(
        std::to_string(beta.size()) + " temperatures of " + std::to_string(replicas_) + " replicas",
        "there is one for each");
  std::vector<std::uint32_t> all;
  all.reserve(static_cast<std::size_t>(thresholds_.size()));
  for (std::size_t r = 0; r < beta.size(); ++r) {
    const double b = beta[r];
    if (!(b >= 0))
      throw InputError("an inverse temperature is " + std::to_string(b),
                       "temperatures are not negative");
    const std::vector<std::uint32_t> of_replica = graph_.thresholds(b, static_cast<Index>(r));
    all.insert(all.end(), of_replica.begin(), of_replica.end());
  }
  thresholds_.copy_from(all);
}

ClusterView ClusterUpdate::view() const {
  ClusterView view{};
  view.sites = graph_.sites();
  view.replicas = replicas_;
  view.classes = graph_.classes();
  view.states = graph_.states();
  view.is_ising = graph_.model() == StateModel::ising;
  view.antiferromagnetic = graph_.antiferromagnetic();
  if (graph_.is_grid())
    view.grid = grid_view(graph_.grid());
  else
    view.edges = {ends_.data(), graph_.bonds()};
  view.codes = codes_.size() > 0 ? codes_.data() : nullptr;
  view.weights = weights_.data();
  if (graph_.samples() > 1) {
    view.codes_of_replica = std::ssize(graph_.codes()) / graph_.samples();
    view.weights_of_replica = graph_.classes();
  }
  view.thresholds = thresholds_.data();
  return view;
}

ClusterKeys ClusterUpdate::keys(std::uint64_t step) const {
  return {seed_, step, static_cast<std::uint64_t>(first_replica_)};
}

void ClusterUpdate::require_size(const Array<std::uint8_t>& states) const {
  if (states.size() != replicas_ * graph_.sites())
    throw InternalError("clusters of " + std::to_string(replicas_) + " replicas of " +
                        std::to_string(graph_.sites()) + " sites in " +
                        std::to_string(states.size()) + " states");
}

void ClusterUpdate::swendsen_wang(Array<std::uint8_t>& states, std::uint64_t step,
                                  MeasureClusters measured) {
  require_size(states);
  engine_->swendsen_wang(view(), keys(step), states.data(), measured);
}

void ClusterUpdate::wolff(Array<std::uint8_t>& states, std::uint64_t first_step, Index clusters,
                          MeasureClusters measured) {
  require_size(states);
  engine_->wolff(view(), keys(first_step), clusters, states.data(), measured);
}

std::vector<std::uint32_t> ClusterUpdate::labels(const Array<std::uint8_t>& states,
                                                 std::uint64_t step) {
  require_size(states);
  Array<std::uint32_t> labels(device_, states.size());
  engine_->label(view(), keys(step), states.data(), labels.data());
  return labels.to_host();
}

std::vector<StateSums> ClusterUpdate::measure(const Array<std::uint8_t>& states) const {
  require_size(states);
  return engine_->measure(view(), states.data());
}

}  // namespace larmor::ising
