#pragma once
// The table of an md stage.

#include "larmor/atoms/integrators/thermostats.hpp"
#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// `temperature = { from = 300, to = 600 }`
struct TemperatureRamp {
  static constexpr const char* name = "temperature";
  double from = 0, to = 0;

  static FieldTable<TemperatureRamp> fields();
};

/// `pressure = { from = 0, to = "10 GPa" }`
struct PressureRamp {
  static constexpr const char* name = "pressure";
  double from = 0, to = 0;

  static FieldTable<PressureRamp> fields();
};

/// The base classes have the keys that belong to single thermostats and barostats.
struct MdTable : atoms::IntegratorKeys {
  static constexpr const char* name = "md";
  static constexpr const char* doc =
      "molecular dynamics at constant energy, temperature or pressure";
  std::string kind = name;
  double timestep = 0;
  Index steps = 0;
  std::string thermostat = "none";
  std::optional<Value> temperature;
  std::optional<double> thermostat_time;
  std::string barostat = "none";
  std::optional<Value> pressure;
  std::optional<double> barostat_time;
  std::optional<std::string> shape;
  std::vector<Value> measure;  ///< entries, in the form that `read_measure` takes
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<MdTable> fields();

  bool has_thermostat() const { return thermostat != "none"; }
  bool has_barostat() const { return barostat != "none"; }
  bool has_constant_enthalpy() const { return !has_thermostat() && has_barostat(); }
  /// How the box may change; nothing: the box is fixed.
  std::optional<atoms::CellShape> cell_shape() const;
  /// The temperature in K over the steps of the stage: one for all replicas, or one for each.
  /// @throws InputError
  std::vector<atoms::Ramp> temperature_ramps(const ReadContext& context) const;
  /// The pressure in GPa over the steps of the stage: one for all replicas, or one for each.
  /// @throws InputError
  std::vector<atoms::Ramp> pressure_ramps(const ReadContext& context) const;
  /// Do replicas have temperatures or pressures of their own?
  bool replicas_differ(const ReadContext& context) const;
  /// @throws InputError for keys that contradict one another
  void check_keys(const ReadContext& context) const;
  /// @throws InputError for a list without one value for each replica
  void check_lists(Index replicas, const ReadContext& context) const;

 private:
  void require_temperatures(const atoms::Ramp& ramp) const;
};

}  // namespace larmor::study
