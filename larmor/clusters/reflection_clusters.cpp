#include "larmor/clusters/reflection_clusters.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace larmor::clusters {
namespace {

std::unique_ptr<ReflectionEngine> engine_on(const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return make_gpu_reflections(device);
#endif
  require_cpu(device);
  return make_cpu_reflections(device.threads);
}

/// Kernels compute coordinates and indices in 32 bits, also for sites beyond the last one.
void require_fitting(Index sites) {
  if (sites < 1 || sites > Index{1} << 31)
    throw InputError("a graph of clusters has " + std::to_string(sites) + " sites",
                     "give 1 to 2^31 sites");
}

}  // namespace

ReflectionGraph ReflectionGraph::on_grid(const RegularGrid& grid) {
  ReflectionGraph graph;
  graph.sites_ = checked_sites(grid);
  require_fitting(graph.sites_);
  graph.grid_ = grid;
  return graph;
}

ReflectionGraph ReflectionGraph::of_bonds(Index sites, std::span<const ReflectionBond> bonds) {
  require_fitting(sites);
  ReflectionGraph graph;
  graph.sites_ = sites;
  for (const ReflectionBond& bond : bonds) {
    const auto is_site = [&](Index site) { return site >= 0 && site < sites; };
    if (!is_site(bond.i) || !is_site(bond.j) || bond.i == bond.j)
      throw InputError(
          "a bond joins the sites " + std::to_string(bond.i) + " and " + std::to_string(bond.j),
          "give two different sites from 0 to " + std::to_string(sites - 1));
    if (!std::isfinite(bond.coupling)) throw InputError("a coupling is not a finite number");
    graph.ends_.push_back(static_cast<std::uint32_t>(bond.i));
    graph.ends_.push_back(static_cast<std::uint32_t>(bond.j));
    graph.couplings_.push_back(bond.coupling);
  }
  return graph;
}

ReflectionGraph ReflectionGraph::of_bonds(Index sites, std::span<const ReflectionBond> bonds,
                                          std::vector<float> couplings) {
  ReflectionGraph graph = of_bonds(sites, bonds);
  for (const float coupling : couplings)
    if (!std::isfinite(coupling)) throw InputError("a coupling is not a finite number");
  graph.couplings_ = std::move(couplings);
  graph.differs_by_replica_ = true;
  return graph;
}

ReflectionClusters::ReflectionClusters(const ReflectionGraph& graph, Index replicas,
                                       std::uint64_t seed, const Device& device,
                                       Index first_replica)
    : view_{},
      replicas_(replicas),
      seed_(seed),
      first_replica_(first_replica),
      ends_(device, graph.ends()),
      couplings_(device, graph.couplings()),
      engine_(engine_on(device)) {
  view_.sites = graph.sites();
  view_.replicas = replicas;
  if (graph.is_grid())
    view_.grid = grid_view(graph.grid());
  else
    view_.edges = {ends_.data(), couplings_.data(), graph.bonds(),
                   graph.differs_by_replica() ? graph.bonds() : 0};
  if (graph.differs_by_replica() && couplings_.size() != graph.bonds() * replicas)
    throw InternalError(std::to_string(couplings_.size()) + " couplings are given for " +
                        std::to_string(replicas) + " replicas with " +
                        std::to_string(graph.bonds()) + " bonds each");
  // Projections up to 2^8 keep a sum over all sites within 62 bits.
  view_.unit = std::ldexp(1.0f, 54 - std::bit_width(static_cast<std::uint64_t>(graph.sites())));
  engine_->clear_sums(replicas);
}

void ReflectionClusters::update(const ReflectionStrength& strength, ReflectedField& field,
                                std::uint64_t step, Reflected reflected, bool measured) {
  ReflectionClusterView view = view_;
  view.strength = strength;
  engine_->update(view, {seed_, step, static_cast<std::uint64_t>(first_replica_)}, field, reflected,
                  measured);
}

}  // namespace larmor::clusters
