#include "larmor/study/models/atoms/stages/md_table.hpp"

#include "larmor/atoms/integrators/nose_hoover_chain.hpp"
#include "larmor/study/input/temperature.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"

namespace larmor::study {

FieldTable<TemperatureRamp> TemperatureRamp::fields() {
  return FieldTable<TemperatureRamp>()
      .required("from", &TemperatureRamp::from, Dimension::temperature, "at the first step")
      .at_least(0)
      .required("to", &TemperatureRamp::to, Dimension::temperature, "at the end of the last step")
      .at_least(0);
}

FieldTable<PressureRamp> PressureRamp::fields() {
  return FieldTable<PressureRamp>()
      .required("from", &PressureRamp::from, Dimension::pressure, "at the first step")
      .required("to", &PressureRamp::to, Dimension::pressure, "at the end of the last step");
}

FieldTable<MdTable> MdTable::fields() {
  const std::vector<MeasurementInfo> measured = measured_by_md().infos();
  return FieldTable<MdTable>()
      .required("kind", &MdTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name})
      .required("timestep", &MdTable::timestep, Dimension::time, "length of a step")
      .positive()
      .required("steps", &MdTable::steps, Dimension::none, "number of steps")
      .at_least(1)
      .at_most(most_steps)
      .optional("thermostat", &MdTable::thermostat, Dimension::none,
                "thermostat, which controls the temperature")
      .one_of({"none", "langevin", "nose-hoover", "bussi"},
              {"nothing: velocity Verlet at constant energy", "Langevin dynamics",
               "a Nose-Hoover chain for each replica",
               "velocity rescaling with a random number (Bussi, Donadio, Parrinello)"})
      .optional("temperature", &MdTable::temperature, Dimension::temperature,
                "temperature of the thermostat: a number, or { from, to }, changed linearly; with "
                "mtk and without a thermostat it only sets the mass of the box")
      .told_as("temperature or table", {})
      .may_be<TemperatureRamp>()
      .optional("thermostat_time", &MdTable::thermostat_time, Dimension::time,
                "relaxation time of the thermostat: one over the friction coefficient of Langevin "
                "dynamics; with a Nose-Hoover chain the period of the kinetic energy is 4.4 times "
                "as long; 0.1 ps if left out")
      .positive()
      .optional("chain_length", &MdTable::chain_length, Dimension::none,
                "nose-hoover: number of links of a chain; 3 if left out")
      .at_least(1)
      .at_most(atoms::NoseHooverChain::most_links)
      .optional("barostat", &MdTable::barostat, Dimension::none,
                "barostat, which controls the pressure")
      .one_of({"none", "mtk", "stochastic-cell-rescaling"},
              {"no barostat: the box is fixed",
               "the equations of Martyna, Tobias and Klein, with thermostat = \"nose-hoover\", or "
               "without a thermostat: constant pressure and enthalpy",
               "the barostat of Bernetti and Bussi, with thermostat = \"bussi\""})
      .optional(
          "pressure", &MdTable::pressure, Dimension::pressure,
          "pressure of the barostat: a number, or { from, to }, changed linearly; 0 if left out")
      .told_as("pressure or table", {})
      .may_be<PressureRamp>()
      .optional("barostat_time", &MdTable::barostat_time, Dimension::time,
                "time in which the box responds; 1 ps if left out")
      .positive()
      .optional("shape", &MdTable::shape, Dimension::none,
                "ways in which the barostat may change the box; isotropic if left out")
      .one_of({"isotropic", "anisotropic", "triclinic"},
              {"as a whole", "along x, y and z, each independently", "lengths and also its angles"})
      .optional("bulk_modulus", &MdTable::bulk_modulus, Dimension::pressure,
                "stochastic-cell-rescaling: approximate bulk modulus of the material; it only "
                "changes how fast the box responds; 100 GPa if left out")
      .positive()
      .optional("measure", &MdTable::measure, Dimension::none,
                "measurements; thermodynamics every 10 steps if left out")
      .told_as("list of tables", describe_entries(measured))
      .optional("keep_configurations", &MdTable::keep_configurations, Dimension::none,
                "replicas whose final configuration is stored")
      .at_least(0);
}

namespace {

/// @param Table has `from` and `to`
template <class Table>
atoms::Ramp ramp_of(const Value& value, Index steps, Dimension dimension,
                    const ReadContext& context) {
  if (!value.is_table()) {
    const auto target = read_value<double>(value, Table::name, dimension, context);
    return atoms::Ramp::constant(target);
  }
  const auto table = read_value<Table>(value, Table::name, Dimension::none, context);
  return {table.from, table.to, 0, steps};
}

}  // namespace

bool MdTable::goes_with_barostat(const std::string& other) const {
  if (barostat == "mtk") return other == "nose-hoover" || other == "none";
  return other == "bussi";
}

std::optional<atoms::CellShape> MdTable::cell_shape() const {
  if (!has_barostat()) return std::nullopt;
  if (shape == "triclinic") return atoms::CellShape::triclinic;
  return shape == "anisotropic" ? atoms::CellShape::anisotropic : atoms::CellShape::isotropic;
}

atoms::Ramp MdTable::temperature_ramp(const ReadContext& context) const {
  return ramp_of<TemperatureRamp>(temperature.value(), steps, Dimension::temperature, context);
}

atoms::Ramp MdTable::pressure_ramp(const ReadContext& context) const {
  if (!pressure) return atoms::Ramp::constant(0);
  return ramp_of<PressureRamp>(*pressure, steps, Dimension::pressure, context);
}

void MdTable::require_sense(const ReadContext& context) const {
  const auto refuse = [&](const char* key, bool given, const char* what, const char* remedy) {
    if (given)
      throw InputError(std::string("md has ") + key + " and no " + what, where.of(key), remedy);
  };
  if (!has_thermostat()) {
    const char* const remedy =
        "give thermostat = \"langevin\", \"nose-hoover\" or \"bussi\"; the velocities before the "
        "first stage are those of [atoms]";
    refuse("temperature", temperature.has_value() && barostat != "mtk", "thermostat", remedy);
    refuse("thermostat_time", thermostat_time.has_value(), "thermostat", remedy);
  } else if (!temperature) {
    throw InputError("thermostat = \"" + thermostat + "\" has no temperature",
                     where.of("thermostat"), "give temperature = \"300 K\", for instance");
  }
  if (thermostat != "nose-hoover")
    refuse("chain_length", chain_length.has_value(), "Nose-Hoover chain",
           "give thermostat = \"nose-hoover\", or leave chain_length out");
  if (!has_barostat()) {
    const char* const remedy = "give barostat = \"mtk\" or \"stochastic-cell-rescaling\"";
    refuse("pressure", pressure.has_value(), "barostat", remedy);
    refuse("barostat_time", barostat_time.has_value(), "barostat", remedy);
    refuse("shape", shape.has_value(), "barostat", remedy);
  }
  if (has_barostat() && !goes_with_barostat(thermostat))
    throw InputError(
        "barostat = \"" + barostat + "\" does not go with thermostat = \"" + thermostat + '"',
        where.of("barostat"),
        "stochastic-cell-rescaling goes with bussi, mtk with nose-hoover or none");
  if (barostat != "stochastic-cell-rescaling")
    refuse("bulk_modulus", bulk_modulus.has_value(), "stochastic-cell-rescaling",
           "other barostats do not need it");
  if (has_constant_enthalpy() && !temperature)
    throw InputError("barostat = \"mtk\" has no temperature", where.of("barostat"),
                     "without a thermostat it sets the mass of the box: give about the temperature "
                     "of the atoms");
  if (temperature) {
    const atoms::Ramp ramp = temperature_ramp(context);
    if (ramp.begin < 0 || ramp.end < 0)
      throw InputError("the temperature is negative", where.of("temperature"),
                       "give a temperature of 0 or more");
    if (thermostat == "nose-hoover" && (ramp.begin == 0 || ramp.end == 0))
      throw InputError("a Nose-Hoover chain cannot hold a temperature of 0",
                       where.of("temperature"), "give a positive temperature");
    if (has_constant_enthalpy() && !(ramp.begin > 0 && ramp.begin == ramp.end))
      throw InputError("without a thermostat the temperature is not one positive number",
                       where.of("temperature"),
                       "it sets the mass of the box; give one such as \"300 K\"");
  }
  pressure_ramp(context);  // throws
}

}  // namespace larmor::study
