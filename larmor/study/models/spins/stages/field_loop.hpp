#pragma once
// Characterises a magnetisation curve m(B) by a few numbers; m is the component along the field,
// averaged over replicas.

#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace larmor::study {

struct LoopQuantity {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// A loop has two branches, one for each direction of the sweep. With s = 1 if B rises along a
/// branch and -1 if it falls, and B and m interpolated linearly between the fields of the sweep:
///   coercive field: s B at m = 0, the mean of the branches: half the width of the loop;
///   coercive field falling, rising: B at m = 0 on that branch;
///   saturation field: the s B beyond which s m stays above `saturated` times the largest |m|
///     of the sweep, the mean of the branches; known if that is at most `flat` of the last s B;
///   remanence: - s m at B = 0, the mean of the branches. It is unknown if m may jump in the
///     step in which B changes its sign: if m then changes by more than `small` of itself, and more
///     than `steep` times as fast as in the steps before and after;
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
/// @param field [P] in the order of the sweep; the last two of more than two branches count
/// @param moment [P, replicas]
/// @param polarisation mu_0 M of m = 1, a field; the energy product is a square of fields
FieldLoop field_loop(const std::vector<double>& field, const std::vector<double>& moment,
                     double polarisation);

}  // namespace larmor::study
