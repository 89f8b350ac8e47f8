#pragma once
// The ladder that a study asks for: values of its rungs, or a range and how rungs are spaced there.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/tempering/ladder_layout.hpp"
#include "larmor/tempering/ladder_tuning.hpp"

namespace larmor::study {

/// `temperature = { from = 0.5, to = 2.0, points = 24, spacing = "geometric" }`
struct LadderTable {
  static constexpr const char* name = "temperature";
  double from = 0;
  double to = 0;
  Value points = "auto";
  std::string spacing = "geometric";
  TablePosition where;

  static FieldTable<LadderTable> fields();
};

struct LadderChoice {
  std::string key;       ///< that gives the values, "temperature"
  SourcePosition where;  ///< of the values
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
