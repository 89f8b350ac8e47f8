#pragma once
// The keys of the stage `parsplice` that all model kinds share.

#include "larmor/core/input/fields.hpp"
#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

struct ParspliceKeys {
  std::string kind = "parsplice";
  std::string method = "parsplice";
  double temperature = 0;
  double timestep = 0;
  std::optional<Index> check_every;
  double correlation_time = 0;
  std::optional<double> segment_time;
  double time = 0;
  std::optional<Index> workers;
  Index lanes = 64;
  Index parallel_replicas = 8;
  TablePosition where;

  static constexpr const char* name = "parsplice";

  bool is_spliced() const { return method == "parsplice"; }
  bool has_parallel_replicas() const { return method == "parallel-replica"; }
};

/// Times of a stage in steps of its system. Such a step is the time between two checks of the
/// state.
struct ParspliceSteps {
  Index timesteps;  ///< of one step
  double duration;  ///< of one step
  Index correlation_steps, segment_steps, goal_steps;
};

/// @param default_check timesteps between two checks if the study does not say
/// @throws InputError for times that are too short, too long, or out of order
ParspliceSteps steps_of(const ParspliceKeys& keys, Index default_check);

/// @param check_doc documentation of the key check_every
template <class Table>
FieldTable<Table>& add_parsplice_fields(FieldTable<Table>& table, const std::string& check_doc) {
  return table
      .required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({Table::name})
      .optional("method", &Table::method, Dimension::none, "how the trajectory is made")
      .one_of({"parsplice", "parallel-replica", "direct"},
              {"segments of many workers, spliced", "replicas that wait in parallel for an exit",
               "dynamics of one replica, to compare with"})
      .required("temperature", &Table::temperature, Dimension::temperature,
                "temperature of the heat bath")
      .positive()
      .required("timestep", &Table::timestep, Dimension::time, "length of a step of the dynamics")
      .positive()
      .optional("check_every", &Table::check_every, Dimension::none, check_doc)
      .at_least(1)
      .at_most(1e6)
      .required("correlation_time", &Table::correlation_time, Dimension::time,
                "time in a state after which the past is forgotten")
      .positive()
      .optional("segment_time", &Table::segment_time, Dimension::time,
                "least length of a segment. The default is ten times correlation_time")
      .positive()
      .required("time", &Table::time, Dimension::time, "length of the trajectory")
      .positive()
      .optional("workers", &Table::workers, Dimension::none,
                "segments or parallel replicas that run at a time: threads on a CPU, and copies of "
                "the atoms on a GPU. The default is all threads of the run, or enough copies to "
                "keep a GPU busy. No result depends on this number")
      .at_least(1)
      .at_most(4096)
      .optional("lanes", &Table::lanes, Dimension::none,
                "most segments of a state that can run at a time. Results depend on this number")
      .at_least(1)
      .at_most(1e6)
      .optional("parallel_replicas", &Table::parallel_replicas, Dimension::none,
                "replicas of the method parallel-replica. Results depend on this number")
      .at_least(1)
      .at_most(65536);
}

}  // namespace larmor::study
