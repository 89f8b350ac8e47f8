#include "larmor/study/models/spins/measurements/correlation_keys.hpp"

#include "larmor/core/statistics/replicas.hpp"

namespace larmor::study {

void require_consistent(const CorrelationKeys& keys) {
  if (keys.window_width && keys.window != "gaussian")
    throw InputError("window_width requires window = \"gaussian\", not \"" + keys.window + "\"",
                     keys.where.of("window_width"),
                     "use window = \"gaussian\", or remove window_width");
}

void require_replicas(const CorrelationKeys& keys, const Study& study) {
  if (keys.connected) require_several_replicas(study, keys.where.of("connected"));
  const Index least = keys.connected ? 2 : 1;
  const Index asked = keys.error_blocks.value_or(0);
  if (asked >= 2 && jackknife_blocks(asked, study.replicas, least) == 0)
    throw InputError(
        "error_blocks leaves replicas out in turn: " +
            std::string(keys.connected ? "connected" : "plain") +
            " correlations with errors need " + std::to_string(least + 1) +
            " replicas or more, and there are " + std::to_string(study.replicas),
        keys.where.of("error_blocks"),
        "set replicas = " + std::to_string(least + 1) + " or more, or error_blocks = 0");
}

}  // namespace larmor::study
