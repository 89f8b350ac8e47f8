// Rooms: core
#include "larmor/core/input/units.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "tests/expectations.hpp"

namespace larmor {
namespace {

using testing_support::contains;

const ReadContext material = ReadContext::material();
const ReadContext reduced = ReadContext::reduced();

double parsed(const char* text, Dimension dimension) {
  return parse_quantity(text, dimension, material, "x");
}

std::string refusal(const char* text, Dimension dimension, const ReadContext& context = material) {
  try {
    parse_quantity(text, dimension, context, "x", {"study.toml", 3, 5, "x = 1"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// CODATA lists the gyromagnetic ratio separately from g_e, mu_B and hbar.
TEST(Constants, GyromagneticRatioIsTheTabulatedOne) {
  EXPECT_NEAR(codata_2018.gamma(), 0.176085963023, 2e-12);
  EXPECT_NEAR(codata_2014.gamma(), 0.1760859644, 1e-10);
}

// The SI of 2019 defines exact values of h, k_B, e and N_A.
TEST(Constants, Codata2018FollowsTheExactOnes) {
  EXPECT_NEAR(codata_2018.k_B * codata_2018.e / 1.380649e-23, 1, 1e-15);
  const double h = 2 * std::numbers::pi * codata_2018.hbar * 1e-12 * codata_2018.e;
  EXPECT_NEAR(h / 6.62607015e-34, 1, 1e-15);
  EXPECT_NEAR(codata_2018.k_B * codata_2018.e * codata_2018.N_A, 8.31446261815324, 1e-13);
}

// Ry a0 = alpha hbar c / 2 relates the Rydberg energy and the Bohr radius.
TEST(Constants, RydbergAndBohrRadiusAgree) {
  for (const Constants& c : {codata_2018, codata_2014}) {
    const double alpha = 7.2973525e-3;
    const double c_light = 2.99792458e6;  // Angstrom/ps
    EXPECT_NEAR(c.Ry * c.bohr / (alpha * c.hbar * c_light / 2), 1, 1e-7);
  }
}

TEST(ParseQuantity, EveryDimensionInItsUnits) {
  EXPECT_DOUBLE_EQ(parsed("13 meV", Dimension::energy), 0.013);
  EXPECT_DOUBLE_EQ(parsed("0.3 mRy", Dimension::energy), 0.3e-3 * 13.605693122994);
  EXPECT_DOUBLE_EQ(parsed("1 Ha", Dimension::energy), 27.211386245988);
  EXPECT_DOUBLE_EQ(parsed("1 J", Dimension::energy), 1 / 1.602176634e-19);
  EXPECT_NEAR(parsed("96.48533212 kJ/mol", Dimension::energy), 1, 1e-10);
  EXPECT_NEAR(parsed("23.060548 kcal/mol", Dimension::energy), 1, 1e-7);
  EXPECT_NEAR(parsed("8065.543937 cm^-1", Dimension::energy), 1, 1e-9);
  EXPECT_DOUBLE_EQ(parsed("2.87 Å", Dimension::length), 2.87);
  EXPECT_DOUBLE_EQ(parsed("0.5 nm", Dimension::length), 5);
  EXPECT_DOUBLE_EQ(parsed("1 fs", Dimension::time), 1e-3);
  EXPECT_DOUBLE_EQ(parsed("1e-16 s", Dimension::time), 1e-4);
  EXPECT_DOUBLE_EQ(parsed("300 K", Dimension::temperature), 300);
  EXPECT_DOUBLE_EQ(parsed("250 mT", Dimension::magnetic_field), 0.25);
  EXPECT_DOUBLE_EQ(parsed("5 kOe", Dimension::magnetic_field), 0.5);
  EXPECT_DOUBLE_EQ(parsed("2.23 μB", Dimension::magnetic_moment), 2.23);
  EXPECT_NEAR(parsed("9.2740100783e-24 J/T", Dimension::magnetic_moment), 1, 1e-9);
  EXPECT_DOUBLE_EQ(parsed("2 GHz", Dimension::frequency), 2e-3);
  EXPECT_DOUBLE_EQ(parsed("1 rad/ps", Dimension::frequency), 0.5 / std::numbers::pi);
  EXPECT_DOUBLE_EQ(parsed("180 deg", Dimension::angle), std::numbers::pi);
  EXPECT_DOUBLE_EQ(parsed("183.84 g/mol", Dimension::mass), 183.84);
  EXPECT_DOUBLE_EQ(parsed("10 meV/Å", Dimension::force), 0.01);
  EXPECT_NEAR(parsed("1.602176634 nN", Dimension::force), 1, 1e-15);
  EXPECT_NEAR(parsed("1 Ha/bohr", Dimension::force), 51.42206747, 1e-7);
  EXPECT_NEAR(parsed("2 Ry/bohr", Dimension::force), parsed("1 Ha/bohr", Dimension::force), 1e-12);
  EXPECT_DOUBLE_EQ(parsed("1 bar", Dimension::pressure), 1e-4);
  EXPECT_DOUBLE_EQ(parsed("25 kbar", Dimension::pressure), 2.5);
  EXPECT_DOUBLE_EQ(parsed("101325 Pa", Dimension::pressure), parsed("1 atm", Dimension::pressure));
  EXPECT_DOUBLE_EQ(parsed("3 MPa", Dimension::pressure), parsed("3000 kPa", Dimension::pressure));
  EXPECT_DOUBLE_EQ(parsed("1 eV/Å^3", Dimension::pressure), 160.2176634);
}

TEST(ParseQuantity, EnergyTemperatureAndFrequencyStandForEachOther) {
  EXPECT_DOUBLE_EQ(parsed("13 K", Dimension::energy), 13 * codata_2018.k_B);
  EXPECT_NEAR(parsed("1 meV", Dimension::temperature), 11.604518121, 1e-8);
  EXPECT_NEAR(parsed("1 THz", Dimension::energy), 4.135667696e-3, 1e-12);
  EXPECT_NEAR(parsed("1 meV", Dimension::frequency), 0.2417989242, 1e-9);
}

TEST(ParseQuantity, SpellingsOfOneUnit) {
  for (const char* text : {"2 μB", "2 µB", "2 muB", "2 mu_B", "2 uB", "2μB", " +2  μB "}) {
    EXPECT_DOUBLE_EQ(parsed(text, Dimension::magnetic_moment), 2) << text;
  }
  for (const char* text : {"2 Å", "2 \u212B", "2 A\u030A", "2 A", "2 angstrom", "2 Angstrom"}) {
    EXPECT_DOUBLE_EQ(parsed(text, Dimension::length), 2) << text;
  }
  for (const char* text : {"2 g/mol", "2 u", "2 Da"})
    EXPECT_DOUBLE_EQ(parsed(text, Dimension::mass), 2) << text;
  for (const char* text : {"2 eV/Å", "2 eV/A", "2 eV/Angstrom"})
    EXPECT_DOUBLE_EQ(parsed(text, Dimension::force), 2) << text;
  for (const char* text : {"2 eV/Å^3", "2 eV/A^3", "2 eV/Angstrom^3", "2 eV/Å³"})
    EXPECT_DOUBLE_EQ(parsed(text, Dimension::pressure), 2 * 160.2176634) << text;
  EXPECT_DOUBLE_EQ(parsed("1eV", Dimension::energy), 1);
  EXPECT_DOUBLE_EQ(parsed("-1e-3eV", Dimension::energy), -1e-3);
}

TEST(ParseQuantity, ConstantsOfTheContextAreUsed) {
  EXPECT_DOUBLE_EQ(
      parse_quantity("1 Ry", Dimension::energy, ReadContext::material(codata_2014), "J"),
      13.605693009);
}

TEST(ParseQuantity, WrongDimensionIsNamed) {
  const auto message = refusal("5 K", Dimension::length);
  EXPECT_TRUE(contains(message,
                       "study.toml:3:5: error: x: '5 K' is a temperature, and a length is needed"));
  EXPECT_TRUE(contains(message, "Å"));
}

TEST(ParseQuantity, UnknownUnitGetsASuggestionAndTheList) {
  const auto message = refusal("5 mev", Dimension::energy);
  EXPECT_TRUE(contains(message, "unknown unit 'mev'"));
  EXPECT_TRUE(contains(message, "did you mean 'meV'?"));
  EXPECT_TRUE(contains(message, "mRy"));
}

TEST(ParseQuantity, MalformedTextIsRefused) {
  for (const char* text : {"", " ", "meV", "nan meV", "inf meV", "-inf eV", "1e999 eV", "4,5 meV",
                           "1..2 eV", "--1 eV"}) {
    EXPECT_TRUE(contains(refusal(text, Dimension::energy), "is not a number with a unit"));
  }
  EXPECT_TRUE(contains(refusal("1e308 m", Dimension::length), "too large"));
  EXPECT_TRUE(contains(refusal("5", Dimension::energy), "lacks a unit"));
}

TEST(ParseQuantity, ReducedStudiesHaveNoUnitsButAngles) {
  EXPECT_TRUE(contains(refusal("5 meV", Dimension::energy, reduced), "reduced units"));
  EXPECT_TRUE(contains(refusal("5", Dimension::energy, reduced), "without quotes"));
  EXPECT_DOUBLE_EQ(parse_quantity("90 deg", Dimension::angle, reduced, "x"), std::numbers::pi / 2);
}

TEST(InnerUnit, IsReadAsOne) {
  for (const auto dimension :
       {Dimension::energy, Dimension::length, Dimension::time, Dimension::temperature,
        Dimension::magnetic_field, Dimension::magnetic_moment, Dimension::frequency,
        Dimension::angle}) {
    const std::string unit = inner_unit(dimension, UnitSystem::material);
    EXPECT_EQ(parse_quantity("1 " + unit, dimension, material, "x"), 1.0) << unit;
    for (const UnitSpellings& spellings : units_of(dimension)) {
      const double first = parse_quantity("1 " + spellings[0], dimension, material, "x");
      EXPECT_GT(first, 0) << spellings[0];
      for (const std::string& other : spellings)
        EXPECT_EQ(parse_quantity("1 " + other, dimension, material, "x"), first) << other;
    }
  }
  EXPECT_STREQ(inner_unit(Dimension::energy, UnitSystem::reduced), "");
}

TEST(NumberText, IsShortAndExact) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(300), "300");
  const double third = 1.0 / 3;
  EXPECT_EQ(std::stod(number_text(third)), third);
}

}  // namespace
}  // namespace larmor
