#include "larmor/study/models/particles/system/particle_system.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "larmor/study/input/study.hpp"

namespace larmor::study {
namespace {

SystemSize size_of(const ParticleTables& tables) {
  const Index count = std::ssize(tables.particles.coordinates);
  return {count, count, nullptr, sizeof(double) * static_cast<double>(count)};
}

}  // namespace

ParticleSystem::ParticleSystem(const ParticleTables& from, const SystemChoice& choice)
    : System(choice.device), tables(from) {}

SystemSize ParticleSystem::size() const { return size_of(tables); }

void ParticleSystem::begin(const Study&) {
  configuration = tables.particles.start;
  if (tables.particles.friction) configuration.resize(2 * configuration.size());
}

Blocks ParticleSystem::save(const Ranks&) const { return {{"configuration", configuration}}; }

void ParticleSystem::load(const Blocks& blocks, const Ranks&) {
  configuration = block<double>(blocks, "configuration");
}

io::DataArray ParticleSystem::configurations(Index, const Ranks&) const {
  const Index count = std::ssize(tables.particles.coordinates);
  return {parsplice::Configuration(configuration.begin(), configuration.begin() + count),
          {1, count}};
}

void ParticleSystem::write_model(const Study&, io::ResultsFile& results) const {
  results.write("/model/coordinates", tables.particles.coordinates);
  results.set_attribute("/model", "potential", tables.particles.potential);
  results.set_attribute("/model", "energy_unit", "");
  for (const auto& [name, value] : tables.particles.motion().potential.parameters)
    results.set_attribute("/model/parameters", name, value);
}

std::vector<std::string> ParticleSystem::plan(const Study&) const {
  const ParticlesTable& table = tables.particles;
  const std::string motion = table.friction
                                 ? "friction " + number_text(*table.friction)
                                 : "overdamped, D = " + number_text(table.diffusion.value_or(1));
  return {fmt::format("particles V({}) = {}; {}", fmt::join(table.coordinates, ", "),
                      table.potential, motion)};
}

SystemSize ParticleBlueprint::size() const { return size_of(tables_); }

SystemBytes ParticleBlueprint::bytes(const Device& device, Index, Index) const {
  if (device.backend != Backend::cpu)
    throw InputError("particles in a formula have no kernels for GPUs", "use backend = \"cpu\"");
  const double bytes = 2 * size().configuration_bytes;
  return {bytes, 0, bytes, bytes};
}

std::unique_ptr<System> ParticleBlueprint::make(const SystemChoice& choice) const {
  return std::make_unique<ParticleSystem>(tables_, choice);
}

ParticleSystem& particle_system(const Simulation& simulation) {
  auto* const system = dynamic_cast<ParticleSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the system has no particles");
  return *system;
}

}  // namespace larmor::study
