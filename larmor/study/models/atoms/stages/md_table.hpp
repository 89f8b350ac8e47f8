#pragma once
// The table of an md stage.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/integrators/ramp.hpp"
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

struct MdTable {
  static constexpr const char* name = "md";
  static constexpr const char* doc =
      "molecular dynamics at constant energy, temperature or pressure";
  static constexpr Index usual_chain_length = 3;
  std::string kind = name;
  double timestep = 0;
  Index steps = 0;
  std::string thermostat = "none";
  std::optional<Value> temperature;
  std::optional<double> thermostat_time;
  std::optional<Index> chain_length;
  std::string barostat = "none";
  std::optional<Value> pressure;
  std::optional<double> barostat_time;
  std::optional<std::string> shape;
  std::optional<double> bulk_modulus;
  std::vector<Value> measure;  ///< entries, in the form that `read_measure` takes
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<MdTable> fields();

  bool has_thermostat() const { return thermostat != "none"; }
  bool has_barostat() const { return barostat != "none"; }
  bool has_constant_enthalpy() const { return !has_thermostat() && has_barostat(); }
  /// Links of Nose-Hoover chains; 0: no thermostat.
  int links() const {
    return has_thermostat() ? static_cast<int>(chain_length.value_or(usual_chain_length)) : 0;
  }
  /// How the box may change; nothing: it is fixed.
  std::optional<atoms::CellShape> cell_shape() const;
  /// K, over the steps of the stage. @throws InputError
  atoms::Ramp temperature_ramp(const ReadContext& context) const;
  /// GPa. @throws InputError
  atoms::Ramp pressure_ramp(const ReadContext& context) const;
  /// @throws InputError for keys that contradict one another
  void require_sense(const ReadContext& context) const;

 private:
  bool goes_with_barostat(const std::string& other) const;
};

}  // namespace larmor::study
