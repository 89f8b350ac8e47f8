#include "larmor/study/kinds/spins/spin_sampling.hpp"

#include "larmor/spins/observables/observer.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/kinds/spins/system/spin_simulation.hpp"

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
        sampler_(simulation.model, settings_of(keys), simulation.study.seed,
                 simulation.ranks.share(), simulation.state.device()),
        observer_(simulation.model, simulation.state.layout(), simulation.state.device()) {
    if (tunes_cones_ && !state_.cones.empty()) sampler_.set_cones(state_.cones);
  }

  const OrderParameter& order_parameter() const override { return order_; }
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

  ExchangeView exchange_view() override {
    if (energy_.size() == 0)
      energy_ = Array<double>(state_.device(), state_.layout().padded_replicas());
    observer_.store_energies(state_, energy_.data());
    ExchangeView view;
    view.energy = energy_.data();
    view.beta = sampler_.betas_on_device();
    view.tuned = sampler_.cones_on_device();
    view.tuned_numbers = 1;
    view.accepted = sampler_.accepted_on_device();
    return view;
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
  bool tunes_cones_;
  spins::Sampler sampler_;
  spins::Observer observer_;
  Array<double> energy_;  ///< of exchange_view [padded replicas]; empty: nothing was exchanged
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
  void validate(const Sizing& sizing) const override {
    const TermTables& terms = spin_tables(sizing.study).terms;
    for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(terms))
      if (dipolar.chosen_method(*sizing.system.geometry) == "fft")
        throw InputError(
            "Monte Carlo moves one spin at a time, and dipoles by FFT are made for all "
            "at once",
            dipolar.where,
            "use method = \"bonds\" (small systems) or a cutoff, or a dynamics stage");
  }
  StageBytes forecast(const Sizing& sizing) const override {
    // Energy and magnetisation are summed block by block of threads: some byte a spin.
    const SpinLayout layout{sizing.system.sites, sizing.replicas};
    StageBytes bytes;
    bytes.device = static_cast<double>(layout.numbers() / 3);
    return bytes;
  }
  Index order_components(const Sizing&) const override { return 3; }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return std::make_unique<SpinEnsemble>(spins_of(simulation), keys_, context_);
  }

 private:
  SpinSamplerKeys keys_;
  ReadContext context_;
};

}  // namespace

std::unique_ptr<SamplerChoice> SpinSampling::sampler(const SpinSamplerKeys& keys,
                                                     const ReadContext& context) {
  return std::make_unique<SpinSamplerChoice>(keys, context);
}

}  // namespace larmor::study
