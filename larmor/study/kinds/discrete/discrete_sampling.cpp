#include "larmor/study/kinds/discrete/discrete_sampling.hpp"

#include <limits>

#include "larmor/study/input/study.hpp"
#include "larmor/study/kinds/discrete/axis_correlations.hpp"
#include "larmor/study/kinds/discrete/bit_ensemble.hpp"
#include "larmor/study/kinds/discrete/cluster_averages.hpp"
#include "larmor/study/kinds/discrete/cluster_ensemble.hpp"
#include "larmor/study/kinds/discrete/discrete_engine.hpp"
#include "larmor/study/kinds/discrete/local_ensemble.hpp"
#include "larmor/study/kinds/discrete/order_moments.hpp"
#include "larmor/study/kinds/discrete/overlap_of_states.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

class DiscreteSamplerChoice : public SamplerChoice {
 public:
  /// @param kept replicas whose last configuration is written
  DiscreteSamplerChoice(const DiscreteSamplerKeys& keys, Index kept) : keys_(keys), kept_(kept) {}

  StageBytes forecast(const Sizing& sizing) const override {
    StageBytes bytes = forecast_of_updates(sizing);
    bytes.host += trajectory_bytes(sizing, kept_);
    return bytes;
  }

  bool moves_isoenergetically() const override { return true; }
  Index order_components(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    return tables.is_ising() ? 1 : tables.states();
  }

 protected:
  const DiscreteSamplerKeys& keys() const { return keys_; }
  virtual StageBytes forecast_of_updates(const Sizing& sizing) const = 0;

 private:
  DiscreteSamplerKeys keys_;
  Index kept_;
};

class LocalChoice : public DiscreteSamplerChoice {
 public:
  LocalChoice(const DiscreteSamplerKeys& keys, const TablePosition& where, Index kept)
      : DiscreteSamplerChoice(keys, kept), where_(where) {}

  std::string words() const override { return keys().sampler; }
  std::string engine(const Study& study) const override {
    return words() + (takes_bits(discrete_tables(study)) ? " of bits" : " of states");
  }
  void validate(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    const DiscreteSites& sites = sites_of(tables);
    // Colour by colour, walls between domains go on in their direction and vanish in pairs that
    // meet: as many of either direction, so that their difference never changes.
    const bool is_ring = sites.is_grid() && sites.count == sites.grid.lengths[0] &&
                         sites.grid.periodic[0] && tables.exchange.size() == 1;
    if (is_ring && tables.states() == 2 && tables.field.h == 0 && keys().sampler == "metropolis")
      throw InputError("Metropolis updates of a ring without a field are not ergodic",
                       "use sampler = \"heat-bath\" or \"glauber\", or periodic = false");
    const std::string why_not = why_not_bits(tables);
    if (keys().engine == "bits" && !why_not.empty())
      throw InputError("the spins cannot be stored as bits: " + why_not, where_.of("engine"),
                       "leave engine out, or say engine = \"general\"");
    constexpr Index most_sites = std::numeric_limits<std::int32_t>::max();
    if (!takes_bits(tables) && sites.count > most_sites)
      throw InputError("the lattice has more than 2^31 - 1 sites, and its spins are no bits: " +
                           (why_not.empty() ? "engine is \"general\"" : why_not),
                       tables.lattice.where.of({"grid", "size"}), "make the lattice smaller");
  }
  StageBytes forecast_of_updates(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    if (takes_bits(tables))
      return bytes_of_bit_ensemble(tables, sites_of(tables), sizing.device, sizing.replicas);
    return bytes_of_local_ensemble(tables, sites_of(tables), sizing.replicas);
  }
  std::vector<Advice> advice(const Simulation& simulation) const override {
    const DiscreteTables& tables = discrete_tables(simulation.study);
    if (takes_bits(tables)) return {{"spins are stored as bits", false}};
    const std::string why_not = why_not_bits(tables);
    if (!tables.is_ising() || why_not.empty()) return {};
    return {{"spins are not stored as bits: " + why_not, false}};
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    DiscreteSystem& system = discrete_system(simulation);
    const ising::Rule rule = rule_of(keys().sampler);
    if (takes_bits(system.tables)) return make_bit_ensemble(system, rule, simulation.study.seed);
    return make_local_ensemble(system, rule, simulation.study.seed);
  }

 private:
  std::string why_not_bits(const DiscreteTables& tables) const {
    return why_not_as_bits(tables, sites_of(tables), rule_of(keys().sampler));
  }
  bool takes_bits(const DiscreteTables& tables) const {
    return keys().engine != "general" && why_not_bits(tables).empty();
  }

  TablePosition where_;
};

class ClusterChoice : public DiscreteSamplerChoice {
 public:
  using DiscreteSamplerChoice::DiscreteSamplerChoice;

  std::string words() const override {
    if (!is_wolff()) return keys().sampler;
    return keys().sampler + ", " + std::to_string(clusters()) +
           (clusters() == 1 ? " cluster a sweep" : " clusters a sweep");
  }
  void validate(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
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

template <class Measured>
MeasurementType<MeasureContext> by_name() {
  return {{Measured::name, Measured::doc},
          [](const Value& entry, const MeasureContext& context) -> std::unique_ptr<Measurement> {
            return std::make_unique<Measured>(context, entry.where());
          }};
}

}  // namespace

const MeasureList<MeasureContext>& DiscreteSampling::measured() {
  static const MeasureList<MeasureContext> list{
      {{"energy", "the energy per site"},
       {"magnetisation",
        "Ising: the mean of the spins; Potts: a vector that is 1 long where all sites are in one "
        "state"}},
      {by_name<OrderMoments>(), by_name<CorrelationLength>(),
       measurement_type<AxisCorrelations, MeasureContext>(), by_name<ClusterSizes>(),
       by_name<ImprovedSusceptibility>(), measurement_type<OverlapOfStates, MeasureContext>()}};
  return list;
}

std::unique_ptr<SamplerChoice> DiscreteSampling::choice(const DiscreteSamplerKeys& keys,
                                                        const TablePosition& where, Index kept) {
  if (keys.clusters && keys.sampler != "wolff")
    throw InputError("clusters belongs to sampler = \"wolff\"", where.of("clusters"),
                     "remove it, or choose that sampler");
  if (!keys.updates_clusters()) return std::make_unique<LocalChoice>(keys, where, kept);
  if (keys.engine != DiscreteSamplerKeys().engine)
    throw InputError("engine belongs to samplers that update single sites", where.of("engine"),
                     "remove it, or use sampler = \"metropolis\", \"glauber\" or \"heat-bath\"");
  return std::make_unique<ClusterChoice>(keys, kept);
}

}  // namespace larmor::study
