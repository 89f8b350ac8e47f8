#include "larmor/study/models/atoms/stages/md_table.hpp"

#include "larmor/study/input/temperature.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"
#include "larmor/study/models/atoms/tables/replica_values.hpp"

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

namespace {

/// The text `none`, then the text of each type of a list.
template <class Type>
std::vector<std::string> texts(std::string none, const std::vector<Type>& types,
                               std::string atoms::IntegratorType::*text) {
  std::vector<std::string> all{std::move(none)};
  for (const Type& type : types) all.push_back(type.*text);
  return all;
}

}  // namespace

FieldTable<MdTable> MdTable::fields() {
  const std::vector<MeasurementInfo> measured = measured_by_md().infos();
  const auto& thermostats = atoms::thermostats();
  const auto& barostats = atoms::barostats();
  FieldTable<MdTable> table;
  table
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
      .one_of(texts("none", thermostats, &atoms::IntegratorType::name),
              texts("nothing: velocity Verlet at constant energy", thermostats,
                    &atoms::IntegratorType::doc))
      .optional(
          "temperature", &MdTable::temperature, Dimension::temperature,
          "temperature of the thermostat: a number, or { from, to } for a linear change during the "
          "stage, or a list with one of these for each replica. With a barostat and without a "
          "thermostat, this key only sets the mass of the box")
      .described_as("temperature, table or list", {})
      .with_child<TemperatureRamp>()
      .optional("thermostat_time", &MdTable::thermostat_time, Dimension::time,
                "relaxation time of the thermostat. The default is 0.1 ps")
      .positive();
  atoms::KeysOfAll<atoms::Thermostats>::add_to(table);
  table
      .optional("barostat", &MdTable::barostat, Dimension::none,
                "barostat, which controls the pressure")
      .one_of(texts("none", barostats, &atoms::IntegratorType::name),
              texts("no barostat: the box is fixed", barostats, &atoms::IntegratorType::doc))
      .optional("pressure", &MdTable::pressure, Dimension::pressure,
                "pressure of the barostat: a number, or { from, to } for a linear change during "
                "the stage, or a list with one of these for each replica. The default is 0")
      .described_as("pressure, table or list", {})
      .with_child<PressureRamp>()
      .optional("barostat_time", &MdTable::barostat_time, Dimension::time,
                "time in which the box responds. The default is 1 ps")
      .positive()
      .optional("shape", &MdTable::shape, Dimension::none,
                "ways in which the barostat may change the box. The default is isotropic")
      .one_of(
          {"isotropic", "anisotropic", "triclinic"},
          {"as a whole", "along x, y and z, each independently", "lengths and also its angles"});
  atoms::KeysOfAll<atoms::Barostats>::add_to(table);
  return table
      .optional("measure", &MdTable::measure, Dimension::none,
                "measurements. If left out, the stage measures thermodynamics every 10 steps")
      .described_as("list of tables", describe_entries(measured))
      .optional("keep_configurations", &MdTable::keep_configurations, Dimension::none,
                "number of replicas whose final configuration is stored")
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

/// One ramp for all replicas, or a list with one for each.
template <class Table>
std::vector<atoms::Ramp> ramps_of(const Value& value, Index steps, Dimension dimension,
                                  const ReadContext& context) {
  if (!value.is_array()) return {ramp_of<Table>(value, steps, dimension, context)};
  std::vector<atoms::Ramp> ramps;
  for (const Value& element : value.as_array())
    ramps.push_back(ramp_of<Table>(element, steps, dimension, context));
  if (ramps.empty())
    throw InputError(std::string(Table::name) + " is an empty list", value.where(),
                     "give one value for all replicas, or a list with one for each");
  return ramps;
}

std::string in_words(const std::vector<std::string>& names) {
  std::string words;
  for (const std::string& name : names) words += (words.empty() ? "" : " or ") + name;
  return words;
}

/// Refuses the keys of all types except the chosen one.
template <class Type>
void refuse_keys_of_others(const std::vector<Type>& types, const std::string& chosen,
                           const std::string& what, const TablePosition& where) {
  for (const Type& type : types)
    for (const std::string& key : type.keys)
      if (type.name != chosen && where.has(key))
        throw InputError("md has " + key + " and no " + type.name, where.of(key),
                         "give " + what + " = \"" + type.name + "\", or leave " + key + " out");
}

}  // namespace

std::optional<atoms::CellShape> MdTable::cell_shape() const {
  if (!has_barostat()) return std::nullopt;
  if (shape == "triclinic") return atoms::CellShape::triclinic;
  return shape == "anisotropic" ? atoms::CellShape::anisotropic : atoms::CellShape::isotropic;
}

std::vector<atoms::Ramp> MdTable::temperature_ramps(const ReadContext& context) const {
  return ramps_of<TemperatureRamp>(temperature.value(), steps, Dimension::temperature, context);
}

std::vector<atoms::Ramp> MdTable::pressure_ramps(const ReadContext& context) const {
  if (!pressure) return {atoms::Ramp::constant(0)};
  return ramps_of<PressureRamp>(*pressure, steps, Dimension::pressure, context);
}

bool MdTable::replicas_differ(const ReadContext& context) const {
  return (temperature && temperature_ramps(context).size() > 1) ||
         pressure_ramps(context).size() > 1;
}

void MdTable::check_lists(Index replicas, const ReadContext& context) const {
  if (temperature)
    require_one_or_each("temperature", temperature_ramps(context).size(), replicas,
                        where.of("temperature"));
  if (pressure)
    require_one_or_each("pressure", pressure_ramps(context).size(), replicas, where.of("pressure"));
}

void MdTable::check_keys(const ReadContext& context) const {
  const auto refuse = [&](const char* key, bool given, const char* what,
                          const std::string& remedy) {
    if (given)
      throw InputError(std::string("md has ") + key + " and no " + what, where.of(key), remedy);
  };
  const bool needs_mass = has_constant_enthalpy() && atoms::barostat_of(barostat).supports("none");
  if (!has_thermostat()) {
    const std::string remedy =
        "give thermostat = \"" + atoms::thermostats().front().name +
        "\", for instance; the velocities before the first stage are those of [atoms]";
    refuse("temperature", temperature.has_value() && !needs_mass, "thermostat", remedy);
    refuse("thermostat_time", thermostat_time.has_value(), "thermostat", remedy);
  } else if (!temperature) {
    throw InputError("thermostat = \"" + thermostat + "\" has no temperature",
                     where.of("thermostat"), "give temperature = \"300 K\", for instance");
  }
  refuse_keys_of_others(atoms::thermostats(), thermostat, "thermostat", where);
  if (!has_barostat()) {
    const std::string remedy =
        "give barostat = \"" + atoms::barostats().front().name + "\", for instance";
    refuse("pressure", pressure.has_value(), "barostat", remedy);
    refuse("barostat_time", barostat_time.has_value(), "barostat", remedy);
    refuse("shape", shape.has_value(), "barostat", remedy);
  } else if (const atoms::BarostatType& chosen = atoms::barostat_of(barostat);
             !chosen.supports(thermostat)) {
    throw InputError(
        "barostat = \"" + barostat + "\" does not work with thermostat = \"" + thermostat + '"',
        where.of("barostat"), barostat + " works with " + in_words(chosen.thermostats));
  }
  refuse_keys_of_others(atoms::barostats(), barostat, "barostat", where);
  if (has_constant_enthalpy() && !temperature)
    throw InputError("barostat = \"" + barostat + "\" has no temperature", where.of("barostat"),
                     "give the approximate temperature of the atoms: without a thermostat, this "
                     "key sets the mass of the box");
  if (temperature)
    for (const atoms::Ramp& ramp : temperature_ramps(context)) require_temperatures(ramp);
  pressure_ramps(context);  // throws
}

void MdTable::require_temperatures(const atoms::Ramp& ramp) const {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw InputError(what, where.of("temperature"), remedy);
  };
  if (ramp.begin < 0 || ramp.end < 0)
    refuse("the temperature is negative", "give a temperature of 0 or more");
  if (has_thermostat() && atoms::thermostat_of(thermostat).needs_positive_temperature &&
      (ramp.begin == 0 || ramp.end == 0))
    refuse("thermostat = \"" + thermostat + "\" cannot hold a temperature of 0",
           "give a positive temperature");
  if (has_constant_enthalpy() && !(ramp.begin > 0 && ramp.begin == ramp.end))
    refuse("without a thermostat, temperature must be one positive number",
           "give a temperature such as \"300 K\"; this temperature only sets the mass of the box");
}

}  // namespace larmor::study
