#include "larmor/study/models/atoms/sampling/atom_sampling.hpp"

#include <cmath>

#include "larmor/atoms/integrators/thermostats.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/models/atoms/measurements/thermodynamics_of_rungs.hpp"
#include "larmor/study/models/atoms/stages/atom_stage.hpp"

namespace larmor::study {
namespace {

/// Replicas with thermostats in boxes of one constant volume.
class AtomEnsemble : public Ensemble {
 public:
  /// @param where position of the keys
  AtomEnsemble(AtomSystem& system, const AtomSamplerKeys& keys, TablePosition where)
      : system_(system),
        keys_(keys),
        where_(std::move(where)),
        beta_(system.device, system.replicas.count) {}

  const OrderParameter& order_parameter() const override { return no_order_; }
  EnergyName energy_name() const override {
    return {"energy", "configurational_specific_heat", "k_B"};
  }

  io::DataArray configuration(Index replica) const override {
    const auto positions = system_.on_host().positions_of(replica);
    return {flattened({positions.begin(), positions.end()}), {std::ssize(positions), 3}};
  }
  void copy_replicas(std::span<const ReplicaCopy>) override {
    throw InternalError("replicas of atoms are not copied");
  }

  /// The velocities follow the thermostat: the stage calls this in thermalisation only.
  void set_temperatures(const std::vector<double>& thermal_energy) override {
    std::vector<double> beta;
    for (const double kT : thermal_energy) beta.push_back(1 / kT);
    beta_.copy_from(beta);
    hold(std::move(beta));
  }
  void run(Index steps) override { integrator_->run(system_.state, system_.forces(), steps); }
  bool tune(Index steps) override {
    run(steps);
    return true;
  }
  Index tuning_round() const override {
    return steps_of_block(system_.state.layout.atoms(), system_.device.backend);
  }
  void reset_acceptance() override {}
  std::vector<SamplerNumber> sampler_numbers() const override { return {}; }

  std::vector<Pending> begin_measuring() const override {
    std::vector<Pending> parts;
    parts.emplace_back(potential_energies(system_.state));
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    EnsembleSample sample;
    sample.energy = std::move(numbers[0]);
    for (double& energy : sample.energy) energy /= static_cast<double>(system_.size().sites);
    return sample;
  }

  ExchangeView exchange_view() override {
    ExchangeView view;
    view.energy = system_.state.energy.data();
    view.beta = beta_.data();
    return view;
  }
  void finish_exchange() override {
    std::vector<double> beta = beta_.to_host();
    if (beta == held_) return;
    std::vector<double> factor;
    for (std::size_t r = 0; r < beta.size(); ++r) factor.push_back(std::sqrt(held_[r] / beta[r]));
    scale_velocities(system_.state, factor, system_.device.threads);
    hold(std::move(beta));
  }

  void save(StageMemory& memory, const Ranks& ranks) const override {
    memory.numbers["integrator"] = ranks.gathered(integrator_->save(), ranks.replicas());
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    integrator_->load(ranks.own_of(memory.number("integrator"), ranks.replicas()));
    integrator_->start(system_.state, system_.forces());
  }

 private:
  /// Gives the thermostats the temperatures 1 / (k_B beta).
  void hold(std::vector<double> beta) {
    std::vector<atoms::Ramp> temperature;
    for (const double b : beta)
      temperature.push_back(atoms::Ramp::constant(1 / (b * system_.state.units.k_B)));
    held_ = std::move(beta);
    if (integrator_) return integrator_->set_temperatures(std::move(temperature));
    const atoms::HeatBath bath{std::move(temperature),
                               std::vector<double>(held_.size(), keys_.thermostat_time)};
    integrator_ = atoms::thermostat_of(keys_.thermostat)
                      .make(keys_.timestep, bath, system_.device.threads, {});
    with_position(where_.of("thermostat"),
                  [&] { integrator_->start(system_.state, system_.forces()); });
  }

  AtomSystem& system_;
  AtomSamplerKeys keys_;
  TablePosition where_;
  OrderParameter no_order_{"", "", 0, 1, ""};
  Array<double> beta_;        ///< 1 / k_B T of each replica, which exchanges swap
  std::vector<double> held_;  ///< 1 / k_B T that thermostats and velocities have
  std::unique_ptr<atoms::ThermostattedIntegrator> integrator_;
};

/// @throws InputError unless replicas may exchange their temperatures
void require_one_system(const AtomSetup& setup, const TablePosition& where) {
  if (!setup.has_equal_atoms())
    throw InputError(
        "the structures of the replicas have different atoms, so replicas cannot "
        "exchange temperatures",
        where.of("kind"), "give structures with equal atoms in one order");
  for (const atoms::NamedStructure& structure : setup.structures)
    if (structure.box.vectors != setup.structures.front().box.vectors ||
        structure.box.periodic != setup.structures.front().box.periodic)
      throw InputError(
          "the structures of the replicas have different boxes, so replicas cannot "
          "exchange temperatures",
          where.of("kind"), "give structures in one box");
}

class AtomSamplerChoice : public SamplerChoice {
 public:
  AtomSamplerChoice(const AtomSamplerKeys& keys, TablePosition where, const ReadContext& context)
      : keys_(keys), where_(std::move(where)), context_(context) {}

  std::string description() const override {
    return number_text(keys_.timestep) + " " + inner_unit(Dimension::time, context_.units) + ", " +
           keys_.thermostat;
  }
  std::string engine(const Study&) const override { return keys_.thermostat; }
  void validate(const Sizing& sizing) const override {
    require_precision(sizing);
    const AtomSetup& setup = setup_of(atom_tables(sizing.study));
    if (setup.has_single_atom())
      throw InputError("a single atom has no temperature", where_.of("thermostat"),
                       "thermostats need two atoms or more");
    require_one_system(setup, where_);
  }
  Index order_components(const Sizing&) const override { return 0; }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    AtomSystem& system = atom_system(simulation);
    system.use_seed(simulation.study.seed);
    require_one_box(system, simulation.ranks);
    return std::make_unique<AtomEnsemble>(system, keys_, where_);
  }

 private:
  /// A collective operation. @throws InputError if earlier stages have moved boxes apart
  void require_one_box(const AtomSystem& system, const Ranks& ranks) const {
    constexpr std::size_t numbers = 9;
    const std::vector<double> boxes =
        ranks.all_gathered(numbers_of(system.state, system.replicas.count).boxes, ranks.replicas(),
                           static_cast<Index>(numbers));
    for (std::size_t n = numbers; n < boxes.size(); ++n)
      if (boxes[n] != boxes[n - numbers])
        throw InputError(
            "a barostat has moved the boxes apart, so replicas cannot exchange "
            "temperatures",
            where_.of("kind"), "leave the barostat out in stages before tempering");
  }

  AtomSamplerKeys keys_;
  TablePosition where_;
  ReadContext context_;
};

}  // namespace

const MeasureList<MeasureContext>& AtomSampling::measured() {
  static const MeasureList<MeasureContext> list{
      {{"energy", "potential energy per atom"}},
      {{{ThermodynamicsOfRungs::name, ThermodynamicsOfRungs::doc},
        [](const Value&, const MeasureContext& context) -> std::unique_ptr<Measurement> {
          return std::make_unique<ThermodynamicsOfRungs>(context);
        }}}};
  return list;
}

std::unique_ptr<SamplerChoice> AtomSampling::sampler_of(const AtomSamplerKeys& keys,
                                                        const TablePosition& where,
                                                        const ReadContext& context) {
  return std::make_unique<AtomSamplerChoice>(keys, where, context);
}

}  // namespace larmor::study
