#include "larmor/study/models/particles/system/particle_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/particles/system/particle_system.hpp"

namespace larmor::study {
namespace {

/// Largest relative difference between the formulas of a gradient and differences of the potential.
constexpr double largest_error_of_gradient = 1e-5;

/// @throws InputError for a name that is not a name, or is there twice
void check_names(const ParticlesTable& table) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const SourcePosition& where) {
    with_position(where, [&] { particles::require_name(name); });
    if (std::ranges::find(names, name) != names.end())
      throw InputError(fmt::format("particles has the name '{}' twice", name), where,
                       "coordinates and parameters need different names");
    names.push_back(name);
  };
  for (const std::string& name : table.coordinates) add(name, table.where.of("coordinates"));
  for (const Value::Entry& entry : table.parameters.as_table())
    add(entry.key, entry.key_mark.position());
}

void check_count(std::size_t count, const char* key, const ParticlesTable& table) {
  if (count == table.coordinates.size()) return;
  throw InputError(
      fmt::format("{} has {} entries for {} coordinates", key, count, table.coordinates.size()),
      table.where.of(key), "give one for each coordinate");
}

void check_formulas(const ParticlesTable& table) {
  const particles::PotentialKeys keys = table.motion().potential;
  const auto check = [&](const std::string& formula, const char* key) {
    with_position(table.where.of(key),
                  [&] { particles::Formula(formula, keys.coordinates, keys.parameters); });
  };
  check(table.potential, "potential");
  for (const std::string& formula : table.gradient) check(formula, "gradient");
  if (table.state) check(*table.state, "state");
}

/// Compares formulas for the gradient with differences, at the start and near it.
void check_gradient(const ParticlesTable& table, particles::Potential& potential) {
  for (const double shift : {0.0, 0.0137, -0.0419, 0.1731}) {
    std::vector<double> place = table.start;
    for (std::size_t i = 0; i < place.size(); ++i)
      place[i] += shift * table.length * (i % 2 == 0 ? 1 : -0.7);
    if (!std::isfinite(potential.energy(place))) continue;
    std::size_t coordinate = 0;
    const double error = potential.error_of_gradient(place, coordinate);
    if (error > largest_error_of_gradient)
      throw InputError(
          fmt::format("the formula {} of gradient differs from dV/d{} at {} by the fraction {:.2g}",
                      coordinate + 1, table.coordinates[coordinate], particles::text_of(place),
                      error),
          table.where.of("gradient"),
          "correct the formula, or leave gradient out: differences of the potential replace it");
  }
}

}  // namespace

FieldTable<ParticlesTable> ParticlesTable::fields() {
  return FieldTable<ParticlesTable>()
      .required("coordinates", &ParticlesTable::coordinates, Dimension::none,
                "names of the coordinates, as [\"x\", \"y\"]")
      .not_empty()
      .required("potential", &ParticlesTable::potential, Dimension::none,
                "formula of the potential energy, as \"h*(x^2-1)^2 + y^2\"")
      .not_empty()
      .optional("parameters", &ParticlesTable::parameters, Dimension::none,
                "numbers that formulas name, as { h = 3 }")
      .described_as("table of numbers", {})
      .required("start", &ParticlesTable::start, Dimension::none,
                "coordinates at the beginning of the study")
      .optional("gradient", &ParticlesTable::gradient, Dimension::none,
                "formulas of the derivatives of the potential by each coordinate. If left out, "
                "differences of the potential replace them, which take four times as long")
      .not_empty()
      .optional("state", &ParticlesTable::state, Dimension::none,
                "formula that gives a whole number for each state, as \"x > 0\". If left out, a "
                "state is the basin of a minimum")
      .not_empty()
      .optional("length", &ParticlesTable::length, Dimension::none,
                "typical length of the potential. Minima closer than a thousandth of it are one "
                "state")
      .positive()
      .optional("diffusion", &ParticlesTable::diffusion, Dimension::none,
                "diffusion constant of overdamped motion. The default is 1")
      .positive()
      .optional("friction", &ParticlesTable::friction, Dimension::none,
                "friction of motion with masses 1. If left out, the motion is overdamped")
      .positive();
}

particles::MotionKeys ParticlesTable::motion() const {
  particles::MotionKeys keys;
  keys.potential.coordinates = coordinates;
  keys.potential.potential = potential;
  keys.potential.gradient = gradient;
  keys.potential.length = length;
  for (const Value::Entry& entry : parameters.as_table()) {
    if (!entry.value.is_number() || !std::isfinite(entry.value.as_number()))
      throw InputError(fmt::format("the parameter {} must be a finite number", entry.key),
                       entry.value.where(), "give a number, as { h = 3 }");
    keys.potential.parameters[entry.key] = entry.value.as_number();
  }
  keys.state = state;
  keys.diffusion = diffusion.value_or(1);
  keys.friction = friction;
  return keys;
}

FieldTable<ParticleTables> ParticleTables::fields() {
  return FieldTable<ParticleTables>().required("particles", &ParticleTables::particles,
                                               Dimension::none, ParticlesTable::doc);
}

std::vector<std::pair<std::string, Value>> ParticleTables::completed() const {
  return completed_entries(*this, context);
}

std::unique_ptr<Blueprint> ParticleTables::blueprint() const {
  return std::make_unique<ParticleBlueprint>(*this);
}

const ParticleTables& particle_tables(const Study& study) {
  const auto* const tables = dynamic_cast<const ParticleTables*>(study.tables.get());
  if (tables == nullptr) throw InternalError("the study is not about particles");
  return *tables;
}

std::shared_ptr<const ModelTables> read_particle_tables(const Value& document,
                                                        const ModelContext& context) {
  if (context.read.units == UnitSystem::material)
    throw InputError("particles in a formula have no units", document.where(),
                     "remove units = \"material\"; all quantities are numbers");
  auto tables =
      std::make_shared<ParticleTables>(larmor::read<ParticleTables>(document, context.read));
  tables->context = context.read;
  const ParticlesTable& table = tables->particles;
  if (!table.parameters.is_table())
    throw InputError("parameters must be a table of numbers", table.where.of("parameters"),
                     "give a table, as { h = 3 }");
  check_names(table);
  check_count(table.start.size(), "start", table);
  if (!table.gradient.empty()) check_count(table.gradient.size(), "gradient", table);
  if (table.friction && table.diffusion)
    throw InputError("particles has both friction and diffusion", table.where.of("diffusion"),
                     "leave out one of them: with friction, diffusion follows from it");
  check_formulas(table);
  particles::Potential potential(table.motion().potential);
  const double energy = potential.energy(table.start);
  if (!std::isfinite(energy))
    throw InputError("the potential at start is " + number_text(energy), table.where.of("start"),
                     "begin where the potential is finite");
  check_gradient(table, potential);
  return tables;
}

}  // namespace larmor::study
