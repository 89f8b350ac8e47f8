#include "larmor/study/models/spins/sampling/spin_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/observables/observer.hpp"
#include "larmor/spins/samplers/cluster_bonds.hpp"
#include "larmor/spins/samplers/cluster_sampler.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {
namespace {

spins::SamplerSettings settings_of(const SpinSamplerKeys& keys) {
  spins::SamplerSettings settings;
  for (const auto& [update, info] : spins::all_updates)
    if (info.name != nullptr && keys.sampler == info.name) settings.update = update;
  settings.adaptive_cone = keys.move == "adaptive-cone";
  settings.target_acceptance = keys.target_acceptance;
  settings.over_relaxation = static_cast<int>(keys.over_relaxation);
  if (keys.updates_clusters()) {
    // After the clusters, only over-relaxation updates follow. The update of the sampler is one of
    // these, so one fewer is added.
    settings.update = spins::Update::over_relaxation;
    settings.over_relaxation = std::max(settings.over_relaxation - 1, 0);
  }
  return settings;
}

Index wolff_clusters(const SpinSamplerKeys& keys) { return keys.clusters.value_or(1); }

bool tunes_cones(const SpinSamplerKeys& keys) {
  return keys.sampler == "metropolis" && keys.move == "adaptive-cone";
}

OrderParameter magnetisation(const ReadContext& context) {
  const bool material = context.units == UnitSystem::material;
  return {"magnetisation", material ? "μB" : "", 3, context.constants.mu_B, material ? "μB/T" : ""};
}

/// The bonds of the simulation's model.
clusters::ReflectionGraph bonds_of(const SpinSimulation& simulation) {
  return spins::cluster_bonds(
      simulation.geometry, simulation.model,
      lower_terms(simulation.tables, simulation.geometry, simulation.model.moments()),
      simulation.ranks.share());
}

/// Updates of clusters, and reflections of spins after each.
class ClusterSweeps {
 public:
  ClusterSweeps(const SpinSimulation& simulation, const SpinSamplerKeys& keys)
      : keys_(keys),
        census_(simulation.clusters),
        is_measured_(std::exchange(simulation.clusters, {}).is_wanted),
        update_(simulation.model, bonds_of(simulation), simulation.study.seed,
                simulation.ranks.share(), simulation.state.device()) {}

  /// @param measured does the sampler measure the clusters of the last sweep, if a measurement
  /// needs them?
  void run(spins::SpinState& state, spins::Sampler& single_sites, Index sweeps, bool measured) {
    for (Index sweep = 1; sweep <= sweeps; ++sweep) {
      const bool looked_at = measured && is_measured_ && sweep == sweeps;
      if (looked_at) update_.clear_sums();
      const double* const beta = single_sites.betas_on_device();
      if (keys_.sampler == "wolff")
        update_.wolff(state, beta, wolff_clusters(keys_), looked_at);
      else
        update_.swendsen_wang(state, beta, looked_at);
      if (looked_at) {
        census_.sums = update_.sums();
        census_.updates = keys_.sampler == "wolff" ? wolff_clusters(keys_) : 1;
      }
      if (keys_.over_relaxation > 0) single_sites.run(state, 1);
    }
  }

 private:
  SpinSamplerKeys keys_;
  SpinClusterCensus& census_;
  bool is_measured_;
  spins::ClusterSampler update_;
};

/// The Hamiltonian of the study, with the added field of the stage, and with the own field of each
/// replica as its last term.
/// @param rungs nothing: replicas have no field of their own
std::unique_ptr<spins::Model> model_at_fields(const SpinSimulation& simulation,
                                              const std::optional<Vec3<double>>& added,
                                              const std::optional<FieldRungs>& rungs,
                                              const ReadContext& context) {
  const spins::SiteMoments& moments = simulation.model.moments();
  std::vector<spins::LoweredTerm> terms =
      lower_terms(simulation.tables, simulation.geometry, moments);
  const auto add = [&](const Vec3<double>& B) {
    spins::ZeemanField field;
    field.B = B;
    terms.push_back(field.lower({simulation.geometry, moments, context.constants}));
  };
  if (added) add(*added);
  if (rungs) {
    add(rungs->direction);
    terms.back().has_own_field = true;
  }
  auto model = std::make_unique<spins::Model>(simulation.state.device(), simulation.geometry,
                                              std::move(terms), moments, simulation.ranks.share());
  model->share_by(simulation.state.layout().domain);
  return model;
}

class SpinEnsemble : public Ensemble {
 public:
  /// @param rungs nothing: replicas have only the fields of the study
  SpinEnsemble(const SpinSimulation& simulation, const SpinSamplerKeys& keys,
               const ReadContext& context, const std::optional<FieldRungs>& rungs)
      : state_(simulation.state),
        seed_(simulation.study.seed),
        order_(magnetisation(context)),
        tunes_cones_(tunes_cones(keys)),
        has_rungs_(rungs.has_value()),
        own_model_(rungs || keys.added_field
                       ? model_at_fields(simulation, keys.added_field, rungs, context)
                       : nullptr),
        model_(own_model_ ? *own_model_ : simulation.model),
        sampler_(model_, settings_of(keys), simulation.study.seed, simulation.ranks.share(),
                 simulation.state.device()),
        observer_(model_, simulation.state.layout(), simulation.state.device()) {
    if (rungs) {
      thermal_energy_ = rungs->thermal_energy;
      sampler_.set_temperatures({thermal_energy_});
    }
    if (tunes_cones_ && !state_.cones.empty()) sampler_.set_cones(state_.cones);
    if (keys.updates_clusters()) clusters_ = std::make_unique<ClusterSweeps>(simulation, keys);
  }

  const OrderParameter& order_parameter() const override { return order_; }
  /// The measure of a direction is its solid angle.
  double begin_at_infinite_temperature() override {
    state_.randomise(seed_);
    return static_cast<double>(state_.layout().spins()) * std::log(4 * std::numbers::pi);
  }
  io::DataArray configuration(Index replica) const override {
    std::vector<double> numbers;
    for (const Vec3<double>& e : state_.configuration(replica))
      numbers.insert(numbers.end(), {e.x, e.y, e.z});
    return {std::move(numbers), {state_.layout().sites, 3}};
  }
  void copy_replicas(std::span<const ReplicaCopy> copies) override {
    state_.copy_replicas(copies);
    sampler_.copy_replicas(copies);
  }

  void set_temperatures(const std::vector<double>& thermal_energy) override {
    sampler_.set_temperatures(thermal_energy);
  }
  void set_couplings(const std::vector<double>& field) override {
    std::vector<double> of_thermal_energy = field;
    for (double& h : of_thermal_energy) h /= thermal_energy_;
    own_model_->own_fields().set(of_thermal_energy, thermal_energy_);
    fields_are_old_ = false;
  }
  void run(Index sweeps) override {
    write_fields();
    if (clusters_ != nullptr) return clusters_->run(state_, sampler_, sweeps, true);
    sampler_.run(state_, sweeps);
  }
  bool tune(Index sweeps) override {
    write_fields();
    if (clusters_ == nullptr) return sampler_.tune(state_, sweeps);
    clusters_->run(state_, sampler_, sweeps, false);
    return true;
  }
  bool adapt() override { return clusters_ != nullptr || sampler_.adapt(); }
  void reset_acceptance() override { sampler_.reset_acceptance(); }
  std::vector<SamplerNumber> sampler_numbers() const override {
    if (clusters_ != nullptr) return {};
    std::vector<SamplerNumber> numbers{{"acceptance", "", sampler_.acceptance()}};
    if (tunes_cones_) numbers.push_back({"cone_angle", "rad", sampler_.cone_angles()});
    return numbers;
  }

  std::vector<Pending> begin_measuring() const override {
    write_fields();
    return observer_.begin(state_);
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    spins::EnergyAndMagnetisation measured = spins::Observer::finish(numbers);
    return {std::move(measured.energy), std::move(measured.magnetisation)};
  }

  ExchangeView exchange_view() override {
    if (energy_.size() == 0)
      energy_ = Array<double>(state_.device(), state_.layout().padded_replicas());
    ExchangeView view = sampler_.exchange_view();
    view.energy = energy_.data();
    if (!has_rungs_) {
      observer_.store_energies(state_, energy_.data());
      return view;
    }
    // In a ladder of fields, h / k_B T replaces beta. Minus the moment along the field replaces the
    // energy.
    spins::store_term_energies(model_, model_.term_names().size() - 1, state_, energy_.data());
    view.beta = own_model_->own_fields().fields_on_device();
    fields_are_old_ = true;
    return view;
  }
  void run_exchanging(Index sweeps, tempering::ExchangeTimes times,
                      tempering::ReplicaExchange& exchange, UpdateCounter& step) override {
    if (clusters_ == nullptr && !has_rungs_ &&
        sampler_.run_exchanging(state_, sweeps, times, exchange))
      return;
    Ensemble::run_exchanging(sweeps, times, exchange, step);
  }

  /// The next stage begins with the final cones of this one.
  void prepare_next_stage() override {
    if (tunes_cones_) state_.cones = sampler_.cones();
  }

  // Cones and counters of replicas, then shared numbers.
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
  /// The fields after exchanges of replicas.
  void write_fields() const {
    if (fields_are_old_) own_model_->own_fields().write();
    fields_are_old_ = false;
  }

  spins::SpinState& state_;
  std::uint64_t seed_;
  OrderParameter order_;
  bool tunes_cones_;
  bool has_rungs_;                           ///< do replicas have fields of their own?
  std::unique_ptr<spins::Model> own_model_;  ///< null: the fields are only those of the study
  const spins::Model& model_;
  double thermal_energy_ = 0;            ///< k_B T of fields of replicas
  mutable bool fields_are_old_ = false;  ///< does the model have old fields of replicas?
  spins::Sampler sampler_;
  std::unique_ptr<ClusterSweeps> clusters_;  ///< null: only single-site updates
  spins::Observer observer_;
  Array<double> energy_;  ///< energies of exchange_view [padded replicas]; empty: no exchange
};

/// @throws InputError for a term that reflections change
void require_clusters(const TermTables& terms, const std::string& sampler) {
  const auto refuse = [&](const auto& tables) {
    using Term = typename std::decay_t<decltype(tables)>::value_type;
    if constexpr (!std::is_same_v<Term, spins::Exchange>)
      if (!tables.empty())
        throw InputError("sampler = \"" + sampler +
                             "\" reflects clusters of spins, which changes the energy of " +
                             Term::name,
                         tables.front().where,
                         "clusters need [[exchange]] as the only term; use sampler = "
                         "\"metropolis\" or \"heat-bath\"");
  };
  std::apply([&](const auto&... of_kind) { (refuse(of_kind), ...); }, terms);
}

/// Bonds of all exchange, each pair once.
double count_bonds(const Sizing& sizing) {
  const lattice::Geometry& geometry = *sizing.system.geometry;
  double bonds = 0;
  for (const spins::LoweredTerm& term :
       lower_terms(spin_tables(sizing.study), geometry, site_moments(geometry)))
    bonds += static_cast<double>(std::ssize(term.pairs)) +
             static_cast<double>(std::ssize(term.stencil) * geometry.cells());
  return bonds;
}

class SpinSamplerChoice : public SamplerChoice {
 public:
  SpinSamplerChoice(const SpinSamplerKeys& keys, const TablePosition& where, bool differs_in_field,
                    const ReadContext& context)
      : keys_(keys), where_(where), differs_in_field_(differs_in_field), context_(context) {}

  std::string description() const override {
    std::string words = keys_.sampler;
    if (keys_.sampler == "metropolis") words += ", " + keys_.move;
    if (keys_.sampler == "wolff")
      words += ", " + std::to_string(wolff_clusters(keys_)) +
               (wolff_clusters(keys_) == 1 ? " cluster a sweep" : " clusters a sweep");
    if (keys_.over_relaxation > 0)
      words += ", " + std::to_string(keys_.over_relaxation) + " over-relaxations a sweep";
    return words;
  }
  double updates_per_sweep() const override {
    const Index updates = keys_.sampler == "wolff" ? wolff_clusters(keys_) : 1;
    return static_cast<double>(updates + keys_.over_relaxation);
  }
  bool needs_whole_lattice() const override { return keys_.updates_clusters(); }
  void validate(const Sizing& sizing) const override {
    const TermTables& terms = spin_tables(sizing.study).terms;
    if (differs_in_field_) require_fields(terms);
    if (keys_.added_field && keys_.updates_clusters())
      throw InputError("cluster updates work only without a field, but the stage has added_field",
                       where_.of("added_field"), "use sampler = \"metropolis\" or \"heat-bath\"");
    if (keys_.updates_clusters()) return require_clusters(terms, keys_.sampler);
    for (const spins::Dipolar& dipolar : std::get<std::vector<spins::Dipolar>>(terms))
      if (dipolar.chosen_method(*sizing.system.geometry) == "fft")
        throw InputError(
            "Monte Carlo moves one spin at a time, but dipoles by FFT are computed for all spins "
            "at once",
            dipolar.where,
            "use method = \"bonds\" (small systems) or a cutoff, or a dynamics stage");
  }
  StageBytes forecast(const Sizing& sizing) const override {
    // Energy and magnetisation are summed block by block of threads: some bytes for each spin.
    const SpinLayout layout{sizing.system.sites, sizing.replicas};
    StageBytes bytes;
    bytes.device = static_cast<double>(layout.numbers() / 3);
    // The field of each replica. The model itself is small if bonds repeat cell by cell.
    if (differs_in_field_) bytes.device += static_cast<double>(layout.numbers()) * sizeof(double);
    if (!keys_.updates_clusters()) return bytes;
    // Clusters need forests, projections and sums. On a CPU, each thread has those of one replica.
    constexpr double of_site = 33;
    const bool on_cpu = sizing.device.backend == Backend::cpu;
    const Index at_once =
        on_cpu ? std::min<Index>(sizing.replicas, sizing.device.threads) : sizing.replicas;
    bytes.device += of_site * static_cast<double>(sizing.system.sites * at_once);
    // Each bond has its ends and one coupling, or a coupling for each replica if couplings differ.
    // A list has the bonds, and the graph has a copy.
    const double bonds = count_bonds(sizing);
    const bool differ = sizing.all_replicas > 1 &&
                        numbers_by_replica(spin_tables(sizing.study), *sizing.system.geometry) > 0;
    const double couplings = bonds * static_cast<double>(differ ? sizing.replicas : 1);
    bytes.device += 8 * bonds + 4 * couplings;
    bytes.host += (sizeof(clusters::ReflectionBond) + 8) * bonds + 4 * couplings;
    return bytes;
  }
  Index order_components(const Sizing&) const override { return 3; }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return std::make_unique<SpinEnsemble>(spins_of(simulation), keys_, context_, std::nullopt);
  }
  std::unique_ptr<Ensemble> make_at_fields(const Simulation& simulation,
                                           const FieldRungs& rungs) const override {
    return std::make_unique<SpinEnsemble>(spins_of(simulation), keys_, context_, rungs);
  }

 private:
  /// Checks rungs that differ in a field. @throws InputError if rungs of this study cannot
  void require_fields(const TermTables& terms) const {
    if (keys_.updates_clusters())
      throw InputError("cluster updates work only without a field, but the rungs differ in a field",
                       where_.of("field"), "use sampler = \"metropolis\" or \"heat-bath\"");
    for (const spins::RandomField& random : std::get<std::vector<spins::RandomField>>(terms))
      if (random.by_replica)
        throw InputError("random fields differ by replica, and the rungs also differ in a field",
                         where_.of("field"), "make a ladder of temperatures");
  }

  SpinSamplerKeys keys_;
  TablePosition where_;
  bool differs_in_field_;  ///< do rungs differ in a field?
  ReadContext context_;
};

}  // namespace

std::vector<std::string> spin_sampler_names() {
  std::vector<std::string> names;
  for (const auto& [update, info] : spins::all_updates)
    if (info.name != nullptr) names.push_back(info.name);
  names.insert(names.end(), {"swendsen-wang", "wolff"});
  return names;
}

std::vector<std::string> spin_sampler_docs() {
  std::vector<std::string> docs;
  for (const auto& [update, info] : spins::all_updates)
    if (info.name != nullptr) docs.push_back(info.doc);
  docs.insert(docs.end(), {"divides all sites into clusters along a random axis, and reflects each "
                           "cluster with probability 1/2; only for isotropic exchange",
                           "grows some clusters from random sites, and reflects each cluster along "
                           "a random axis; only for isotropic exchange"});
  return docs;
}

std::unique_ptr<SamplerChoice> SpinSampling::sampler_of(const SpinSamplerKeys& keys,
                                                        const TablePosition& where,
                                                        bool differs_in_field,
                                                        const ReadContext& context) {
  if (keys.clusters && keys.sampler != "wolff")
    throw InputError("clusters belongs to sampler = \"wolff\"", where.of("clusters"),
                     "remove clusters, or use sampler = \"wolff\"");
  return std::make_unique<SpinSamplerChoice>(keys, where, differs_in_field, context);
}

}  // namespace larmor::study
