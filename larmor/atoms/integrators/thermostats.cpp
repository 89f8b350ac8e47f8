#include "larmor/atoms/integrators/thermostats.hpp"

#include <algorithm>

#include "larmor/core/input/fields.hpp"

namespace larmor::atoms {
namespace {

template <class Type>
IntegratorType integrator_type() {
  IntegratorType type{Type::name, Type::doc, {}, std::is_base_of_v<StochasticThermostat, Type>};
  if constexpr (requires { typename Type::Keys; }) {
    FieldTable<typename Type::Keys> fields;
    Type::Keys::add_to(fields);
    for (const auto& field : fields.list().fields()) type.keys.push_back(field.spec.info.key);
  }
  return type;
}

/// Makes an integrator. It receives `keys` if its type has keys.
template <class Type, class... Argument>
std::unique_ptr<Type> make_with_keys(const Argument&... argument, const IntegratorKeys& keys) {
  if constexpr (std::is_constructible_v<Type, const Argument&..., const IntegratorKeys&>)
    return std::make_unique<Type>(argument..., keys);
  else
    return std::make_unique<Type>(argument...);
}

template <class Type>
ThermostatType thermostat_type() {
  return {integrator_type<Type>(), Type::needs_positive_temperature,
          [](double timestep, const HeatBath& bath, int threads,
             const IntegratorKeys& keys) -> std::unique_ptr<ThermostattedIntegrator> {
            return make_with_keys<Type, double, HeatBath, int>(timestep, bath, threads, keys);
          }};
}

template <class Type>
BarostatType barostat_type() {
  BarostatType type{integrator_type<Type>(),
                    {std::begin(Type::thermostats), std::end(Type::thermostats)},
                    [](CellShape, bool) { return std::string(); },
                    [](double timestep, const HeatBath& heat, const PressureBath& pressure,
                       int threads, const IntegratorKeys& keys) -> std::unique_ptr<Integrator> {
                      return make_with_keys<Type, double, HeatBath, PressureBath, int>(
                          timestep, heat, pressure, threads, keys);
                    }};
  if constexpr (requires { &Type::advice; }) type.advice = Type::advice;
  return type;
}

template <class... Type>
std::vector<ThermostatType> thermostat_types(std::tuple<Type...>*) {
  return {thermostat_type<Type>()...};
}

template <class... Type>
std::vector<BarostatType> barostat_types(std::tuple<Type...>*) {
  return {barostat_type<Type>()...};
}

template <class Type>
const Type& type_of(const std::vector<Type>& types, const std::string& name) {
  for (const Type& type : types)
    if (type.name == name) return type;
  throw InternalError("no thermostat or barostat is called " + name);
}

}  // namespace

bool BarostatType::supports(const std::string& thermostat) const {
  return std::ranges::count(thermostats, thermostat) > 0;
}

const std::vector<ThermostatType>& thermostats() {
  static const auto all = thermostat_types(static_cast<Thermostats*>(nullptr));
  return all;
}

const std::vector<BarostatType>& barostats() {
  static const auto all = barostat_types(static_cast<Barostats*>(nullptr));
  return all;
}

const ThermostatType& thermostat_of(const std::string& name) {
  return type_of(thermostats(), name);
}

const BarostatType& barostat_of(const std::string& name) { return type_of(barostats(), name); }

}  // namespace larmor::atoms
