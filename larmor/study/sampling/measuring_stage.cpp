#include "larmor/study/sampling/measuring_stage.hpp"

namespace larmor::study {

MeasureContext measured_sweeps(const std::string& kind, Index sweeps, Index every,
                               const TablePosition& where, const ReadContext& context) {
  if (every > sweeps)
    throw InputError(kind + " measures every " + std::to_string(every) +
                         " sweeps, but makes only " + std::to_string(sweeps),
                     where.of("measure_every"),
                     "give a measure_every of at most sweeps, or more sweeps");
  MeasureContext told;
  told.read = context;
  told.steps = sweeps;
  told.every = every;
  told.step_name = "sweeps";
  return told;
}

}  // namespace larmor::study
