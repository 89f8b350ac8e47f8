#pragma once
// The ladder that a study asks for: values of its rungs, or a range and how rungs are spaced there.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/tempering/ladder_layout.hpp"
#include "larmor/tempering/ladder_tuning.hpp"

namespace larmor::study {

/// A range, and how rungs are spaced there.
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
  std::string key;       ///< that gives the values, "temperature"
  SourcePosition where;  ///< of the values
  Dimension dimension = Dimension::none;
  tempering::RungScale scale = tempering::RungScale::logarithmic;
  std::vector<double> values;   ///< taken as they are; empty: a range
  double from = 0, to = 0;      ///< of a range, as what follows
  std::optional<Index> points;  ///< none: as many as there are replicas for
  tempering::Spacing spacing = tempering::Spacing::geometric;

  bool is_tuned() const {
    return values.empty() &&
           (spacing == tempering::Spacing::equal_acceptance || spacing == tempering::Spacing::flow);
  }
  /// "24 rungs from 0.5 to 2 (flow)"
  std::string words() const;
  /// To begin with. @param rungs as the layout has them
  std::vector<double> ladder(Index rungs) const;
};

/// @param value of the key `temperature` @throws InputError for what makes no ladder
LadderChoice temperature_ladder(const Value& value, const ReadContext& context);
/// @param value of the key `field` @param dimension of it: magnetic_field or energy
/// @throws InputError as above
LadderChoice field_ladder(const Value& value, Dimension dimension, const ReadContext& context);
/// @throws InputError for values that make none
LadderChoice ladder_of_values(const std::string& key, const SourcePosition& where,
                              std::vector<double> values, tempering::RungScale scale);

/// How replicas lie on ladders. @param copies as the study says; none: what replicas make
/// @param where_copies of that key @param samples of frozen disorder; each has as many replicas
/// @throws InputError for replicas that are no whole ladders
tempering::LadderLayout layout_of(const LadderChoice& choice, const std::optional<Index>& copies,
                                  const SourcePosition& where_copies, Index replicas,
                                  Index samples);

}  // namespace larmor::study
