#include "larmor/study/kinds/spins/spin_sampling.hpp"

#include <algorithm>

#include "larmor/spins/observables/observer.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/kinds/spins/stages/measured.hpp"
#include "larmor/study/kinds/spins/stages/sampled_structure_factors.hpp"
#include "larmor/study/kinds/spins/stages/site_averages.hpp"

namespace larmor::study {
namespace {

spins::SamplerSettings settings_of(const SpinSamplerKeys& keys) {
  spins::SamplerSettings settings;
  settings.update =
      keys.sampler == "heat-bath" ? spins::Update::heat_bath : spins::Update::metropolis;
  settings.adaptive_cone = keys.move == "adaptive-cone";
  settings.target_acceptance = keys.target_acceptance;
  settings.over_relaxation = static_cast<int>(keys.over_relaxation);
  return settings;
}

bool tunes_cones(const SpinSamplerKeys& keys) {
  return keys.sampler == "metropolis" && keys.move == "adaptive-cone";
}

OrderParameter magnetisation(const ReadContext& context) {
  const bool material = context.units == UnitSystem::material;
  return {"magnetisation", material ? "μB" : "", 3, context.constants.mu_B, material ? "μB/T" : ""};
}

class SpinEnsemble : public Ensemble {
 public:
  SpinEnsemble(const SpinSimulation& simulation, const SpinSamplerKeys& keys,
               const ReadContext& context)
      : state_(simulation.state),
        order_(magnetisation(context)),
        tunes_cones_(tunes_cones(keys)),
        replicas_differ_(simulation.model.differs_by_replica()),
        sampler_(simulation.model, settings_of(keys), simulation.study.seed,
                 simulation.ranks.share(), simulation.state.device()),
        observer_(simulation.model, simulation.state.layout(), simulation.state.device()) {
    if (tunes_cones_ && !state_.cones.empty()) sampler_.set_cones(state_.cones);
  }

  const OrderParameter& order_parameter() const override { return order_; }
  bool replicas_differ() const override { return replicas_differ_; }
  void set_temperatures(const std::vector<double>& thermal_energy) override {
    sampler_.set_temperatures(thermal_energy);
  }
  void run(Index sweeps) override { sampler_.run(state_, sweeps); }
  bool tune(Index sweeps) override { return sampler_.tune(state_, sweeps); }
  void reset_acceptance() override { sampler_.reset_acceptance(); }
  std::vector<SamplerNumber> sampler_numbers() const override {
    std::vector<SamplerNumber> numbers{{"acceptance", "", sampler_.acceptance()}};
    if (tunes_cones_) numbers.push_back({"cone_angle", "rad", sampler_.cone_angles()});
    return numbers;
  }

  std::vector<Pending> begin_measuring() const override { return observer_.begin(state_); }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    spins::EnergyAndMagnetisation measured = spins::Observer::finish(numbers);
    return {std::move(measured.energy), std::move(measured.magnetisation)};
  }

  /// The next stage begins with the cones that this one ends with.
  void hand_on() override {
    if (tunes_cones_) state_.cones = sampler_.cones();
  }

  // Cones and counters of replicas, then what they share.
  void save(StageMemory& memory, const Ranks& ranks) const override {
    std::vector<double> sampler = sampler_.save();
    const double shared = sampler.back();
    sampler.pop_back();
    sampler = ranks.gathered(std::move(sampler), ranks.padded_replicas());
    sampler.push_back(shared);
    memory.numbers["sampler"] = std::move(sampler);
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    std::vector<double> sampler = memory.number("sampler");
    const double shared = sampler.back();
    sampler.pop_back();
    sampler = ranks.own_of(sampler, ranks.padded_replicas());
    sampler.push_back(shared);
    sampler_.load(sampler);
  }

 private:
  spins::SpinState& state_;
  OrderParameter order_;
  bool tunes_cones_, replicas_differ_;
  spins::Sampler sampler_;
  spins::Observer observer_;
};

class SpinSamplerChoice : public SamplerChoice {
 public:
  SpinSamplerChoice(const SpinSamplerKeys& keys, const ReadContext& context)
      : keys_(keys), context_(context) {}

  std::string words() const override {
    std::string words = keys_.sampler;
    if (keys_.sampler == "metropolis") words += ", " + keys_.move;
    if (keys_.over_relaxation > 0)
      words += ", " + std::to_string(keys_.over_relaxation) + " over-relaxations a sweep";
    return words;
  }
  double updates_per_sweep() const override {
    return 1.0 + static_cast<double>(keys_.over_relaxation);
  }
  void require_fits(const Sizing& sizing) const override {
    const TermTables& terms = spin_tables(sizing.study).terms;
    for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(terms))
      if (dipolar.chosen_method(*sizing.system.geometry) == "fft")
        throw InputError(
            "Monte Carlo moves one spin at a time, and dipoles by FFT are made for all "
            "at once",
            dipolar.where,
            "use method = \"bonds\" (small systems) or a cutoff, or a dynamics stage");
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return std::make_unique<SpinEnsemble>(spins_of(simulation), keys_, context_);
  }

 private:
  SpinSamplerKeys keys_;
  ReadContext context_;
};

/// What has no rhythm of its own follows that of the stage.
std::vector<SampledTable> completed_by_rhythm(std::vector<SampledTable> measure, Index every) {
  for (SampledTable& m : measure) m.every = m.every.value_or(every);
  return measure;
}

class SpinMeasurements : public SampledMeasurements {
 public:
  SpinMeasurements(std::vector<SampledTable> measure, Index every, Index sweeps,
                   const ReadContext& context)
      : measure_(completed_by_rhythm(std::move(measure), every)),
        context_(context),
        sites_(names_of(measure_)),
        structure_factors_(measure_, sweeps) {}

  std::string plan() const override { return structure_factors_.plan(); }

  StageBytes bytes(const Sizing& sizing, Index samples) const override {
    const lattice::Geometry& geometry = *sizing.system.geometry;
    const SpinLayout layout{geometry.sites(), sizing.replicas};
    for (const SampledTable& m : measure_)
      require_measurable(m.what, sizing.study, geometry, m.where);
    const auto others = static_cast<double>(
        std::count_if(measure_.begin(), measure_.end(),
                      [](const SampledTable& m) { return !m.is_structure_factor(); }));
    double doubles =
        3 * others * static_cast<double>(samples) * static_cast<double>(sizing.replicas);
    for (const SampledTable& m : measure_)
      if (SiteAverages::is_one(m.what)) doubles += SiteAverages::numbers(geometry, sizing.replicas);
    StageBytes bytes;
    bytes.host = 8 * doubles + structure_factors_.extra_bytes(geometry, sizing.replicas);
    structure_factors_.require_replicas(sizing.study, geometry);
    // Energy and magnetisation are summed block by block of threads: some byte a spin.
    bytes.device = sites_.device_bytes(layout, sizing.device) +
                   static_cast<double>(layout.numbers() / 3) +
                   structure_factors_.device_bytes(
                       geometry, {0, sizing.replicas, sizing.all_replicas}, sizing.device);
    return bytes;
  }

  bool reads_tables() const override {
    return std::any_of(measure_.begin(), measure_.end(),
                       [](const SampledTable& m) { return study::reads_tables(m.what); });
  }

  void prepare(const Simulation& simulation) override {
    observables_.clear();
    const SpinSimulation spins = spins_of(simulation);
    std::vector<std::string> seen;
    for (const SampledTable& m : measure_) {
      const std::string& what = m.what;
      const bool beside = what != "energy" && what != "magnetisation" &&
                          !SiteAverages::is_one(what) && !m.is_structure_factor() &&
                          std::find(seen.begin(), seen.end(), what) == seen.end();
      if (!beside) continue;
      seen.push_back(what);
      for (Observable& observable : observables_of(what, spins, context_))
        observables_.push_back(std::move(observable));
    }
    structure_factors_.prepare(spins);
  }
  double seconds_per_sweep(const Simulation& simulation) override {
    return structure_factors_.seconds_per_sweep(spins_of(simulation));
  }
  Index next(Index sweep, Index otherwise) const override {
    return structure_factors_.next(sweep, otherwise);
  }
  void take(const Simulation& simulation, Index sweep, MeasurementQueue& queue) override {
    structure_factors_.take(spins_of(simulation), sweep, queue);
  }
  std::vector<Pending> begin(const Simulation& simulation) override {
    std::vector<Pending> parts;
    for (const Observable& observable : observables_) parts.push_back(observable.measure());
    sites_.add(spins_of(simulation));
    return parts;
  }
  std::vector<ExtraSeries> series() const override {
    std::vector<ExtraSeries> series;
    for (const Observable& observable : observables_)
      series.push_back({observable.name, observable.unit, observable.components, {}});
    return series;
  }
  void append(const Simulation& simulation, ResultsGroup& results, Index point,
              double temperature) override {
    const SpinSimulation spins = spins_of(simulation);
    structure_factors_.append(spins, results, point, temperature);
    sites_.append(spins, results);
  }
  void save(StageMemory& memory, const Ranks& ranks) const override {
    sites_.save(memory, ranks);
    structure_factors_.save(memory, ranks);
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    sites_.load(memory, ranks);
    structure_factors_.load(memory, ranks);
  }

 private:
  std::vector<SampledTable> measure_;
  ReadContext context_;
  SiteAverages sites_;
  SampledStructureFactors structure_factors_;
  std::vector<Observable> observables_;  ///< one a series
};

}  // namespace

std::unique_ptr<SamplerChoice> SpinSampling::sampler(const SpinSamplerKeys& keys,
                                                     const ReadContext& context) {
  return std::make_unique<SpinSamplerChoice>(keys, context);
}

std::unique_ptr<SampledMeasurements> SpinSampling::measurements(std::vector<SampledTable> measure,
                                                                Index every, Index sweeps,
                                                                const ReadContext& context) {
  return std::make_unique<SpinMeasurements>(std::move(measure), every, sweeps, context);
}

}  // namespace larmor::study
