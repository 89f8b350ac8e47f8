#include "larmor/imports/ordering_scan.hpp"

#include <fmt/core.h>

#include "larmor/imports/values.hpp"

namespace larmor::imports {
namespace {

std::string rounded_kelvin(double T) {
  return T >= 10 ? fmt::format("{:.0f} K", T) : fmt::format("{:.3g} K", T);
}

}  // namespace

void add_ordering_scan(double T_c, const SourceMark& where, Import& import) {
  constexpr int points = 12;
  Value range = placed(Value(), where);
  set_placed(range, "from", Value(rounded_kelvin(1.2 * T_c)), where);
  set_placed(range, "to", Value(rounded_kelvin(0.1 * T_c)), where);
  range.set("points", Value(points));
  Value stage;
  stage.set("kind", Value("monte-carlo"));
  stage.set("temperature", range);
  stage.set("thermalisation", Value(500));
  stage.set("sweeps", Value(2000));
  stage.set("measure", Value(Value::Array{"energy", "magnetisation", "sublattices"}));
  import.study.set("stage", Value(Value::Array{stage}));
  import.notes.push_back(
      "the file has no simulation: the size of the lattice and a stage are "
      "added, Monte Carlo from 1.2 of the mean-field T_c down to 0.1 of it");
}

}  // namespace larmor::imports
