#include "larmor/study/tempering/ladder_choice.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::study {

using tempering::LadderLayout;
using tempering::RungScale;
using tempering::Spacing;

namespace {

const std::vector<std::pair<std::string, Spacing>>& spacings() {
  static const std::vector<std::pair<std::string, Spacing>> all{
      {"geometric", Spacing::geometric},
      {"linear", Spacing::linear},
      {"constant-acceptance", Spacing::equal_acceptance},
      {"flow", Spacing::flow}};
  return all;
}

void refuse(const std::optional<tempering::LadderFault>& fault, const SourcePosition& where) {
  if (fault) throw InputError(fault->problem, where, fault->remedy);
}

std::optional<Index> points_of(const LadderKeys& table) {
  const SourcePosition where = table.where.of("points");
  const char* const remedy = "give a whole number of 2 or more, or \"auto\"";
  if (table.points.is_string()) {
    if (table.points.as_string() == "auto") return {};
    throw InputError("points is \"" + table.points.as_string() + "\"", where, remedy);
  }
  if (table.points.kind() != Value::Kind::integer)
    throw InputError(
        "points must be a whole number or \"auto\", not " + std::string(table.points.kind_text()),
        where, remedy);
  const Index points = table.points.as_integer();
  if (points < 2 || points > 1000000)
    throw InputError(
        "a ladder of " + std::to_string(points) + " rungs", where,
        points < 2 ? "replicas need two rungs or more to be exchanged" : "give a million at most");
  return points;
}

/// Adds the keys that ladders of any quantity have, after the keys of the ends.
template <class Table>
FieldTable<Table>& add_range_fields(FieldTable<Table>& table) {
  return table
      .optional(
          "points", &LadderKeys::points, Dimension::none,
          "number of rungs; \"auto\" takes as many as the replicas allow for the given `copies`")
      .described_as("whole number or \"auto\"", {})
      .optional("spacing", &LadderKeys::spacing, Dimension::none, "spacing of the rungs");
}

constexpr const char* doc_of_equal_acceptance =
    "tuned in thermalisation until all neighbours exchange equally often";
constexpr const char* doc_of_flow =
    "tuned at first until all neighbours exchange equally often, then until replicas pass all "
    "rungs at an equal rate, which gives most round trips";

LadderChoice choice_of_range(const LadderKeys& table, const std::string& key,
                             const SourcePosition& where, RungScale scale) {
  refuse(tempering::fault_of_values({table.from, table.to}, scale, key), where);
  LadderChoice choice;
  choice.key = key;
  choice.where = where;
  choice.scale = scale;
  choice.from = table.from;
  choice.to = table.to;
  choice.points = points_of(table);
  for (const auto& [known, spacing] : spacings())
    if (known == table.spacing) choice.spacing = spacing;
  return choice;
}

}  // namespace

FieldTable<LadderTable> LadderTable::fields() {
  FieldTable<LadderTable> table;
  table.required("from", &LadderKeys::from, Dimension::temperature, "temperature of the first rung")
      .positive()
      .required("to", &LadderKeys::to, Dimension::temperature, "temperature of the last rung")
      .positive();
  return add_range_fields(table).one_of(
      {"geometric", "linear", "constant-acceptance", "flow"},
      {"each temperature is the one before times a factor",
       "each temperature differs from the one before by an equal step", doc_of_equal_acceptance,
       doc_of_flow});
}

template <Dimension dimension>
FieldTable<FieldLadderTable<dimension>> FieldLadderTable<dimension>::fields() {
  FieldTable<FieldLadderTable> table;
  table.required("from", &LadderKeys::from, dimension, "field of the first rung")
      .required("to", &LadderKeys::to, dimension, "field of the last rung");
  return add_range_fields(table).one_of({"linear", "constant-acceptance", "flow"},
                                        {"each field differs from the one before by an equal step",
                                         doc_of_equal_acceptance, doc_of_flow});
}

template struct FieldLadderTable<Dimension::energy>;
template struct FieldLadderTable<Dimension::magnetic_field>;

std::string LadderChoice::description() const {
  if (!values.empty())
    return std::to_string(values.size()) + " rungs from " + number_text(values.front()) + " to " +
           number_text(values.back());
  std::string name;
  for (const auto& [known, of] : spacings())
    if (of == spacing) name = known;
  return (points ? std::to_string(*points) + " rungs" : std::string("rungs")) + " from " +
         number_text(from) + " to " + number_text(to) + " (" + name + ")";
}

std::vector<double> LadderChoice::ladder(Index rungs) const {
  if (!values.empty()) return values;
  std::vector<double> ladder = tempering::spaced_ladder(
      from, to, rungs, spacing == Spacing::linear ? RungScale::linear : scale);
  // A rung that should be zero may have a rounding error of the other rungs.
  const double rounding = 1e-14 * std::max(std::abs(from), std::abs(to));
  for (double& value : ladder)
    if (std::abs(value) < rounding) value = 0;
  return ladder;
}

LadderChoice ladder_of_values(const std::string& key, const SourcePosition& where,
                              std::vector<double> values, RungScale scale) {
  refuse(tempering::fault_of_values(values, scale, key), where);
  LadderChoice choice;
  choice.key = key;
  choice.where = where;
  choice.scale = scale;
  choice.values = std::move(values);
  return choice;
}

namespace {

template <class Table>
LadderChoice ladder_of(const Value& value, Dimension dimension, RungScale scale,
                       const ReadContext& context) {
  const char* const key = Table::name;
  LadderChoice choice;
  if (value.is_table())
    choice = choice_of_range(read_value<Table>(value, key, Dimension::none, context), key,
                             value.where(), scale);
  else
    choice = ladder_of_values(
        key, value.where(), read_value<std::vector<double>>(value, key, dimension, context), scale);
  choice.dimension = dimension;
  return choice;
}

}  // namespace

LadderChoice temperature_ladder(const Value& value, const ReadContext& context) {
  return ladder_of<LadderTable>(value, Dimension::temperature, RungScale::logarithmic, context);
}

LadderChoice field_ladder(const Value& value, Dimension dimension, const ReadContext& context) {
  const auto ladder = [&]<Dimension known>() {
    return ladder_of<FieldLadderTable<known>>(value, known, RungScale::linear, context);
  };
  return dimension == Dimension::magnetic_field ? ladder.operator()<Dimension::magnetic_field>()
                                                : ladder.operator()<Dimension::energy>();
}

LadderLayout layout_of(const LadderChoice& choice, const std::optional<Index>& copies,
                       const SourcePosition& where_copies, Index replicas, Index samples) {
  const Index of_sample = replicas / samples;
  LadderLayout layout;
  layout.samples = samples;
  if (!choice.values.empty())
    layout.rungs = std::ssize(choice.values);
  else
    layout.rungs = choice.points.value_or(of_sample / copies.value_or(1));
  layout.copies = copies.value_or(of_sample / std::max<Index>(layout.rungs, 1));
  const std::string have =
      "replicas = " + std::to_string(replicas) +
      (samples > 1 ? " of samples = " + std::to_string(samples) : std::string());
  if (layout.rungs < 2)
    throw InputError(have + " make ladders of fewer than two rungs", choice.where,
                     "give two replicas or more for each copy of a sample");
  if (layout.copies < 1 || layout.replicas() != replicas) {
    layout.copies = std::max<Index>(layout.copies, 1);
    throw InputError(have + ": no whole ladders of " + std::to_string(layout.rungs) + " rungs" +
                         (copies ? " in " + std::to_string(*copies) + " copies" : ""),
                     copies ? where_copies : choice.where,
                     "give replicas = " + std::to_string(layout.replicas()) +
                         (copies ? "" : ", or a multiple of it"));
  }
  return layout;
}

}  // namespace larmor::study
