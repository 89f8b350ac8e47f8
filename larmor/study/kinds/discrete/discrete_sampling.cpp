#include "larmor/study/kinds/discrete/discrete_sampling.hpp"

#include <cmath>

#include "larmor/ising/potts/local_sampler.hpp"
#include "larmor/ising/potts/potts_sums.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/kinds/discrete/discrete_system.hpp"

namespace larmor::study {
namespace {

ising::Rule rule_of(const std::string& sampler) {
  if (sampler == "glauber") return ising::Rule::glauber;
  return sampler == "heat-bath" ? ising::Rule::heat_bath : ising::Rule::metropolis;
}

/// Of Ising spins their mean. Of Potts spins a vector of q components sqrt(q / (q - 1)) (n_k / N -
/// 1 / q) with n_k sites in state k, whose length is 1 where all are in one state.
OrderParameter order_of(const ising::PottsModel& model) {
  return {"magnetisation", "", model.is_ising() ? 1 : Index{model.states()}, 1, ""};
}

class DiscreteEnsemble : public Ensemble {
 public:
  DiscreteEnsemble(DiscreteSystem& system, ising::Rule rule, std::uint64_t seed)
      : system_(system),
        order_(order_of(system.model)),
        sampler_(system.model, rule, seed),
        sums_(system.model) {}

  const OrderParameter& order_parameter() const override { return order_; }
  void set_temperatures(const std::vector<double>& thermal_energy) override {
    sampler_.set_temperatures(thermal_energy);
  }
  void run(Index sweeps) override { sampler_.run(system_.state, sweeps); }
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
    parts.push_back(sums_.begin(system_.state));
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    const ising::PottsModel& model = system_.model;
    const auto sites = static_cast<double>(model.sites());
    const auto q = static_cast<std::size_t>(model.states());
    const std::vector<double>& sums = numbers[0];
    const ising::EnergyOfReplica energy = model.energy_of_replica();
    EnsembleSample sample;
    for (std::size_t at = 0; at < sums.size(); at += 1 + q) {
      const auto replica = static_cast<Index>(at / (1 + q));
      sample.energy.push_back(energy(sums[at], replica) / sites);
      if (model.is_ising()) {
        sample.order.push_back((sums[at + 1] - sums[at + 2]) / sites);
        continue;
      }
      const auto states = static_cast<double>(q);
      for (std::size_t k = 0; k < q; ++k)
        sample.order.push_back(std::sqrt(states / (states - 1)) *
                               (sums[at + 1 + k] / sites - 1 / states));
    }
    return sample;
  }

  ExchangeView exchange_view() override {
    if (energy_.size() == 0)
      energy_ = Array<double>(system_.device, system_.model.replicas().count);
    sums_.store_energies(system_.state, energy_.data());
    ExchangeView view;
    view.energy = energy_.data();
    view.beta = sampler_.betas_on_device();
    view.accepted = sampler_.accepted_on_device();
    return view;
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
  OrderParameter order_;
  ising::LocalSampler sampler_;
  mutable ising::PottsSums sums_;
  Array<double> energy_;  ///< of exchange_view [replicas]; empty: nothing was exchanged
};

class DiscreteSamplerChoice : public SamplerChoice {
 public:
  explicit DiscreteSamplerChoice(const DiscreteSamplerKeys& keys) : keys_(keys) {}

  std::string words() const override { return keys_.sampler; }
  void validate(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    const lattice::Geometry& geometry = *sizing.system.geometry;
    // Colour by colour, walls between domains go on in their direction and vanish in pairs that
    // meet: as many of either direction, so that their difference never changes.
    const bool is_ring = geometry.is_lattice() && geometry.crystal.dimensions == 1 &&
                         geometry.periodic[0] && tables.exchange.size() == 1;
    if (is_ring && tables.states() == 2 && tables.field.h == 0 && keys_.sampler == "metropolis")
      throw InputError("Metropolis updates of a ring without a field are not ergodic",
                       "use sampler = \"heat-bath\" or \"glauber\", or periodic = false");
  }
  StageBytes forecast(const Sizing& sizing) const override {
    const double numbers = static_cast<double>(sizing.replicas) *
                           static_cast<double>(1 + discrete_tables(sizing.study).states());
    StageBytes bytes;
    bytes.device = 16 * numbers;
    return bytes;
  }
  Index order_components(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    return tables.is_ising() ? 1 : tables.states();
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return std::make_unique<DiscreteEnsemble>(discrete_system(simulation), rule_of(keys_.sampler),
                                              simulation.study.seed);
  }

 private:
  DiscreteSamplerKeys keys_;
};

}  // namespace

const MeasureList<MeasureContext>& DiscreteSampling::measured() {
  static const MeasureList<MeasureContext> list{
      {{"energy", "the energy per site"},
       {"magnetisation",
        "Ising: the mean of the spins; Potts: a vector that is 1 long where all sites are in one "
        "state"}},
      {}};
  return list;
}

std::unique_ptr<SamplerChoice> DiscreteSampling::sampler(const DiscreteSamplerKeys& keys,
                                                         const ReadContext&) {
  return std::make_unique<DiscreteSamplerChoice>(keys);
}

}  // namespace larmor::study
