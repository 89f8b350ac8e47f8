#pragma once
// The keys of the sampler and the measurements of Monte Carlo stages of Ising and Potts spins.

#include "larmor/core/input/fields.hpp"
#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/models/discrete/system/discrete_tables.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// The properties of a stage that its sampler uses.
struct DiscreteStage {
  TablePosition where;
  Index kept = 0;  ///< replicas whose final configuration is written
  bool has_ladders = false, moves_isoenergetically = false;
  bool differs_in_field = false;  ///< do the rungs of its ladder differ in a field?
};

/// For the stages that are templates over model kinds.
struct DiscreteSampling {
  using SamplerKeys = DiscreteSamplerKeys;
  static constexpr Dimension field_dimension = Dimension::energy;
  static const MeasureList<MeasureContext>& measured();
  static std::vector<Value> usual_measurements() { return {"energy", "magnetisation"}; }
  template <class Table>
  static FieldTable<Table>& add_sampler_fields(FieldTable<Table>& table) {
    return table
        .optional("sampler", &DiscreteSamplerKeys::sampler, Dimension::none,
                  "method that updates the states")
        .one_of({"metropolis", "glauber", "heat-bath", "swendsen-wang", "wolff"},
                {"proposes another state of a site, and accepts it with probability min(1, exp(-dE "
                 "/ T))",
                 "proposes another state of a site, and accepts it with probability 1 / (1 + "
                 "exp(dE / T))",
                 "draws the state of a site by its Boltzmann weight",
                 "divides all sites into clusters of satisfied bonds, and gives each cluster a "
                 "random state",
                 "grows some clusters from random sites, and gives each cluster another state"})
        .optional(
            "clusters", &DiscreteSamplerKeys::clusters, Dimension::none,
            "wolff: number of clusters that grow in each replica in a sweep. The default is 1")
        .at_least(1)
        .at_most(1e6)
        .optional("engine", &DiscreteSamplerKeys::engine, Dimension::none,
                  "metropolis, glauber and heat-bath: the form in which states are stored")
        .one_of({"automatic", "bits", "samples", "general"},
                {"samples or bits if the system allows one of these forms, otherwise general",
                 "Ising spins of a grid, with a bit for each",
                 "tempering: Ising spins of a grid; 64 disorder samples share a word, with a bit "
                 "for each",
                 "states on any lattice or graph"});
  }
  /// @param table table of a stage, with the positions of its keys
  template <class Table>
  static std::unique_ptr<SamplerChoice> sampler(const Table& table, const ReadContext&) {
    DiscreteStage stage;
    if constexpr (requires { table.where; }) stage.where = table.where;
    if constexpr (requires { table.keep_configurations; }) stage.kept = table.keep_configurations;
    if constexpr (requires { table.isoenergetic_every; }) {
      stage.has_ladders = true;
      stage.moves_isoenergetically = table.isoenergetic_every.has_value();
      stage.differs_in_field = table.field.has_value();
    }
    return choice(table, stage);
  }

 private:
  /// @throws InputError for keys that do not belong to the sampler
  static std::unique_ptr<SamplerChoice> choice(const DiscreteSamplerKeys& keys,
                                               const DiscreteStage& stage);
};

}  // namespace larmor::study
