#pragma once
// The temperature of Vampire's program field-cool. With T_1 the maximum, T_0 the minimum, t the
// time of cooling and c the cooling time, T = T_0 + (T_1 - T_0) g(t), where g is
//
//   exponential      exp(-t / c)
//   gaussian         exp(-(t / c)^2)
//   double-gaussian  exp(-((t - 3 c) / c)^2)
//   linear           1 - t / c, and 0 after c

#include <string>
#include <vector>

#include "larmor/imports/vampire/keywords.hpp"

namespace larmor::imports::vampire {

/// The points of a temperature_schedule.
struct Cooling {
  Value points;
  /// Lines between points differ from T by at most this share of T_1 - T_0.
  double largest_difference;
};

/// @param duration the time of cooling, ps @param kelvin T_0 and T_1
/// @throws InputError for a function that Vampire does not have, and for a time that is not
/// positive
Cooling cooling_of(const Keywords& input, const Keyword& cooling_time, double duration,
                   const std::array<double, 2>& kelvin);

}  // namespace larmor::imports::vampire
