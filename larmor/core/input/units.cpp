#include "larmor/core/input/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <system_error>
#include <utility>

#include "larmor/core/input/suggest.hpp"

namespace larmor {
namespace {

struct DimensionNames {
  const char* name;
  const char* article;
  const char* inner;
  const char* usual;
};

constexpr std::array<DimensionNames, 13> dimension_names{{
    {"number", "a", "", ""},
    {"energy", "an", "eV", "meV"},
    {"length", "a", "Å", "Å"},
    {"time", "a", "ps", "fs"},
    {"temperature", "a", "K", "K"},
    {"magnetic field", "a", "T", "T"},
    {"magnetic moment", "a", "μB", "μB"},
    {"frequency", "a", "THz", "THz"},
    {"angle", "an", "rad", "deg"},
    {"velocity", "a", "Å/ps", "m/s"},
    {"mass", "a", "g/mol", "g/mol"},
    {"force", "a", "eV/Å", "eV/Å"},
    {"pressure", "a", "GPa", "GPa"},
}};

const DimensionNames& names_of(Dimension dimension) {
  return dimension_names[static_cast<std::size_t>(dimension)];
}

constexpr double pi = std::numbers::pi;
constexpr double light_cm_per_ps = 2.99792458e-2;

struct Unit {
  std::string_view symbol;
  Dimension dimension;
  double (*factor)(const Constants&);  ///< size of one of this unit, in inner units
};

using Of = const Constants&;

constexpr std::array units{
    Unit{"eV", Dimension::energy, [](Of) { return 1.0; }},
    Unit{"meV", Dimension::energy, [](Of) { return 1e-3; }},
    Unit{"μeV", Dimension::energy, [](Of) { return 1e-6; }},
    Unit{"Ry", Dimension::energy, [](Of c) { return c.Ry; }},
    Unit{"mRy", Dimension::energy, [](Of c) { return 1e-3 * c.Ry; }},
    Unit{"Ha", Dimension::energy, [](Of c) { return 2 * c.Ry; }},
    Unit{"mHa", Dimension::energy, [](Of c) { return 2e-3 * c.Ry; }},
    Unit{"J", Dimension::energy, [](Of c) { return 1 / c.e; }},
    Unit{"erg", Dimension::energy, [](Of c) { return 1e-7 / c.e; }},
    Unit{"kJ/mol", Dimension::energy, [](Of c) { return 1e3 / (c.N_A * c.e); }},
    Unit{"kcal/mol", Dimension::energy, [](Of c) { return 4184 / (c.N_A * c.e); }},
    Unit{"cm^-1", Dimension::energy, [](Of c) { return 2 * pi * c.hbar * light_cm_per_ps; }},
    Unit{"Å", Dimension::length, [](Of) { return 1.0; }},
    Unit{"pm", Dimension::length, [](Of) { return 1e-2; }},
    Unit{"nm", Dimension::length, [](Of) { return 10.0; }},
    Unit{"μm", Dimension::length, [](Of) { return 1e4; }},
    Unit{"m", Dimension::length, [](Of) { return 1e10; }},
    Unit{"bohr", Dimension::length, [](Of c) { return c.bohr; }},
    Unit{"ps", Dimension::time, [](Of) { return 1.0; }},
    Unit{"as", Dimension::time, [](Of) { return 1e-6; }},
    Unit{"fs", Dimension::time, [](Of) { return 1e-3; }},
    Unit{"ns", Dimension::time, [](Of) { return 1e3; }},
    Unit{"μs", Dimension::time, [](Of) { return 1e6; }},
    Unit{"s", Dimension::time, [](Of) { return 1e12; }},
    Unit{"K", Dimension::temperature, [](Of) { return 1.0; }},
    Unit{"mK", Dimension::temperature, [](Of) { return 1e-3; }},
    Unit{"T", Dimension::magnetic_field, [](Of) { return 1.0; }},
    Unit{"mT", Dimension::magnetic_field, [](Of) { return 1e-3; }},
    Unit{"μT", Dimension::magnetic_field, [](Of) { return 1e-6; }},
    Unit{"G", Dimension::magnetic_field, [](Of) { return 1e-4; }},
    Unit{"kG", Dimension::magnetic_field, [](Of) { return 0.1; }},
    Unit{"Oe", Dimension::magnetic_field, [](Of) { return 1e-4; }},
    Unit{"kOe", Dimension::magnetic_field, [](Of) { return 0.1; }},
    Unit{"μB", Dimension::magnetic_moment, [](Of) { return 1.0; }},
    Unit{"J/T", Dimension::magnetic_moment, [](Of c) { return 1 / (c.e * c.mu_B); }},
    Unit{"THz", Dimension::frequency, [](Of) { return 1.0; }},
    Unit{"GHz", Dimension::frequency, [](Of) { return 1e-3; }},
    Unit{"MHz", Dimension::frequency, [](Of) { return 1e-6; }},
    Unit{"Hz", Dimension::frequency, [](Of) { return 1e-12; }},
    Unit{"rad/ps", Dimension::frequency, [](Of) { return 1 / (2 * pi); }},
    Unit{"rad", Dimension::angle, [](Of) { return 1.0; }},
    Unit{"deg", Dimension::angle, [](Of) { return pi / 180; }},
    Unit{"Å/ps", Dimension::velocity, [](Of) { return 1.0; }},
    Unit{"m/s", Dimension::velocity, [](Of) { return 1e-2; }},
    Unit{"km/s", Dimension::velocity, [](Of) { return 10.0; }},
    Unit{"g/mol", Dimension::mass, [](Of) { return 1.0; }},
    Unit{"eV/Å", Dimension::force, [](Of) { return 1.0; }},
    Unit{"meV/Å", Dimension::force, [](Of) { return 1e-3; }},
    Unit{"nN", Dimension::force, [](Of c) { return 1e-19 / c.e; }},
    Unit{"Ry/bohr", Dimension::force, [](Of c) { return c.Ry / c.bohr; }},
    Unit{"Ha/bohr", Dimension::force, [](Of c) { return 2 * c.Ry / c.bohr; }},
    Unit{"GPa", Dimension::pressure, [](Of) { return 1.0; }},
    Unit{"MPa", Dimension::pressure, [](Of) { return 1e-3; }},
    Unit{"kPa", Dimension::pressure, [](Of) { return 1e-6; }},
    Unit{"Pa", Dimension::pressure, [](Of) { return 1e-9; }},
    Unit{"bar", Dimension::pressure, [](Of) { return 1e-4; }},
    Unit{"kbar", Dimension::pressure, [](Of) { return 0.1; }},
    Unit{"atm", Dimension::pressure, [](Of) { return 1.01325e-4; }},
    Unit{"eV/Å^3", Dimension::pressure, [](Of c) { return 1e21 * c.e; }},
};

/// Other spellings, in the form that `normalised` returns.
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> aliases{{
    {"A", "Å"},
    {"angstrom", "Å"},
    {"Angstrom", "Å"},
    {"a0", "bohr"},
    {"muB", "μB"},
    {"mu_B", "μB"},
    {"uB", "μB"},
    {"ueV", "μeV"},
    {"um", "μm"},
    {"us", "μs"},
    {"uT", "μT"},
    {"1/cm", "cm^-1"},
    {"°", "deg"},
    {"u", "g/mol"},
    {"Da", "g/mol"},
    {"eV/A", "eV/Å"},
    {"eV/Angstrom", "eV/Å"},
    {"meV/A", "meV/Å"},
    {"eV/A^3", "eV/Å^3"},
    {"eV/Angstrom^3", "eV/Å^3"},
    {"eV/Å³", "eV/Å^3"},
}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// Replaces characters that Unicode has twice by one of them.
std::string normalised(std::string_view unit) {
  std::string text(unit);
  replace_all(text, "\u00B5", "μ");   // micro sign
  replace_all(text, "\u212B", "Å");   // Angstrom sign
  replace_all(text, "A\u030A", "Å");  // A and a combining ring
  return text;
}

const Unit* find_unit(std::string_view name) {
  const std::string text = normalised(name);
  std::string_view symbol = text;
  for (const auto& [alias, meant] : aliases) {
    if (symbol == alias) symbol = meant;
  }
  for (const auto& unit : units) {
    if (unit.symbol == symbol) return &unit;
  }
  return nullptr;
}

/// Energy in eV that is equivalent to one inner unit of a dimension: k_B T, h nu; 0 if there is
/// none.
double energy_equivalent(Dimension dimension, const Constants& constants) {
  switch (dimension) {
    case Dimension::energy:
      return 1;
    case Dimension::temperature:
      return constants.k_B;
    case Dimension::frequency:
      return 2 * pi * constants.hbar;
    default:
      return 0;
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

struct Quantity {
  double number;
  std::string_view unit;
};

std::optional<Quantity> split_quantity(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  constexpr std::string_view number_start = "0123456789.-";
  if (text.empty() || number_start.find(text.front()) == std::string_view::npos) return {};
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || !std::isfinite(number)) return {};
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view not_a_unit = ",.+-*0123456789";
  if (!rest.empty() && not_a_unit.find(rest.front()) != std::string_view::npos) return {};
  return Quantity{number, trimmed(rest)};
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string prefix(const std::string& key) { return key.empty() ? "" : key + ": "; }

std::string example(std::string_view number, Dimension dimension) {
  return "write for example \"" + std::string(number) + " " + usual_unit(dimension) + "\"";
}

/// Refuses text where only a plain number is allowed.
[[noreturn]] void refuse_text(std::string_view text, const std::optional<Quantity>& quantity,
                              Dimension needed, const std::string& key,
                              const SourcePosition& where) {
  const bool has_unit = quantity && !quantity->unit.empty();
  std::string problem = " is text, and a plain number is needed";
  std::string remedy = "write only the number, without quotes";
  if (has_unit && needed != Dimension::none) {
    problem = " has a unit, but this study is in reduced units";
    remedy = "write a number in units of the coupling, or set units = \"material\"";
  }
  throw InputError(prefix(key) + quoted(text) + problem, where, remedy);
}

[[noreturn]] void refuse_unit(std::string_view unit, Dimension needed, const std::string& key,
                              const SourcePosition& where) {
  std::vector<std::string> known;
  for (const Dimension dimension : interchangeable(needed))
    for (const UnitSpellings& spellings : units_of(dimension))
      known.insert(known.end(), spellings.begin(), spellings.end());
  const std::string guess = did_you_mean(unit, known);
  throw InputError(prefix(key) + "unknown unit " + quoted(unit), where,
                   (guess.empty() ? "" : guess + " ") + "units of " + dimension_name(needed) +
                       ": " + accepted_units(needed));
}

/// Number of inner units of `needed` in one `unit`.
double conversion(const Unit& unit, Dimension needed, std::string_view text,
                  const Constants& constants, const std::string& key, const SourcePosition& where) {
  const double factor = unit.factor(constants);
  if (unit.dimension == needed) return factor;
  const double from = energy_equivalent(unit.dimension, constants);
  const double to = energy_equivalent(needed, constants);
  if (from == 0 || to == 0) {
    throw InputError(
        prefix(key) + quoted(text) + " is " + a_dimension(unit.dimension) + ", and " +
            a_dimension(needed) + " is needed",
        where, std::string("units of ") + dimension_name(needed) + ": " + accepted_units(needed));
  }
  return factor * from / to;
}

}  // namespace

const char* dimension_name(Dimension dimension) { return names_of(dimension).name; }

std::string a_dimension(Dimension dimension) {
  return std::string(names_of(dimension).article) + " " + names_of(dimension).name;
}

const char* inner_unit(Dimension dimension, UnitSystem system) {
  if (system == UnitSystem::reduced && dimension != Dimension::angle) return "";
  return names_of(dimension).inner;
}

const char* usual_unit(Dimension dimension) { return names_of(dimension).usual; }

std::vector<Dimension> interchangeable(Dimension dimension) {
  std::vector<Dimension> found{dimension};
  if (energy_equivalent(dimension, codata_2018) == 0) return found;
  for (const Dimension other : {Dimension::energy, Dimension::temperature, Dimension::frequency})
    if (other != dimension) found.push_back(other);
  return found;
}

std::vector<UnitSpellings> units_of(Dimension dimension) {
  std::vector<UnitSpellings> found;
  for (const auto& unit : units) {
    if (unit.dimension != dimension) continue;
    UnitSpellings spellings{std::string(unit.symbol)};
    for (const auto& [alias, meant] : aliases)
      if (meant == unit.symbol) spellings.emplace_back(alias);
    found.push_back(std::move(spellings));
  }
  return found;
}

std::string accepted_units(Dimension dimension) {
  std::string text;
  for (const Dimension each : interchangeable(dimension)) {
    std::vector<std::string> names;
    for (const UnitSpellings& spellings : units_of(each)) {
      const std::vector<std::string> others(spellings.begin() + 1, spellings.end());
      names.push_back(spellings[0] + (others.empty() ? "" : " (" + comma_list(others) + ")"));
    }
    text += (text.empty() ? "" : std::string(", or of ") + dimension_name(each) + ": ") +
            comma_list(names);
  }
  return text;
}

double parse_quantity(std::string_view text, Dimension needed, const ReadContext& context,
                      const std::string& key, const SourcePosition& where) {
  const auto quantity = split_quantity(text);
  const bool reduced = context.units == UnitSystem::reduced && needed != Dimension::angle;
  if (needed == Dimension::none || reduced) refuse_text(text, quantity, needed, key, where);
  if (!quantity) {
    throw InputError(prefix(key) + quoted(text) + " is not a number with a unit", where,
                     example("4.5", needed));
  }
  if (quantity->unit.empty()) {
    throw InputError(prefix(key) + quoted(text) + " lacks a unit", where,
                     example(trimmed(text), needed));
  }
  const Unit* unit = find_unit(quantity->unit);
  if (unit == nullptr) refuse_unit(quantity->unit, needed, key, where);
  const double value =
      quantity->number * conversion(*unit, needed, text, context.constants, key, where);
  if (!std::isfinite(value)) {
    throw InputError(prefix(key) + quoted(text) + " is too large for a number", where,
                     "write a smaller number");
  }
  return value;
}

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace larmor
