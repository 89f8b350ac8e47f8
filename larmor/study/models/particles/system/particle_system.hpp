#pragma once
// A system of particles: their coordinates and, for motion with friction, their velocities.

#include "larmor/study/models/particles/system/particle_tables.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class ParticleSystem : public System {
 public:
  ParticleSystem(const ParticleTables& from, const SystemChoice& choice);

  SystemSize size() const override;
  void begin(const Study& study) override;
  Blocks save(const Ranks& ranks) const override;
  void load(const Blocks& blocks, const Ranks& ranks) override;
  void require_finite() const override {}
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;

  const ParticleTables& tables;
  /// Coordinates, then velocities if there is a friction.
  parsplice::Configuration configuration;
};

class ParticleBlueprint : public Blueprint {
 public:
  /// @param tables outlive this
  explicit ParticleBlueprint(const ParticleTables& tables) : tables_(tables) {}

  SystemSize size() const override;
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const ParticleTables& tables_;
};

/// @throws InternalError if the system has no particles
ParticleSystem& particle_system(const Simulation& simulation);

}  // namespace larmor::study
