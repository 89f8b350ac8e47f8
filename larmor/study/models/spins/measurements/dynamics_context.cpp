#include "larmor/study/models/spins/measurements/dynamics_context.hpp"

namespace larmor::study {

void require_no_pulses(const std::string& what, const DynamicsContext& course,
                       const SourcePosition& where) {
  if (course.has_pulses)
    throw InputError(what + " counts the fields of the Hamiltonian only, not those of pulses",
                     where, "measure it in a stage without pulses");
}

}  // namespace larmor::study
