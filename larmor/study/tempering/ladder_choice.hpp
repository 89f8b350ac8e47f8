#pragma once
// The ladder of a study: values of its rungs, or a range and a spacing of rungs.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/tempering/ladder_layout.hpp"
#include "larmor/tempering/ladder_tuning.hpp"

namespace larmor::study {

/// A range, and the spacing of rungs in it.
struct LadderKeys {
  double from = 0;
  double to = 0;
  Value points = "auto";
  std::string spacing;
  TablePosition where;
};

/// `temperature = { from = 0.5, to = 2.0, points = 24, spacing = "geometric" }`
struct LadderTable : LadderKeys {
  static constexpr const char* name = "temperature";
  LadderTable() { spacing = "geometric"; }
  static FieldTable<LadderTable> fields();
};

/// `field = { from = 0.0, to = 0.5, points = 24, spacing = "linear" }`
template <Dimension dimension>
struct FieldLadderTable : LadderKeys {
  static constexpr const char* name = "field";
  FieldLadderTable() { spacing = "linear"; }
  static FieldTable<FieldLadderTable> fields();
};
extern template struct FieldLadderTable<Dimension::energy>;
extern template struct FieldLadderTable<Dimension::magnetic_field>;

struct LadderChoice {
  std::string key;       ///< the key with the values, "temperature"
  SourcePosition where;  ///< position of the values
  Dimension dimension = Dimension::none;
  tempering::RungScale scale = tempering::RungScale::logarithmic;
  std::vector<double> values;  ///< the rungs; empty: a range
  double from = 0, to = 0;  ///< ends of a range; like the next members, unused if there are values
  std::optional<Index> points;  ///< none: as many as the replicas allow
  tempering::Spacing spacing = tempering::Spacing::geometric;

  bool is_tuned() const {
    return values.empty() &&
           (spacing == tempering::Spacing::equal_acceptance || spacing == tempering::Spacing::flow);
  }
  /// "24 rungs from 0.5 to 2 (flow)"
  std::string description() const;
  /// The initial ladder. @param rungs as in the layout
  std::vector<double> ladder(Index rungs) const;
};

/// @param value that of the key `temperature` @throws InputError for an invalid ladder
LadderChoice temperature_ladder(const Value& value, const ReadContext& context);
/// @param value that of the key `field` @param dimension its dimension: magnetic_field or energy
/// @throws InputError as temperature_ladder
LadderChoice field_ladder(const Value& value, Dimension dimension, const ReadContext& context);
/// @throws InputError for values of an invalid ladder
LadderChoice ladder_of_values(const std::string& key, const SourcePosition& where,
                              std::vector<double> values, tempering::RungScale scale);

/// The layout of replicas on ladders.
/// @param copies those of the study; none: as many as the replicas allow
/// @param where_copies position of that key
/// @param samples disorder samples; each has as many replicas
/// @throws InputError if the replicas do not fill whole ladders
tempering::LadderLayout layout_of(const LadderChoice& choice, const std::optional<Index>& copies,
                                  const SourcePosition& where_copies, Index replicas,
                                  Index samples);

}  // namespace larmor::study
