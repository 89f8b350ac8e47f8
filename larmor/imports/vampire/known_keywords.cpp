#include "larmor/imports/vampire/known_keywords.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "larmor/core/input/suggest.hpp"

namespace larmor::imports::vampire {
namespace {

constexpr const char* shape_remedy =
    "Larmor reads whole crystals; remove the line, or write the positions of the sample into a "
    "file for [lattice] file";
constexpr const char* several_remedy =
    "write the atoms of each material into a unit-cell file, or use [[alloy]] in a study";
constexpr const char* convert_remedy =
    "remove the line, convert the files by `larmor convert`, and write the term into the study";

const std::vector<KnownKeyword>& keywords() {
  static const std::vector<KnownKeyword> all = [] {
    std::vector<KnownKeyword> list;
    const auto add = [&](Use use, const std::string& remedy,
                         std::initializer_list<const char*> names,
                         const std::string& neutral = "") {
      for (const char* name : names) list.push_back({name, use, remedy, neutral});
    };
    add(Use::supported, "",
        {"create:full",
         "create:crystal-structure",
         "create:periodic-boundaries",
         "create:periodic-boundaries-x",
         "create:periodic-boundaries-y",
         "create:periodic-boundaries-z",
         "dimensions:unit-cell-size",
         "dimensions:unit-cell-size-x",
         "dimensions:unit-cell-size-y",
         "dimensions:unit-cell-size-z",
         "dimensions:system-size",
         "dimensions:system-size-x",
         "dimensions:system-size-y",
         "dimensions:system-size-z",
         "material:file",
         "material:unit-cell-file",
         "sim:program",
         "sim:integrator",
         "sim:temperature",
         "sim:minimum-temperature",
         "sim:maximum-temperature",
         "sim:temperature-increment",
         "sim:equilibration-temperature",
         "sim:time-step",
         "sim:total-time-steps",
         "sim:time-steps",
         "sim:equilibration-time-steps",
         "sim:loop-time-steps",
         "sim:time-steps-increment",
         "sim:applied-field-strength",
         "sim:applied-field-unit-vector",
         "sim:maximum-applied-field-strength",
         "sim:applied-field-strength-increment",
         "sim:equilibration-applied-field-strength",
         "sim:cooling-time",
         "sim:cooling-function",
         "sim:integrator-random-seed",
         "material:num-materials",
         "material:material-name",
         "material:material-element",
         "material:damping-constant",
         "material:exchange-matrix",
         "material:atomic-spin-moment",
         "material:uniaxial-anisotropy-constant",
         "material:second-order-uniaxial-anisotropy-constant",
         "material:uniaxial-anisotropy-direction",
         "material:cubic-anisotropy-constant",
         "material:fourth-order-cubic-anisotropy-constant",
         "material:initial-spin-direction",
         "material:unit-cell-category"});
    add(Use::not_needed, "",
        {"sim:save-checkpoint", "sim:save-checkpoint-rate", "sim:checkpoint",
         "montecarlo:algorithm", "sim:monte-carlo-algorithm"});
    add(Use::only_neutral, "Larmor has one gyromagnetic ratio; remove the line",
        {"material:relative-gamma"}, "1");
    add(Use::only_neutral, convert_remedy,
        {"material:fourth-order-uniaxial-anisotropy-constant",
         "material:sixth-order-uniaxial-anisotropy-constant",
         "material:surface-anisotropy-constant", "material:neel-anisotropy-constant",
         "material:lattice-anisotropy-constant", "material:biquadratic-exchange-matrix",
         "material:exchange-matrix-2nd-nn", "material:exchange-matrix-3rd-nn",
         "material:exchange-matrix-4th-nn"},
        "0");
    add(Use::refused, "write material[1]:exchange-matrix[1], which has the same meaning",
        {"material:exchange-matrix-1st-nn"});
    add(Use::only_neutral,
        "Larmor does not rescale temperatures; remove the line, or scale the temperatures of the "
        "study yourself",
        {"material:temperature-rescaling-exponent"}, "1");
    add(Use::only_neutral,
        "Larmor does not rescale temperatures; remove the line, or scale the temperatures of the "
        "study yourself",
        {"material:temperature-rescaling-curie-temperature"}, "0");
    add(Use::only_neutral, several_remedy, {"material:minimum-height"}, "0");
    add(Use::only_neutral, several_remedy, {"material:maximum-height"}, "1");
    add(Use::only_neutral, several_remedy, {"material:alloy-fraction", "material:intermixing"},
        "0");
    add(Use::only_neutral, several_remedy, {"material:density"}, "1");
    add(Use::refused, several_remedy,
        {"material:host-alloy", "material:geometry-file", "material:core-shell-size",
         "material:interface-roughness", "create:select-material-by-height"});
    add(Use::refused, shape_remedy,
        {"create:cube", "create:cylinder", "create:ellipsoid", "create:sphere",
         "create:truncated-octahedron", "create:particle", "create:particle-array",
         "create:hexagonal-particle-array", "create:voronoi-film", "create:single-spin",
         "create:particle-centre-offset", "dimensions:particle-size",
         "dimensions:particle-spacing"});
    add(Use::refused, "write the shells into a unit-cell file, or as [[exchange]] into a study",
        {"exchange:interaction-range", "exchange:function", "exchange:decay-multiplier",
         "exchange:decay-length", "exchange:decay-shift"});
    add(Use::refused,
        "remove the line, convert the files by `larmor convert`, and add [[dipolar]] to the study",
        {"sim:enable-dipole-fields", "sim:enable-fast-dipole-fields", "dipole:solver",
         "dipole:field-update-rate", "sim:demagnetisation-factor"});
    add(Use::refused, "give the direction by sim:applied-field-unit-vector = 0, 0, 1",
        {"sim:applied-field-angle-theta", "sim:applied-field-angle-phi"});
    add(Use::only_neutral,
        "remove the line, and write a stage `monte-carlo` before the first stage of the study",
        {"sim:preconditioning-steps"}, "0");
    add(Use::refused, "start from a file by [initial] state = \"file\" in a study",
        {"sim:load-checkpoint"});
    add(Use::refused,
        "remove the line, convert the files by `larmor convert`, and give the stage a "
        "temperature_schedule",
        {"sim:laser-pulse-temporal-profile", "sim:laser-pulse-time", "sim:laser-pulse-power"});
    return list;
  }();
  return all;
}

/// Prefixes whose keywords all concern output.
constexpr std::array<const char*, 3> of_output{"output:", "config:", "screen:"};

constexpr std::array<const char*, 15> prefixes{
    "create",     "dimensions", "material",       "sim",         "output",
    "config",     "screen",     "dipole",         "exchange",    "hamr",
    "montecarlo", "anisotropy", "spin-transport", "spin-torque", "cells"};

}  // namespace

KnownKeyword known_keyword(const std::string& name) {
  for (const char* prefix : of_output)
    if (name.starts_with(prefix)) return {name, Use::not_needed, ""};
  for (const KnownKeyword& known : keywords())
    if (known.name == name) return known;
  std::vector<std::string> names;
  for (const KnownKeyword& known : keywords()) names.push_back(known.name);
  const std::string hint = did_you_mean(name, names);
  return {name, Use::unknown, hint.empty() ? "docs/from-vampire.md lists the keywords" : hint};
}

bool is_neutral(const KnownKeyword& known, const Keyword& keyword) {
  return number_of(keyword) == io::parse_real(known.neutral, known.name, {});
}

bool is_known_prefix(const std::string& prefix) {
  return std::find(prefixes.begin(), prefixes.end(), prefix) != prefixes.end();
}

}  // namespace larmor::imports::vampire
