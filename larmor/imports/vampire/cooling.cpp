#include "larmor/imports/vampire/cooling.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/input/suggest.hpp"
#include "larmor/imports/values.hpp"

namespace larmor::imports::vampire {
namespace {

constexpr int points_of_cooling_time = 50;

/// A function of x = t / c.
struct CoolingFunction {
  const char* name;
  double (*g)(double x);
  double end;             ///< beyond this x, g is below 1e-6
  double most_curvature;  ///< the largest second derivative; 0: two points are exact
};

constexpr CoolingFunction functions[] = {
    {"exponential", [](double x) { return std::exp(-x); }, 14, 1},
    {"gaussian", [](double x) { return std::exp(-x * x); }, 4, 2},
    {"double-gaussian", [](double x) { return std::exp(-(x - 3) * (x - 3)); }, 7, 2},
    {"linear", [](double x) { return 1 - x; }, 1, 0}};

const CoolingFunction& function_of(const Keyword* keyword) {
  if (keyword == nullptr) return functions[0];
  std::vector<std::string> names;
  for (const CoolingFunction& function : functions) {
    if (keyword->value == function.name) return function;
    names.emplace_back(function.name);
  }
  throw InputError("there is no cooling function " + keyword->value, keyword->value_mark.position(),
                   hint_and_list(keyword->value, names));
}

}  // namespace

Cooling cooling_of(const Keywords& input, const Keyword& cooling_time, double duration,
                   const std::array<double, 2>& kelvin) {
  const Quantity c = quantity_of(cooling_time, Dimension::time, "s");
  if (c.inner <= 0)
    throw InputError("the cooling time is not positive", cooling_time.value_mark.position(),
                     "write seconds, such as 1.0E-10");
  const Keyword* const named = input.find("sim:cooling-function");
  const CoolingFunction& function = function_of(named);
  const SourceMark& where = named != nullptr ? named->where : cooling_time.where;
  const double last = std::min(function.end, duration / c.inner);
  const double all = function.most_curvature > 0 ? std::ceil(last * points_of_cooling_time) : 1;
  Value::Array points;
  for (double n = 0; n <= all; ++n) {
    const double x = n / all * last;
    Value point = placed(Value(), where);
    set_placed(point, "time", Value(number_text(x * c.inner) + " ps"), where);
    set_placed(point, "temperature",
               Value(number_text(kelvin[0] + (kelvin[1] - kelvin[0]) * function.g(x)) + " K"),
               where);
    points.push_back(std::move(point));
  }
  const double step = last / all;
  return {placed(Value(std::move(points)), where), function.most_curvature * step * step / 8};
}

}  // namespace larmor::imports::vampire
