#pragma once
// The table of particles: coordinates, potential, motion.

#include <memory>

#include "larmor/particles/motion.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

struct ParticlesTable {
  static constexpr const char* name = "particles";
  static constexpr const char* doc =
      "Brownian particles: their coordinates, and their potential as a formula";
  std::vector<std::string> coordinates;
  std::string potential;
  Value parameters;
  std::vector<double> start;
  std::vector<std::string> gradient;
  std::optional<std::string> state;
  double length = 1;
  std::optional<double> diffusion, friction;
  TablePosition where;

  static FieldTable<ParticlesTable> fields();
  /// The keys of the motion, without temperature and times.
  /// @throws InputError for parameters that are not numbers
  particles::MotionKeys motion() const;
};

struct ParticleTables : ModelTables {
  static constexpr const char* name = "";
  ParticlesTable particles;

  ReadContext context;

  static FieldTable<ParticleTables> fields();
  std::vector<std::pair<std::string, Value>> completed() const override;
  std::vector<std::string> files() const override { return {}; }
  std::unique_ptr<Blueprint> blueprint() const override;
};

/// @throws InternalError if the study is not about particles
const ParticleTables& particle_tables(const Study& study);

/// @throws InputError with the position of the first mistake
std::shared_ptr<const ModelTables> read_particle_tables(const Value& document,
                                                        const ModelContext& context);

}  // namespace larmor::study
