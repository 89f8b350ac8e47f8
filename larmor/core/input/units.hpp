#pragma once
// Physical dimensions, constants, and quantities with a unit ("4.5 meV").
//
// Inner units of a material study: eV, Angstrom, ps, K, T, mu_B, THz (ordinary frequency, cycles
// per ps), rad, Angstrom/ps, g/mol, eV/Angstrom, GPa. In a reduced study k_B = hbar = gamma = mu_B
// = 1 and numbers have no units. Constants: CODATA 2018 (Tiesinga et al., Rev. Mod. Phys. 93,
// 025010 (2021)) and CODATA 2014 (Mohr et al., Rev. Mod. Phys. 88, 035009 (2016)).

#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor {

enum class Dimension {
  none,
  energy,
  length,
  time,
  temperature,
  magnetic_field,
  magnetic_moment,
  frequency,
  angle,
  velocity,
  mass,
  force,
  pressure
};

enum class UnitSystem { reduced, material };

/// Constants in inner units.
struct Constants {
  double k_B;   ///< Boltzmann constant, eV/K
  double mu_B;  ///< Bohr magneton, eV/T
  double hbar;  ///< reduced Planck constant, eV ps
  double g_e;   ///< magnitude of the electron's g factor
  double Ry;    ///< Rydberg energy, eV
  double bohr;  ///< Bohr radius, Angstrom
  double e;     ///< elementary charge, C; also joules per eV
  double N_A;   ///< Avogadro constant, 1/mol

  /// Gyromagnetic ratio g mu_B / hbar, rad/(ps T).
  double gamma(double g) const { return g * mu_B / hbar; }
  /// Gyromagnetic ratio of the free electron, rad/(ps T).
  double gamma() const { return gamma(g_e); }
  /// Vacuum permeability, T^2 Angstrom^3 / eV: 4 pi 1e-7 T^2 m^3 / J (to 1e-9).
  double mu_0() const { return 4 * std::numbers::pi * 1e23 * e; }
  /// The energy density 1 eV / Angstrom^3 in kJ/m^3.
  double kilojoules_per_cubic_metre() const { return 1e27 * e; }
};

inline constexpr Constants codata_2018{8.617333262145179e-5, 5.7883818060e-5, 6.582119569509066e-4,
                                       2.00231930436256,     13.605693122994, 0.529177210903,
                                       1.602176634e-19,      6.02214076e23};

inline constexpr Constants codata_2014{8.6173303e-5,     5.7883818012e-5, 6.582119514e-4,
                                       2.00231930436182, 13.605693009,    0.52917721067,
                                       1.6021766208e-19, 6.022140857e23};

/// k_B = hbar = gamma = mu_B = 1; Ry, bohr, e and N_A have no meaning and are 1.
inline constexpr Constants reduced_constants{1, 1, 1, 1, 1, 1, 1, 1};

/// The units and constants of the numbers of a study.
struct ReadContext {
  UnitSystem units = UnitSystem::reduced;
  Constants constants = reduced_constants;

  static ReadContext reduced() { return {UnitSystem::reduced, reduced_constants}; }
  static ReadContext material(const Constants& constants = codata_2018) {
    return {UnitSystem::material, constants};
  }
};

/// "energy", "magnetic field", ...; "number" for none.
const char* dimension_name(Dimension dimension);

/// dimension_name with its article: "an energy".
std::string a_dimension(Dimension dimension);

/// The symbol of the inner unit: "eV", "Å", ...; "" for none, and in reduced units (angles: "rad").
const char* inner_unit(Dimension dimension, UnitSystem units);

/// The most usual unit of a dimension ("meV", "fs", ...), for examples in messages.
const char* usual_unit(Dimension dimension);

/// Dimensions whose units are accepted for a dimension, itself first. Energies, temperatures (k_B
/// T) and frequencies (h nu) replace each other.
std::vector<Dimension> interchangeable(Dimension dimension);

/// The spellings of a unit, the usual one first.
using UnitSpellings = std::vector<std::string>;
/// The units of only this dimension.
std::vector<UnitSpellings> units_of(Dimension dimension);

/// Every unit that is accepted for a dimension, for messages: "K, mK, or of energy: eV, ...".
std::string accepted_units(Dimension dimension);

/// Reads "4.5 meV" as the needed dimension, in inner units; 1 Oe counts as 1e-4 T. Reduced studies
/// accept only units of angles.
/// @param key name of the setting in messages
/// @throws InputError at `where`: no number or unit, unknown unit, wrong dimension
double parse_quantity(std::string_view text, Dimension needed, const ReadContext& context,
                      const std::string& key, const SourcePosition& where = {});

/// A number in the shortest decimal form that reproduces its bits when read.
std::string number_text(double value);

}  // namespace larmor
