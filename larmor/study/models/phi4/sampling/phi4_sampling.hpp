#pragma once
// The keys of the sampler and the measurements of Monte Carlo stages of phi^4 fields.

#include "larmor/core/input/fields.hpp"
#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/sampling/ensemble.hpp"
#include "larmor/study/tempering/ladder_choice.hpp"

namespace larmor::study {

struct Phi4SamplerKeys {
  std::string sampler = "metropolis";
  Index over_relaxation = 0;
  std::optional<Index> local_sweeps;
  std::optional<Index> clusters;

  bool updates_clusters() const { return sampler == "swendsen-wang" || sampler == "wolff"; }
};

/// For the stages that are templates over model kinds.
struct Phi4Sampling {
  static constexpr bool has_temperature = false;
  using SamplerKeys = Phi4SamplerKeys;
  static const MeasureList<MeasureContext>& measured();
  static std::vector<Value> usual_measurements() { return {"action", "magnetisation", "moments"}; }
  template <class Table>
  static FieldTable<Table>& add_sampler_fields(FieldTable<Table>& table) {
    return table
        .optional("sampler", &Phi4SamplerKeys::sampler, Dimension::none,
                  "method that updates the fields")
        .one_of({"metropolis", "heat-bath", "swendsen-wang", "wolff"},
                {"proposes normally distributed changes of each site, of a width at which half of "
                 "them are accepted",
                 "draws fields by their weight; needs lambda = 0, or lambda = infinity with 1 or 3 "
                 "components",
                 "divides all sites into clusters along a random axis, and reflects each cluster "
                 "with probability 1/2",
                 "grows clusters from random sites, and reflects each cluster along a random axis"})
        .optional("over_relaxation", &Phi4SamplerKeys::over_relaxation, Dimension::none,
                  "number of times that each sweep reflects the field of every site about the sum "
                  "of its neighbours")
        .at_least(0)
        .at_most(1000)
        .optional("local_sweeps", &Phi4SamplerKeys::local_sweeps, Dimension::none,
                  "number of Metropolis updates of every site in each sweep of clusters. The "
                  "default is 1, and at lambda = infinity it is 0")
        .at_least(0)
        .at_most(1000)
        .optional(
            "clusters", &Phi4SamplerKeys::clusters, Dimension::none,
            "wolff: number of clusters that grow in each replica in a sweep. The default is 1")
        .at_least(1)
        .at_most(1000000);
  }
  /// The ladder of a study, for stages whose rungs have couplings of their own.
  /// @throws InputError if kappa does not give a ladder
  static LadderChoice ladder(const Study& study);
  /// @throws InputError for keys and measurements that the sampler does not have
  template <class Table>
  static std::unique_ptr<SamplerChoice> sampler(const Table& table, const ReadContext&) {
    return sampler_of(table, table.measure, table.where);
  }

 private:
  static std::unique_ptr<SamplerChoice> sampler_of(const Phi4SamplerKeys& keys,
                                                   const std::vector<Value>& measure,
                                                   const TablePosition& where);
};

}  // namespace larmor::study
