#pragma once
// The lists of all thermostats and barostats. A new one is a file of this folder and an entry here.

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "larmor/atoms/integrators/bussi.hpp"
#include "larmor/atoms/integrators/cell_rescaling.hpp"
#include "larmor/atoms/integrators/langevin.hpp"
#include "larmor/atoms/integrators/mtk.hpp"
#include "larmor/atoms/integrators/nose_hoover.hpp"

namespace larmor::atoms {

using Thermostats = std::tuple<Langevin, NoseHoover, Bussi>;
using Barostats = std::tuple<Mtk, CellRescaling>;

/// `Type::Keys`, if the thermostat or barostat has keys of its own.
template <class Type>
struct KeysOf {
  template <class Fields>
  static void add_to(Fields&) {}
};
template <class Type>
requires requires { typename Type::Keys; }
struct KeysOf<Type> : Type::Keys {};

/// The keys of all entries of a list.
template <class List>
struct KeysOfAll;
template <class... Type>
struct KeysOfAll<std::tuple<Type...>> : KeysOf<Type>... {
  /// @param fields a FieldTable
  template <class Fields>
  static void add_to(Fields& fields) {
    (KeysOf<Type>::add_to(fields), ...);
  }
};
struct IntegratorKeys : KeysOfAll<Thermostats>, KeysOfAll<Barostats> {};

struct IntegratorType {
  std::string name, doc;
  std::vector<std::string> keys;  ///< names of its own keys
  bool has_noise;                 ///< does it draw random numbers?
};

struct ThermostatType : IntegratorType {
  bool needs_positive_temperature;
  std::unique_ptr<ThermostattedIntegrator> (*make)(double timestep, const HeatBath& bath,
                                                   int threads, const IntegratorKeys& keys);
};

struct BarostatType : IntegratorType {
  std::vector<std::string> thermostats;  ///< supported thermostats; "none": constant enthalpy
  /// A warning, or nothing. @param is_coupled is there a thermostat?
  std::string (*advice)(CellShape shape, bool is_coupled);
  std::unique_ptr<Integrator> (*make)(double timestep, const HeatBath& heat,
                                      const PressureBath& pressure, int threads,
                                      const IntegratorKeys& keys);

  /// Can the barostat run with this thermostat? @param thermostat name, or "none"
  bool supports(const std::string& thermostat) const;
};

const std::vector<ThermostatType>& thermostats();
const std::vector<BarostatType>& barostats();

/// @throws InternalError if no thermostat has this name
const ThermostatType& thermostat_of(const std::string& name);
const BarostatType& barostat_of(const std::string& name);

}  // namespace larmor::atoms
