#include "larmor/study/kinds/discrete/discrete_sampling.hpp"

#include "larmor/study/input/study.hpp"
#include "larmor/study/kinds/discrete/cluster_averages.hpp"
#include "larmor/study/kinds/discrete/cluster_ensemble.hpp"
#include "larmor/study/kinds/discrete/local_ensemble.hpp"

namespace larmor::study {
namespace {

ising::Rule rule_of(const std::string& sampler) {
  if (sampler == "glauber") return ising::Rule::glauber;
  return sampler == "heat-bath" ? ising::Rule::heat_bath : ising::Rule::metropolis;
}

class DiscreteSamplerChoice : public SamplerChoice {
 public:
  explicit DiscreteSamplerChoice(const DiscreteSamplerKeys& keys) : keys_(keys) {}

  Index order_components(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    return tables.is_ising() ? 1 : tables.states();
  }

 protected:
  const DiscreteSamplerKeys& keys() const { return keys_; }

 private:
  DiscreteSamplerKeys keys_;
};

class LocalChoice : public DiscreteSamplerChoice {
 public:
  using DiscreteSamplerChoice::DiscreteSamplerChoice;

  std::string words() const override { return keys().sampler; }
  void validate(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    const DiscreteSites sites = sites_of(tables);
    // Colour by colour, walls between domains go on in their direction and vanish in pairs that
    // meet: as many of either direction, so that their difference never changes.
    const bool is_ring = sites.geometry && sites.geometry->is_lattice() &&
                         sites.geometry->crystal.dimensions == 1 && sites.geometry->periodic[0] &&
                         tables.exchange.size() == 1;
    if (is_ring && tables.states() == 2 && tables.field.h == 0 && keys().sampler == "metropolis")
      throw InputError("Metropolis updates of a ring without a field are not ergodic",
                       "use sampler = \"heat-bath\" or \"glauber\", or periodic = false");
  }
  StageBytes forecast(const Sizing& sizing) const override {
    const DiscreteTables& tables = discrete_tables(sizing.study);
    return bytes_of_local_ensemble(tables, sites_of(tables), sizing.replicas);
  }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return make_local_ensemble(discrete_system(simulation), rule_of(keys().sampler),
                               simulation.study.seed);
  }
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
  StageBytes forecast(const Sizing& sizing) const override {
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
MeasurementType<MeasureContext> of_clusters() {
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
      {of_clusters<ClusterSizes>(), of_clusters<ImprovedSusceptibility>()}};
  return list;
}

void DiscreteSampling::refuse_clusters(const SourcePosition& where) {
  throw InputError("clusters belongs to sampler = \"wolff\"", where,
                   "remove it, or choose that sampler");
}

std::unique_ptr<SamplerChoice> DiscreteSampling::choice(const DiscreteSamplerKeys& keys) {
  if (keys.updates_clusters()) return std::make_unique<ClusterChoice>(keys);
  return std::make_unique<LocalChoice>(keys);
}

}  // namespace larmor::study
