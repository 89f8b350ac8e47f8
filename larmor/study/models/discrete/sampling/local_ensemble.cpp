#include <algorithm>
#include <cmath>

#include "larmor/ising/potts/potts_sampler.hpp"
#include "larmor/ising/potts/potts_sums.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/discrete/sampling/discrete_ensembles.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_engine.hpp"

namespace larmor::study {
namespace {

class LocalEnsemble : public Ensemble {
 public:
  LocalEnsemble(DiscreteSystem& system, ising::Rule rule, std::uint64_t seed,
                const std::optional<FieldRungs>& fields)
      : system_(system),
        seed_(seed),
        order_(order_of(system.tables)),
        model_(system.potts_model(fields)),
        differ_in_field_(fields.has_value()),
        sampler_(model_, rule, seed),
        sums_(model_) {
    system.potts_state();
    if (fields)
      sampler_.set_temperatures(std::vector<double>(static_cast<std::size_t>(system.replicas.count),
                                                    fields->thermal_energy));
  }

  const OrderParameter& order_parameter() const override { return order_; }
  double begin_at_infinite_temperature() override {
    system_.randomise(seed_);
    return log_states(system_);
  }
  void copy_replicas(std::span<const ReplicaCopy> copies) override {
    system_.potts_state().copy_replicas(copies);
  }
  io::DataArray configuration(Index replica) const override {
    return system_.configuration(replica);
  }

  void move_isoenergetically(std::span<const CopiesToMove> pairs) override {
    system_.move_isoenergetically(pairs);
  }

  void set_temperatures(const std::vector<double>& thermal_energy) override {
    sampler_.set_temperatures(thermal_energy);
  }
  void set_couplings(const std::vector<double>& field) override {
    std::vector<double> h = field;
    for (double& of_replica : h) of_replica += system_.tables.field.h;
    model_.set_fields(h);
  }
  void run(Index sweeps) override { sampler_.run(system_.potts_state(), sweeps); }
  bool tune(Index sweeps) override {
    run(sweeps);
    return true;
  }
  void reset_acceptance() override { sampler_.reset_acceptance(); }
  std::vector<SamplerNumber> sampler_numbers() const override {
    return {{"acceptance", "", sampler_.acceptance()}};
  }

  std::vector<Pending> begin_measuring() const override {
    std::vector<Pending> parts;
    parts.push_back(sums_.begin(system_.potts_state()));
    // Exchanges move the fields from replica to replica, so each sample has its fields.
    parts.push_back(model_.fields_async());
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    const Index sites = system_.sites.count;
    const auto q = static_cast<std::size_t>(system_.tables.states());
    const std::vector<double>& sums = numbers[0];
    const ising::EnergyOfReplica energy = model_.energy_of_replica(numbers[1]);
    EnsembleSample sample;
    for (std::size_t at = 0; at < sums.size(); at += 1 + q) {
      const auto replica = static_cast<Index>(at / (1 + q));
      sample.energy.push_back(energy(sums.data() + at, replica) / static_cast<double>(sites));
      append_order(system_.tables, sums.data() + at + 1, sites, sample.order);
    }
    return sample;
  }

  ExchangeView exchange_view() override {
    if (energy_.size() == 0) energy_ = Array<double>(system_.device, system_.replicas.count);
    ExchangeView view;
    view.energy = energy_.data();
    if (differ_in_field_) {
      sums_.store_field_factors(system_.potts_state(), sampler_.betas(), energy_.data());
      view.beta = model_.fields_on_device();
    } else {
      sums_.store_energies(system_.potts_state(), energy_.data());
      view.beta = sampler_.betas_on_device();
    }
    view.accepted = sampler_.accepted_on_device();
    return view;
  }

  /// The next stage has the field of the study.
  void prepare_next_stage() override {
    if (differ_in_field_) system_.potts_model({});
  }
  void save(StageMemory& memory, const Ranks& ranks) const override {
    memory.numbers["accepted"] = ranks.gathered(sampler_.accepted(), ranks.replicas());
    memory.integers["sweeps_counted"] = {sampler_.sweeps()};
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    sampler_.restore(ranks.own_of(memory.number("accepted"), ranks.replicas()),
                     memory.integer("sweeps_counted").at(0));
  }

 private:
  DiscreteSystem& system_;
  std::uint64_t seed_;
  OrderParameter order_;
  ising::PottsModel& model_;
  bool differ_in_field_;
  ising::PottsSampler sampler_;
  mutable ising::PottsSums sums_;
  Array<double> energy_;  ///< energies of exchange_view [replicas]; empty: no exchange
};

}  // namespace

OrderParameter order_of(const DiscreteTables& tables) {
  return {"magnetisation", "", tables.is_ising() ? 1 : tables.states(), 1, ""};
}

double log_states(const DiscreteSystem& system) {
  return static_cast<double>(system.sites.count) *
         std::log(static_cast<double>(system.tables.states()));
}

void append_order(const DiscreteTables& tables, const double* counts, Index sites,
                  std::vector<double>& order) {
  const auto N = static_cast<double>(sites);
  if (tables.is_ising()) {
    order.push_back((counts[0] - counts[1]) / N);
    return;
  }
  const auto q = static_cast<double>(tables.states());
  for (Index k = 0; k < tables.states(); ++k)
    order.push_back(std::sqrt(q / (q - 1)) * (counts[k] / N - 1 / q));
}

std::unique_ptr<Ensemble> make_local_ensemble(DiscreteSystem& system, ising::Rule rule,
                                              std::uint64_t seed,
                                              const std::optional<FieldRungs>& fields) {
  return std::make_unique<LocalEnsemble>(system, rule, seed, fields);
}

StageBytes bytes_of_local_ensemble(const Sizing& sizing) {
  const DiscreteTables& tables = discrete_tables(sizing.study);
  const DiscreteSites& sites = sites_of(tables);
  const Index replicas = sizing.replicas;
  const bool differ = couplings_differ(tables);
  const auto N = static_cast<double>(sites.count);
  const double bonds = count_bonds(tables, sites);
  const double of_tables = ising::model_bytes(N, bonds, differ ? static_cast<double>(replicas) : 0);
  StageBytes bytes = bytes_beside_bits(tables, sites, replicas);
  bytes.device +=
      of_tables + 16 * static_cast<double>(replicas) * static_cast<double>(1 + tables.states());
  double lanes = 0;
  if (tables.states() == 2 && sizing.device.backend == Backend::cpu) {
    const Index of_sample =
        sizing.all_replicas / sizing.study.samples.value_or(sizing.all_replicas);
    lanes = ising::lane_bytes(N, bonds, replicas, differ ? of_sample : replicas);
  }
  // During construction the host has the list of bonds and its tables. Construction frees the list
  // and its tables before it makes the lanes.
  const double of_lists = bonds * (sizeof(lattice::PairBond) + sizeof(lattice::CoupledPair));
  bytes.host += std::max(of_tables + of_lists, lanes);
  return bytes;
}

}  // namespace larmor::study
