#pragma once
// Quantities with the units of UppASD. With `aunits Y`, gamma, k_B, mu_B, mRy and hbar are 1, which
// are Larmor's reduced units.

#include "larmor/core/input/units.hpp"
#include "larmor/core/input/value.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::imports::uppasd {

struct Quantities {
  bool reduced = false;

  Value of(double value, const char* unit) const {
    return reduced ? Value(value) : Value(number_text(value) + " " + unit);
  }
  Value energy(double mRy) const { return of(mRy, "mRy"); }
  Value field(double tesla) const { return of(tesla, "T"); }
  Value time(double seconds) const { return of(seconds, "s"); }
  Value temperature(double kelvin) const { return of(kelvin, "K"); }
  Value moment(double mu_B) const { return of(mu_B, "μB"); }

  Value fields(const Vec3<double>& tesla) const {
    return Value(Value::Array{field(tesla.x), field(tesla.y), field(tesla.z)});
  }
  Value energies(const Vec3<double>& mRy) const {
    return Value(Value::Array{energy(mRy.x), energy(mRy.y), energy(mRy.z)});
  }
};

}  // namespace larmor::imports::uppasd
