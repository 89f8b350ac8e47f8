#pragma once
// The table of an annealing.

#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

/// Keys that the stage has for every model kind.
struct AnnealKeys {
  std::string kind;
  TemperatureRange temperature;
  Index sweeps = 100;
  Index keep_configurations = 1;
  TablePosition where;
};

template <class Matter>
struct AnnealTable : AnnealKeys, Matter::SamplerKeys {
  static constexpr const char* name = "anneal";
  static constexpr const char* doc = "cool (or heat) slowly through a range of temperatures";

  AnnealTable() { kind = name; }

  static FieldTable<AnnealTable> fields() {
    FieldTable<AnnealTable> table;
    table
        .required("kind", &AnnealTable::kind, Dimension::none,
                  "kind of the stage: the name of this table")
        .one_of({name})
        .required("temperature", &AnnealTable::temperature, Dimension::none,
                  "the range of temperatures");
    Matter::add_sampler_fields(table)
        .optional("sweeps", &AnnealTable::sweeps, Dimension::none, "sweeps at each temperature")
        .at_least(1)
        .at_most(most_steps)
        .optional("keep_configurations", &AnnealTable::keep_configurations, Dimension::none,
                  "number of replicas whose configuration is stored")
        .at_least(0);
    return table;
  }
};

}  // namespace larmor::study
