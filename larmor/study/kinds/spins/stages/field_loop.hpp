#pragma once
// Coercive field and remanence of a magnetisation curve m(B), m along the field.

#include <vector>

namespace larmor::study {

struct LoopQuantity {
  double value, error;  ///< NaN: not known
};

/// A loop has two branches, one for each direction of the sweep. With s = 1 where B rises along a
/// branch and -1 where it falls,
///   coercive field: s B where m vanishes, the mean of the branches: half the width of the loop;
///   remanence: - s m where B vanishes, the mean of the branches.
/// Both are interpolated linearly between the fields of the sweep, and are NaN where no branch gets
/// there.
struct FieldLoop {
  LoopQuantity coercive_field, remanence;
};

/// @param field [P] in the order of the sweep; what follows a second turn is left out
/// @param moment, error [P] m and its standard error
FieldLoop field_loop(const std::vector<double>& field, const std::vector<double>& moment,
                     const std::vector<double>& error);

}  // namespace larmor::study
