#pragma once
// What a magnetisation curve m(B) says in a few numbers, m along the field and the mean of the
// replicas.

#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace larmor::study {

struct LoopQuantity {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// A loop has two branches, one for each direction of the sweep. With s = 1 where B rises along a
/// branch and -1 where it falls, and B and m interpolated linearly between the fields of the sweep,
///   coercive field: s B where m vanishes, the mean of the branches: half the width of the loop;
///   coercive field falling, rising: B where m vanishes on that branch;
///   saturation field: s B from which on s m stays above `saturated` times the largest |m| of the
///     sweep, the mean of the branches; known where that is at most `flat` of the last s B;
///   remanence: - s m where B vanishes, the mean of the branches; a branch does not tell it where m
///     changes by more than `small` of itself in the step in which B changes its sign, and more
///     than `steep` times as fast as in the steps before and after: it may jump on either side of
///     0;
///   energy product: the largest - B (B + mu_0 M) of a branch, the mean of the branches.
struct FieldLoop {
  LoopQuantity coercive_field, coercive_field_falling, coercive_field_rising, saturation_field,
      remanence, energy_product;

  /// A linear curve does not saturate: within 1 - saturated of its end it covers 1 % of the fields.
  static constexpr double saturated = 0.99, flat = 0.9;
  static constexpr double small = 0.01, steep = 4;
};

inline constexpr std::array<std::pair<const char*, LoopQuantity FieldLoop::*>, 6> loop_quantities{{
    {"coercive_field", &FieldLoop::coercive_field},
    {"coercive_field_falling", &FieldLoop::coercive_field_falling},
    {"coercive_field_rising", &FieldLoop::coercive_field_rising},
    {"saturation_field", &FieldLoop::saturation_field},
    {"remanence", &FieldLoop::remanence},
    {"energy_product", &FieldLoop::energy_product},
}};

/// Errors are those of the jackknife over replicas.
/// @param field [P] in the order of the sweep; of more than two branches the last two count
/// @param moment [P, replicas]
/// @param polarisation mu_0 M of m = 1, a field; the energy product is a square of fields
FieldLoop field_loop(const std::vector<double>& field, const std::vector<double>& moment,
                     double polarisation);

}  // namespace larmor::study
