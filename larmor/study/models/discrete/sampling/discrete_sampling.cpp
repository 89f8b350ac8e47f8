#include "larmor/study/models/discrete/sampling/discrete_sampling.hpp"

#include <fmt/core.h>

#include <limits>

#include "larmor/study/input/study.hpp"
#include "larmor/study/models/discrete/measurements/axis_correlations.hpp"
#include "larmor/study/models/discrete/measurements/cluster_averages.hpp"
#include "larmor/study/models/discrete/measurements/order_moments.hpp"
#include "larmor/study/models/discrete/measurements/overlap_of_states.hpp"
#include "larmor/study/models/discrete/sampling/discrete_ensembles.hpp"
#include "larmor/study/models/discrete/sampling/sample_ladder_engine.hpp"
#include "larmor/study/models/discrete/system/discrete_engine.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

class DiscreteSamplerChoice : public SamplerChoice {
 public:
  DiscreteSamplerChoice(const DiscreteSamplerKeys& keys, const DiscreteStage& stage)
      : keys_(keys), stage_(stage) {}

  StageBytes forecast(const Sizing& sizing) const override {
    StageBytes bytes = forecast_of_updates(sizing);
    bytes.host += trajectory_bytes(sizing, stage_.kept);
    return bytes;
  }

  bool moves_isoenergetically() const override { return true; }
  Index order_components(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    return tables.is_ising() ? 1 : tables.states();
  }

 protected:
  const DiscreteSamplerKeys& keys() const { return keys_; }
  const DiscreteStage& stage() const { return stage_; }
  virtual StageBytes forecast_of_updates(const Sizing& sizing) const = 0;

 private:
  DiscreteSamplerKeys keys_;
  DiscreteStage stage_;
};

/// Kernels of Monte Carlo have one field for all sites of a replica.
void require_uniform_field(const DiscreteTables& tables) {
  if (tables.field.h_by_site.empty()) return;
  throw InputError("Monte Carlo of Ising and Potts spins has one field for all sites",
                   tables.field.where.of("h_by_site"),
                   "give h; only transfer-matrix stages and `larmor solve` take h_by_site");
}

class LocalChoice : public DiscreteSamplerChoice {
 public:
  using DiscreteSamplerChoice::DiscreteSamplerChoice;

  std::string description() const override { return keys().sampler; }
  std::string engine(const Study& study) const override {
    if (takes_samples(study)) return description() + " of samples";
    return description() + (takes_bits(discrete_tables(study)) ? " of bits" : " of states");
  }
  void validate(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    const DiscreteSites& sites = sites_of(tables);
    require_uniform_field(tables);
    const std::string reason = reason_against_bits(tables);
    if (keys().engine == "bits" && !reason.empty())
      throw InputError("the spins cannot be stored as bits: " + reason, stage().where.of("engine"),
                       "leave engine out, or give engine = \"general\"");
    if (keys().engine == "samples" && !takes_samples(sizing.study))
      throw InputError(
          "the spins cannot be stored as bits of samples: " + reason_against_samples(sizing.study),
          stage().where.of("engine"), "leave engine out, or give engine = \"general\"");
    if (takes_samples(sizing.study)) return;
    constexpr Index most_sites = std::numeric_limits<std::int32_t>::max();
    if (!takes_bits(tables) && sites.count > most_sites)
      throw InputError(
          "the lattice has more than 2^31 - 1 sites, and its spins are not stored as bits: " +
              (reason.empty() ? "engine is \"general\"" : reason),
          tables.lattice.where.of({"grid", "size"}), "make the lattice smaller");
  }
  StageBytes forecast_of_updates(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    if (takes_samples(sizing.study))
      return bytes_of_sample_ladders(tables, sites_of(tables), sizing.replicas,
                                     sizing.study.replicas_of_sample());
    if (takes_bits(tables))
      return bytes_of_bit_ensemble(tables, sites_of(tables), sizing.device, sizing.replicas);
    return bytes_of_local_ensemble(sizing);
  }
  std::vector<Advice> advice(const Simulation& simulation) const override {
    const DiscreteTables& tables = discrete_tables(simulation.study);
    if (takes_samples(simulation.study))
      return {{"spins are stored as bits, with 64 samples in a word", false}};
    if (takes_bits(tables)) return {{"spins are stored as bits", false}};
    const std::string reason = stage().has_ladders && simulation.study.samples
                                   ? reason_against_chosen_samples(simulation.study)
                                   : reason_against_bits(tables);
    if (!tables.is_ising() || reason.empty()) return {};
    return {{"spins are not stored as bits: " + reason, false}};
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    DiscreteSystem& system = discrete_system(simulation);
    const ising::Rule rule = rule_of(keys().sampler);
    if (takes_bits(system.tables)) return make_bit_ensemble(system, rule, simulation.study.seed);
    return make_local_ensemble(system, rule, simulation.study.seed);
  }
  std::unique_ptr<Ensemble> make_at_fields(const Simulation& simulation,
                                           const FieldRungs& rungs) const override {
    return make_local_ensemble(discrete_system(simulation), rule_of(keys().sampler),
                               simulation.study.seed, rungs);
  }
  void require_ladder(const Simulation& simulation, const LadderPlan& plan) const override {
    if (takes_samples(simulation.study))
      require_whole_ladders(simulation.ranks, plan.layout, stage().where.of("engine"));
  }
  std::unique_ptr<LadderEngine> make_ladder(const Simulation& simulation,
                                            const LadderPlan& plan) const override {
    if (!takes_samples(simulation.study)) return nullptr;
    return make_sample_ladders(simulation, plan, rule_of(keys().sampler));
  }

 private:
  std::string reason_against_samples(const Study& study) const {
    if (stage().differs_in_field) return fields_differ;
    return reason_against_as_samples(study, stage().moves_isoenergetically);
  }
  std::string reason_against_chosen_samples(const Study& study) const {
    const std::string reason = reason_against_samples(study);
    if (!reason.empty() || study.samples.value_or(1) >= samples_worth_a_word) return reason;
    return fmt::format("fewer than {} samples are faster one by one", samples_worth_a_word);
  }
  bool takes_samples(const Study& study) const {
    if (!stage().has_ladders) return false;
    if (keys().engine == "samples") return reason_against_samples(study).empty();
    return keys().engine == "automatic" && reason_against_chosen_samples(study).empty();
  }
  std::string reason_against_bits(const DiscreteTables& tables) const {
    if (stage().differs_in_field) return fields_differ;
    return reason_against_as_bits(tables, sites_of(tables));
  }
  bool takes_bits(const DiscreteTables& tables) const {
    return keys().engine != "general" && reason_against_bits(tables).empty();
  }
};

class ClusterChoice : public DiscreteSamplerChoice {
 public:
  using DiscreteSamplerChoice::DiscreteSamplerChoice;

  std::string description() const override {
    if (!is_wolff()) return keys().sampler;
    return keys().sampler + ", " + std::to_string(clusters()) +
           (clusters() == 1 ? " cluster a sweep" : " clusters a sweep");
  }
  void validate(const Sizing& sizing) const override {
    if (stage().differs_in_field)
      throw InputError("cluster updates work only without a field, but the rungs differ in a field",
                       stage().where.of("field"),
                       "use sampler = \"metropolis\", \"glauber\" or \"heat-bath\"");
    const DiscreteTables& tables = discrete_tables(sizing.study);
    require_uniform_field(tables);
    require_clusters(tables, sites_of(tables));
  }
  StageBytes forecast_of_updates(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    return bytes_of_cluster_ensemble(tables, sites_of(tables), sizing.device, sizing.replicas);
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return make_cluster_ensemble(discrete_system(simulation),
                                 is_wolff() ? ClusterRule::wolff : ClusterRule::swendsen_wang,
                                 clusters(), simulation.study.seed);
  }

 private:
  bool is_wolff() const { return keys().sampler == "wolff"; }
  Index clusters() const { return keys().clusters.value_or(1); }
};

/// @param includes kinds whose numbers it includes
template <class Measured>
MeasurementType<MeasureContext> by_name(std::vector<std::string> includes = {}) {
  return {{Measured::name, Measured::doc, false, {}, std::move(includes)},
          [](const Value& entry, const MeasureContext& context) -> std::unique_ptr<Measurement> {
            return std::make_unique<Measured>(context, entry.where());
          }};
}

}  // namespace

const MeasureList<MeasureContext>& DiscreteSampling::measured() {
  static const MeasureList<MeasureContext> list{
      {{"energy", "the energy per site"},
       {"magnetisation",
        "Ising: the mean of the spins; Potts: a vector, of length 1 if all sites are in one "
        "state"}},
      {by_name<OrderMoments>(), by_name<CorrelationLength>({OrderMoments::name}),
       measurement_type<AxisCorrelations, MeasureContext>(), by_name<ClusterSizes>(),
       by_name<ImprovedSusceptibility>(), measurement_type<OverlapOfStates, MeasureContext>()}};
  return list;
}

std::unique_ptr<SamplerChoice> DiscreteSampling::choice(const DiscreteSamplerKeys& keys,
                                                        const DiscreteStage& stage) {
  const TablePosition& where = stage.where;
  if (keys.clusters && keys.sampler != "wolff")
    throw InputError("clusters belongs to sampler = \"wolff\"", where.of("clusters"),
                     "remove clusters, or use sampler = \"wolff\"");
  if (keys.engine == "samples" && !stage.has_ladders)
    throw InputError("engine = \"samples\" belongs to the stage tempering", where.of("engine"),
                     "leave engine out");
  if (!keys.updates_clusters()) return std::make_unique<LocalChoice>(keys, stage);
  if (keys.engine != DiscreteSamplerKeys().engine)
    throw InputError(
        "engine belongs to samplers that update single sites", where.of("engine"),
        "remove engine, or use sampler = \"metropolis\", \"glauber\" or \"heat-bath\"");
  return std::make_unique<ClusterChoice>(keys, stage);
}

}  // namespace larmor::study
