#pragma once
// The table of parallel tempering.

#include "larmor/study/sampling/monte_carlo_table.hpp"
#include "larmor/study/tempering/ladder_choice.hpp"

namespace larmor::study {

/// Keys that the stage has for every model kind.
struct TemperingKeys {
  std::string kind;
  Value temperature;
  std::optional<Value> field;
  std::optional<Vec3<double>> direction;
  std::optional<Index> copies;
  Index exchange_every = 10;
  std::optional<Index> isoenergetic_every;
  Index thermalisation = 10000;
  Index sweeps = 100000;
  std::optional<Index> measure_every;
  Index keep_configurations = 1;
  bool keep_series = true;
  std::string sweep_name = "sweeps";  ///< key of `sweeps`, and their name in messages
  TablePosition where;
};

/// The name of sweeps: model kinds whose sweeps are steps of dynamics give it by `sweep_name`.
template <class Matter>
constexpr const char* sweep_name() {
  if constexpr (requires { Matter::sweep_name; })
    return Matter::sweep_name;
  else
    return "sweeps";
}

/// Model kinds whose replicas may each have an own field give its dimension by `field_dimension`.
template <class Matter>
constexpr Dimension field_dimension() {
  if constexpr (requires { Matter::field_dimension; })
    return Matter::field_dimension;
  else
    return Dimension::none;
}

/// @param Matter as for MonteCarloTable
template <class Matter>
struct TemperingTable : TemperingKeys, Matter::SamplerKeys {
  static constexpr const char* name = "tempering";
  static constexpr const char* doc =
      !has_temperature<Matter>()
          ? "sample all couplings of a ladder, between which replicas are exchanged"
      : field_dimension<Matter>() == Dimension::none
          ? "sample all temperatures of a ladder, between which replicas are exchanged"
          : "sample all temperatures or fields of a ladder, between which replicas are exchanged";
  std::vector<Value> measure = Matter::usual_measurements();  ///< in the form that `read_measure`
                                                              ///< takes

  TemperingTable() {
    kind = name;
    sweep_name = study::sweep_name<Matter>();
    if constexpr (requires { Matter::usual_exchange_every; })
      exchange_every = Matter::usual_exchange_every;
  }

  static FieldTable<TemperingTable> fields() {
    const std::string sweeps = study::sweep_name<Matter>();
    FieldTable<TemperingTable> table;
    table
        .required("kind", &TemperingTable::kind, Dimension::none,
                  "kind of the stage: the name of this table")
        .one_of({name});
    if constexpr (has_temperature<Matter>())
      table
          .required("temperature", &TemperingTable::temperature, Dimension::temperature,
                    field_dimension<Matter>() == Dimension::none
                        ? "temperatures of the rungs: a list, or { from, to, points, spacing }"
                        : "temperatures of the rungs: a list, or { from, to, points, spacing }. "
                          "With `field`, give one number for all rungs")
          .template with_child<LadderTable>();
    if constexpr (field_dimension<Matter>() != Dimension::none)
      table
          .optional("field", &TemperingTable::field, field_dimension<Matter>(),
                    "fields of the rungs, added to the fields of the Hamiltonian: a list, or { "
                    "from, to, points, spacing }")
          .template with_child<FieldLadderTable<field_dimension<Matter>()>>();
    if constexpr (field_dimension<Matter>() == Dimension::magnetic_field)
      table
          .optional(
              "direction", &TemperingTable::direction, Dimension::none,
              "direction of the field, a vector of any length except 0. The default is [0, 0, 1]")
          .not_zero();
    table
        .optional("copies", &TemperingTable::copies, Dimension::none,
                  "number of ladders of each sample. The default is as many as the replicas allow")
        .at_least(1)
        .optional("exchange_every", &TemperingTable::exchange_every, Dimension::none,
                  sweeps + " between exchanges of every second pair of neighbouring rungs")
        .at_least(1)
        .at_most(1e6);
    if constexpr (!requires { Matter::sweep_name; })
      table
          .optional("isoenergetic_every", &TemperingTable::isoenergetic_every, Dimension::none,
                    "sweeps between cluster moves that swap states of two copies of a sample at "
                    "one rung. If left out, there are no such moves")
          .at_least(1)
          .at_most(1e6);
    Matter::add_sampler_fields(table)
        .optional("thermalisation", &TemperingTable::thermalisation, Dimension::none,
                  sweeps + " before measuring, in which a ladder is tuned")
        .at_least(0)
        .at_most(most_steps)
        .optional(sweeps, &TemperingTable::sweeps, Dimension::none, sweeps + " while measuring")
        .at_least(1)
        .at_most(most_steps)
        .optional("measure_every", &TemperingTable::measure_every, Dimension::none,
                  "number of " + sweeps + " between measurements. The default is 10" +
                      (sweeps == "sweeps" ? ", and for cluster updates 1" : ""))
        .at_least(1);
    return add_measure<Matter>(table, "names of properties of configurations")
        .optional("keep_configurations", &TemperingTable::keep_configurations, Dimension::none,
                  "number of replicas whose configuration is stored; replica r ends at rung r "
                  "modulo the number of rungs")
        .at_least(0)
        .optional("keep_series", &TemperingTable::keep_series, Dimension::none,
                  "if true, stores the measurements of every replica at every sample. If false, "
                  "only averages are stored, which cannot be reweighted");
  }
};

}  // namespace larmor::study
