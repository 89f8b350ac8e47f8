#include <utility>

#include "larmor/ising/clusters/cluster_update.hpp"
#include "larmor/study/models/discrete/sampling/discrete_ensembles.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_engine.hpp"

namespace larmor::study {
namespace {

class ClusterEnsemble : public Ensemble {
 public:
  ClusterEnsemble(DiscreteSystem& system, ClusterRule rule, Index clusters, std::uint64_t seed)
      : system_(system),
        rule_(rule),
        clusters_(clusters),
        seed_(seed),
        order_(order_of(system.tables)),
        update_(cluster_graph(system.tables, system.sites, system.replicas), system.replicas.count,
                seed, system.device, system.replicas.first, ising::ClusterMethod::union_find,
                system.sharing),
        beta_(system.device, system.replicas.count),
        census_(wanted(system.census)) {
    system.census = {};
    system.states_by_site();
  }

  const OrderParameter& order_parameter() const override { return order_; }
  double begin_at_infinite_temperature() override {
    system_.randomise(seed_);
    return log_states(system_);
  }
  void copy_replicas(std::span<const ReplicaCopy> copies) override {
    Array<std::uint8_t>& states = system_.states_by_site();
    larmor::copy_replicas(states.device(), states.data(), {states.size() / system_.replicas.count},
                          copies);
  }
  io::DataArray configuration(Index replica) const override {
    return system_.configuration(replica);
  }

  void move_isoenergetically(std::span<const CopiesToMove> pairs) override {
    system_.move_isoenergetically(pairs);
  }

  void set_temperatures(const std::vector<double>& thermal_energy) override {
    std::vector<double> beta;
    for (const double kT : thermal_energy) beta.push_back(1 / kT);
    beta_.copy_from(beta);
    beta_is_new_ = true;
  }
  void run(Index sweeps) override {
    if (std::exchange(beta_is_new_, false)) update_.set_inverse_temperatures(beta_.to_host());
    Array<std::uint8_t>& states = system_.states_by_site();
    if (sweeps == 0) return;
    if (rule_ == ClusterRule::swendsen_wang) {
      update_.swendsen_wang(states, system_.step, sweeps, census_);
      system_.step += static_cast<std::uint64_t>(sweeps);
    } else {
      // Only the clusters of the last sweep are measured.
      if (sweeps > 1) grow(states, (sweeps - 1) * clusters_, ising::MeasureClusters::no);
      grow(states, clusters_, census_);
    }
    if (census_ != ising::MeasureClusters::no) system_.census.sums = update_.sums();
  }
  bool tune(Index sweeps) override {
    run(sweeps);
    return true;
  }
  void reset_acceptance() override {}
  std::vector<SamplerNumber> sampler_numbers() const override { return {}; }

  /// For each replica its energy, then the number of sites in each state.
  std::vector<Pending> begin_measuring() const override {
    std::vector<double> numbers;
    const std::vector<ising::StateSums> sums = update_.measure(system_.states_by_site());
    for (std::size_t r = 0; r < sums.size(); ++r) {
      numbers.push_back(update_.graph().energy(sums[r].satisfied, static_cast<Index>(r)));
      numbers.insert(numbers.end(), sums[r].counts.begin(), sums[r].counts.end());
    }
    std::vector<Pending> parts;
    parts.emplace_back(std::move(numbers));
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    const Index sites = system_.sites.count;
    const auto q = static_cast<std::size_t>(system_.tables.states());
    EnsembleSample sample;
    for (std::size_t at = 0; at < numbers[0].size(); at += 1 + q) {
      sample.energy.push_back(numbers[0][at] / static_cast<double>(sites));
      append_order(system_.tables, numbers[0].data() + at + 1, sites, sample.order);
    }
    return sample;
  }

  ExchangeView exchange_view() override {
    std::vector<double> energy;
    const std::vector<ising::StateSums> sums = update_.measure(system_.states_by_site());
    for (std::size_t r = 0; r < sums.size(); ++r)
      energy.push_back(update_.graph().energy(sums[r].satisfied, static_cast<Index>(r)));
    if (energy_.size() == 0) energy_ = Array<double>(system_.device, system_.replicas.count);
    energy_.copy_from(energy);
    ExchangeView view;
    view.energy = energy_.data();
    view.beta = beta_.data();
    beta_is_new_ = true;
    return view;
  }

  void save(StageMemory&, const Ranks&) const override {}
  void load(const StageMemory&, const Ranks&) override {}

 private:
  void grow(Array<std::uint8_t>& states, Index clusters, ising::MeasureClusters measured) {
    update_.wolff(states, system_.step, clusters, measured);
    system_.step += static_cast<std::uint64_t>(clusters);
  }
  static ising::MeasureClusters wanted(const ClusterCensus& census) {
    if (!census.is_wanted) return ising::MeasureClusters::no;
    return census.by_size ? ising::MeasureClusters::sums_and_histogram
                          : ising::MeasureClusters::sums;
  }

  DiscreteSystem& system_;
  ClusterRule rule_;
  Index clusters_;
  std::uint64_t seed_;
  OrderParameter order_;
  ising::ClusterUpdate update_;
  Array<double> beta_;  ///< [replicas]
  bool beta_is_new_ = true;
  ising::MeasureClusters census_;
  Array<double> energy_;  ///< energies of exchange_view [replicas]; empty: no exchange
};

}  // namespace

std::unique_ptr<Ensemble> make_cluster_ensemble(DiscreteSystem& system, ClusterRule rule,
                                                Index clusters, std::uint64_t seed) {
  return std::make_unique<ClusterEnsemble>(system, rule, clusters, seed);
}

void require_clusters(const DiscreteTables& tables, const DiscreteSites& sites) {
  constexpr Index most_sites = Index{1} << 32;
  if (sites.count > most_sites)
    throw InputError("cluster updates cannot have " + std::to_string(sites.count) + " sites",
                     "the limit is 2^32: make the lattice smaller, or use sampler = "
                     "\"metropolis\"");
  if (tables.field.h != 0)
    throw InputError(
        "cluster updates work only without a field, but h is " + number_text(tables.field.h),
        tables.field.where.of("h"),
        "remove h, or use sampler = \"metropolis\", \"glauber\" or \"heat-bath\"");
  if (tables.is_ising()) return;
  for (const ScalarExchange& exchange : tables.exchange)
    if (!(least_coupling(exchange) > 0))
      throw InputError(
          "cluster updates of Potts states need J > 0 for every bond; " +
              (exchange.disorder > 0 ? std::string("disorder makes J of some bonds smaller")
                                     : "J is " + number_text(least_coupling(exchange))),
          exchange.where.of({"disorder", "J", "file"}),
          "use sampler = \"metropolis\", \"glauber\" or \"heat-bath\"");
}

StageBytes bytes_of_cluster_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                     const Device& device, Index replicas) {
  // A site has the number of its parent and the size of its cluster. A CPU also has lists of roots
  // and bonds.
  constexpr double of_site_on_cpu = 13, of_site_on_gpu = 8;
  const auto N = static_cast<double>(sites.count);
  const bool on_cpu = device.backend == Backend::cpu;
  StageBytes bytes = bytes_beside_bits(tables, sites, replicas);
  bytes.device +=
      on_cpu
          ? of_site_on_cpu * N *
                static_cast<double>(std::min<Index>(device.threads, std::max<Index>(replicas, 1)))
          : of_site_on_gpu * N * static_cast<double>(replicas);
  const std::vector<const ScalarExchange*> of_axes = exchange_of_axes(tables, sites);
  if (!of_axes.empty() && is_uniform(of_axes)) return bytes;
  const double samples = couplings_differ(tables) ? static_cast<double>(replicas) : 1;
  const double bonds = count_bonds(tables, sites);
  const bool all_differ =
      std::any_of(tables.exchange.begin(), tables.exchange.end(),
                  [](const ScalarExchange& exchange) { return exchange.is_continuous(); });
  // Each bond has a code. If all bonds differ, each also has a weight and thresholds. Graphs also
  // have the ends of bonds.
  bytes.device += bonds * samples * (all_differ ? 4 + 8 : 4) +
                  (all_differ ? 4 * bonds * static_cast<double>(replicas) : 0) +
                  (of_axes.empty() ? 8 * bonds : 0);
  // Couplings are in a list, in a sorted list, and in the graph. For Wolff, each site has a list of
  // its bonds.
  bytes.host +=
      bonds * samples * (all_differ ? 8 + 8 + 8 + 8 + 4 : 8 + 8 + 4) +
      (of_axes.empty()
           ? bonds * (sizeof(lattice::PairBond) + sizeof(lattice::CoupledPair) + 8 + 32) + 8 * N
           : 0);
  return bytes;
}

}  // namespace larmor::study
