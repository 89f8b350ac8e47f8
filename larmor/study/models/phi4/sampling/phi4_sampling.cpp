#include "larmor/study/models/phi4/sampling/phi4_sampling.hpp"

#include <cmath>
#include <numeric>

#include "larmor/phi4/field_sampler.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/measurements/series.hpp"
#include "larmor/study/models/phi4/system/phi4_system.hpp"

namespace larmor::study {
namespace {

Index local_sweeps(const Phi4SamplerKeys& keys, double lambda) {
  if (!keys.updates_clusters()) return 1;
  return keys.local_sweeps.value_or(std::isinf(lambda) ? 0 : 1);
}

Index wolff_clusters(const Phi4SamplerKeys& keys) { return keys.clusters.value_or(1); }

class Phi4Ensemble : public Ensemble {
 public:
  Phi4Ensemble(Phi4System& system, const Phi4SamplerKeys& keys, std::uint64_t seed)
      : system_(system),
        keys_(keys),
        order_{"magnetisation", "", Index{system.model.components()}, 1, ""},
        rule_(keys.sampler == "heat-bath" ? phi4::LocalRule::heat_bath
                                          : phi4::LocalRule::metropolis),
        local_sweeps_(local_sweeps(keys, system.lambda)),
        local_(system.model, seed) {
    system_.clusters.update = keys.updates_clusters()
                                  ? std::make_unique<phi4::FieldClusters>(system.model, seed)
                                  : nullptr;
    system_.clusters.of_wolff = keys.sampler == "wolff";
  }

  const OrderParameter& order_parameter() const override { return order_; }
  EnergyName energy_name() const override { return {"action", "action_variance", ""}; }
  std::vector<Coupling> couplings() const override {
    const std::vector<double>& kappa = system_.tables.phi4.kappa;
    return {{"kappa", kappa}};
  }

  io::DataArray configuration(Index replica) const override {
    return {system_.state.fields(1, replica),
            {system_.model.sites(), Index{system_.model.components()}}};
  }
  void copy_replicas(std::span<const ReplicaCopy> copies) override {
    system_.state.copy_replicas(copies);
    local_.copy_replicas(copies);
  }

  void set_temperatures(const std::vector<double>&) override {}
  void set_couplings(const std::vector<double>& kappa) override {
    system_.model.set_couplings(kappa, system_.model.lambda());
  }
  void run(Index sweeps) override {
    for (Index sweep = 0; sweep < sweeps; ++sweep) {
      if (local_sweeps_ > 0) local_.run(system_.state, rule_, local_sweeps_);
      if (keys_.over_relaxation > 0)
        local_.run(system_.state, phi4::LocalRule::over_relaxation, keys_.over_relaxation);
      if (system_.clusters.update == nullptr) continue;
      phi4::FieldClusters& clusters = *system_.clusters.update;
      const bool measured = system_.clusters.measured;
      if (system_.clusters.of_wolff)
        clusters.wolff(system_.state, wolff_clusters(keys_), measured);
      else
        clusters.swendsen_wang(system_.state, measured);
      system_.clusters.updates += system_.clusters.of_wolff ? wolff_clusters(keys_) : 1;
    }
  }
  bool tune(Index sweeps) override {
    run(sweeps);
    return adapt();
  }
  bool adapt() override { return !tunes() || local_.tune(); }
  void reset_acceptance() override {
    local_.reset_acceptance();
    if (system_.clusters.update != nullptr) system_.clusters.update->clear_sums();
    system_.clusters.updates = 0;
  }
  std::vector<SamplerNumber> sampler_numbers() const override {
    if (!tunes()) return {};
    return {{"acceptance", "", local_.acceptance()}, {"trial_length", "", local_.step_lengths()}};
  }

  std::vector<Pending> begin_measuring() const override {
    std::vector<Pending> parts;
    parts.push_back(system_.sums.begin(system_.state));
    // Exchanges move kappa from replica to replica.
    parts.push_back(system_.model.kappa_async());
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    EnsembleSample sample;
    for (Index r = 0; r < system_.model.replicas().count; ++r) {
      const phi4::FieldMeans means = system_.sums.means(
          numbers[0], r, numbers[1][static_cast<std::size_t>(r)], system_.lambda);
      sample.energy.push_back(means.action);
      sample.order.insert(sample.order.end(), means.magnetisation.begin(),
                          means.magnetisation.end());
    }
    return sample;
  }

  /// kappa multiplies -2 times the sum of bonds.
  ExchangeView exchange_view() override {
    if (energy_.size() == 0)
      energy_ = Array<double>(system_.device, system_.model.replicas().count);
    system_.sums.store_bond_energies(system_.state, energy_.data());
    ExchangeView view;
    view.energy = energy_.data();
    view.beta = system_.model.kappa_on_device();
    view.tuned = local_.step_lengths_on_device();
    view.tuned_numbers = 1;
    view.accepted = local_.accepted_on_device();
    return view;
  }

  void prepare_next_stage() override { system_.clusters = {}; }

  void save(StageMemory& memory, const Ranks& ranks) const override {
    memory.numbers["accepted"] = ranks.gathered(local_.accepted(), ranks.replicas());
    memory.numbers["trial_lengths"] = ranks.gathered(local_.step_lengths(), ranks.replicas());
    memory.integers["sweeps_counted"] = {local_.sweeps()};
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    local_.restore(ranks.own_of(memory.number("accepted"), ranks.replicas()),
                   memory.integer("sweeps_counted").at(0),
                   ranks.own_of(memory.number("trial_lengths"), ranks.replicas()));
  }

 private:
  bool tunes() const { return local_sweeps_ > 0 && rule_ == phi4::LocalRule::metropolis; }

  Phi4System& system_;
  Phi4SamplerKeys keys_;
  OrderParameter order_;
  phi4::LocalRule rule_;
  Index local_sweeps_;
  phi4::FieldSampler local_;
  Array<double> energy_;  ///< energies of exchange_view [replicas]; empty: no exchange
};

class Phi4SamplerChoice : public SamplerChoice {
 public:
  /// @param where position of the keys
  Phi4SamplerChoice(const Phi4SamplerKeys& keys, TablePosition where)
      : keys_(keys), where_(std::move(where)) {}

  std::string description() const override {
    std::string words = keys_.sampler;
    if (keys_.sampler == "wolff")
      words += ", " + std::to_string(wolff_clusters(keys_)) + " a sweep";
    if (keys_.over_relaxation > 0)
      words += ", " + std::to_string(keys_.over_relaxation) + " over-relaxations a sweep";
    return words;
  }
  double updates_per_sweep() const override {
    const Index local = keys_.updates_clusters() ? keys_.local_sweeps.value_or(0) : 1;
    const Index clusters = !keys_.updates_clusters()  ? 0
                           : keys_.sampler == "wolff" ? wolff_clusters(keys_)
                                                      : 1;
    return static_cast<double>(local + clusters + keys_.over_relaxation);
  }
  void validate(const Sizing& sizing) const override {
    const Phi4Tables& tables = phi4_tables(sizing.study);
    const double lambda = tables.phi4.lambda_number();
    const auto N = static_cast<int>(tables.phi4.components);
    if (keys_.sampler == "heat-bath" && !phi4::has_heat_bath(N, lambda))
      throw InputError("no heat bath for " + std::to_string(N) + " components and lambda = " +
                           (std::isinf(lambda) ? "infinity" : number_text(lambda)),
                       where_.of("sampler"),
                       "a heat bath exists at lambda = 0, and at lambda = infinity for 1 and 3 "
                       "components; use \"metropolis\"");
    if (keys_.over_relaxation > 0 && N == 1)
      throw InputError("over-relaxation does not change a field of one component",
                       where_.of("over_relaxation"), "remove over_relaxation");
    if (std::isfinite(lambda) && keys_.updates_clusters() && local_sweeps(keys_, lambda) == 0)
      throw InputError(
          "clusters do not change |phi|, which is free at lambda = " + number_text(lambda),
          where_.of("local_sweeps"), "give local_sweeps = 1, or leave local_sweeps out");
  }
  StageBytes forecast(const Sizing& sizing) const override {
    const auto numbers = static_cast<double>(sizing.system.sites * sizing.replicas);
    StageBytes bytes;
    if (keys_.updates_clusters()) {
      // Clusters need forests, projections and sums. On a CPU, each thread has those of one
      // replica.
      constexpr double of_site = 33;
      const bool on_cpu = sizing.device.backend == Backend::cpu;
      const double replicas = std::min(static_cast<double>(sizing.replicas),
                                       static_cast<double>(sizing.device.threads));
      (on_cpu ? bytes.host : bytes.device) +=
          of_site * (on_cpu ? static_cast<double>(sizing.system.sites) * replicas : numbers);
    }
    return bytes;
  }
  Index order_components(const Sizing& sizing) const override {
    return phi4_tables(sizing.study).phi4.components;
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return std::make_unique<Phi4Ensemble>(phi4_system(simulation), keys_, simulation.study.seed);
  }

 private:
  Phi4SamplerKeys keys_;
  TablePosition where_;
};

/// Bonds, powers of the field and of its mean, by one sum.
class FieldMoments : public SeriesMeasurement {
 public:
  static constexpr const char* name = "moments";
  static constexpr const char* doc =
      "phi_x.phi_x+mu per bond, phi^2, phi^4, and m^2 and m^4 of the magnetisation m";
  explicit FieldMoments(const MeasureContext& context)
      : SeriesMeasurement(name, name, std::nullopt, context) {}

  std::vector<Pending> begin(const Simulation& simulation) override {
    Phi4System& system = phi4_system(simulation);
    std::vector<Pending> parts;
    parts.push_back(system.sums.begin(system.state));
    return parts;
  }
  std::vector<std::vector<double>> finish(const Simulation& simulation,
                                          std::vector<std::vector<double>> numbers) const override {
    const Phi4System& system = phi4_system(simulation);
    std::vector<double> bond, phi2, phi4, m2, m4;
    for (Index r = 0; r < system.model.replicas().count; ++r) {
      // Only the action depends on kappa. The stage always measures the action itself, so kappa is
      // 0 here.
      const phi4::FieldMeans means = system.sums.means(numbers[0], r, 0, system.lambda);
      bond.push_back(means.bond);
      phi2.push_back(means.phi2);
      phi4.push_back(means.phi4);
      const std::vector<double>& m = means.magnetisation;
      m2.push_back(std::inner_product(m.begin(), m.end(), m.begin(), 0.0));
      m4.push_back(m2.back() * m2.back());
    }
    return {bond, phi2, phi4, m2, m4};
  }

 protected:
  Index numbers(const Sizing&) const override { return 5; }
  std::vector<Observable> observables(const Simulation&) const override {
    return {{"bond", "", 1, {}},
            {"phi2", "", 1, {}},
            {"phi4", "", 1, {}},
            {"m2", "", 1, {}},
            {"m4", "", 1, {}}};
  }
};

/// <m^2> V from the clusters since the previous sample.
class ImprovedSusceptibility : public SeriesMeasurement {
 public:
  static constexpr const char* name = "improved-susceptibility";
  static constexpr const char* doc =
      "V <m^2> of V sites from clusters, with less scatter than from fields";
  explicit ImprovedSusceptibility(const MeasureContext& context)
      : SeriesMeasurement(name, name, std::nullopt, context) {}

  bool of_configurations() const override { return false; }
  void prepare(const Simulation& simulation) override {
    SeriesMeasurement::prepare(simulation);
    phi4_system(simulation).clusters.measured = true;
  }
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue&,
              ResultsGroup&) override {
    announce(now);
    Phi4System& system = phi4_system(simulation);
    const Index V = system.model.sites();
    const int N = system.model.components();
    std::vector<double> values;
    const auto updates = static_cast<double>(system.clusters.updates);
    for (const clusters::ReflectionSums& sums : system.clusters.update->sums())
      values.push_back(
          static_cast<double>(V) / updates *
          (system.clusters.of_wolff ? sums.wolff_order_squared(V, N) : sums.order_squared(V, N)));
    keep(0, values.data(), values.size());
    system.clusters.update->clear_sums();
    system.clusters.updates = 0;
  }

 protected:
  Index numbers(const Sizing&) const override { return 1; }
  std::vector<Observable> observables(const Simulation&) const override {
    return {{"improved_susceptibility", "", 1, {}}};
  }
};

template <class Type>
MeasurementType<MeasureContext> plain_type() {
  return {{Type::name, Type::doc},
          [](const Value&, const MeasureContext& context) -> std::unique_ptr<Measurement> {
            return std::make_unique<Type>(context);
          }};
}

}  // namespace

const MeasureList<MeasureContext>& Phi4Sampling::measured() {
  static const MeasureList<MeasureContext> list{
      {{"action", "S per site"}, {"magnetisation", "the mean of phi, a vector of N components"}},
      {plain_type<FieldMoments>(), plain_type<ImprovedSusceptibility>()}};
  return list;
}

LadderChoice Phi4Sampling::ladder(const Study& study) {
  const Phi4Table& table = phi4_tables(study).phi4;
  return ladder_of_values("kappa", table.where.of("kappa"), table.kappa,
                          tempering::RungScale::linear);
}

std::unique_ptr<SamplerChoice> Phi4Sampling::sampler_of(const Phi4SamplerKeys& keys,
                                                        const std::vector<Value>& measure,
                                                        const TablePosition& where) {
  if (keys.local_sweeps && !keys.updates_clusters())
    throw InputError(
        "local_sweeps are for samplers with clusters, and " + keys.sampler + " has none",
        where.of("local_sweeps"), "remove local_sweeps");
  if (keys.clusters && keys.sampler != "wolff")
    throw InputError("clusters requires sampler = \"wolff\"; the sampler is " + keys.sampler,
                     where.of("clusters"), "remove clusters");
  for (const Value& entry : measure)
    if (entry.is_string() && entry.as_string() == ImprovedSusceptibility::name &&
        !keys.updates_clusters())
      throw InputError(std::string(ImprovedSusceptibility::name) + " needs clusters, and " +
                           keys.sampler + " has none",
                       entry.where(), "use sampler = \"swendsen-wang\" or \"wolff\"");
  return std::make_unique<Phi4SamplerChoice>(keys, where);
}

}  // namespace larmor::study
