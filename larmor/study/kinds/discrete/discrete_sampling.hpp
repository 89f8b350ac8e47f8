#pragma once
// What Monte Carlo stages of Ising and Potts spins have: keys of the sampler, and what they
// measure.

#include "larmor/core/input/fields.hpp"
#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

struct DiscreteSamplerKeys {
  std::string sampler = "metropolis";
};

/// For the stages that are written once for all kinds of matter.
struct DiscreteSampling {
  using SamplerKeys = DiscreteSamplerKeys;
  static const MeasureList<MeasureContext>& measured();
  static std::vector<Value> usual_measurements() { return {"energy", "magnetisation"}; }
  template <class Table>
  static FieldTable<Table>& add_sampler_fields(FieldTable<Table>& table) {
    return table
        .optional("sampler", &DiscreteSamplerKeys::sampler, Dimension::none,
                  "how a site is updated")
        .one_of({"metropolis", "glauber", "heat-bath"},
                {"another state, accepted with probability min(1, exp(-dE / T))",
                 "another state, accepted with probability 1 / (1 + exp(dE / T))",
                 "a state by its Boltzmann weight"});
  }
  static std::unique_ptr<SamplerChoice> sampler(const DiscreteSamplerKeys& keys,
                                                const ReadContext& context);
};

}  // namespace larmor::study
