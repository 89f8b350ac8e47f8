#pragma once
// The displacements between sites that a study asks for: all, or those within a box of cells.

#include <optional>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"

namespace larmor::study {

/// `{ cells = [4, 4, 0] }`
struct DisplacementTable {
  static constexpr const char* name = "displacement";
  std::vector<Index> cells;
  SourcePosition where;

  static FieldTable<DisplacementTable> fields();
};

/// The key `displacement`: true, false, or a DisplacementTable.
class DisplacementChoice {
 public:
  /// @throws InputError for any other value, or more than three numbers of cells
  DisplacementChoice(const Value& displacement, const ReadContext& context);

  bool asked() const { return asked_; }
  /// The bins of displacements; none if the study asks for none. @throws InputError for a property
  /// that the lattice does not have
  std::optional<correlations::real_space::DisplacementBins> of(
      const lattice::Geometry& geometry) const;

 private:
  bool asked_ = false;
  std::optional<DisplacementTable> box_;
  SourcePosition where_;
};

}  // namespace larmor::study
