#include "larmor/study/models/particles/stages/particle_parsplice.hpp"

#include "larmor/study/models/particles/system/particle_system.hpp"

namespace larmor::study {
namespace {

particles::MotionKeys motion_of(const Study& study, const ParspliceKeys& keys,
                                const ParspliceSteps& steps, const ReadContext& context) {
  particles::MotionKeys motion = particle_tables(study).particles.motion();
  motion.thermal_energy = context.constants.k_B * keys.temperature;
  motion.timestep = keys.timestep;
  motion.timesteps_of_step = steps.timesteps;
  return motion;
}

}  // namespace

FieldTable<ParticleParspliceTable> ParticleParspliceTable::fields() {
  FieldTable<ParticleParspliceTable> table;
  return add_parsplice_fields(table,
                              "timesteps between two checks of the state. The default is 20");
}

ParticleParspliceStage::ParticleParspliceStage(const Table& table, const ReadContext& context)
    : ParspliceStage(context), table_(table) {}

void ParticleParspliceStage::validate(const Sizing& sizing) const {
  ParspliceStage::validate(sizing);
  const ParticlesTable& table = particle_tables(sizing.study).particles;
  // The formula of states, and a minimum near the start.
  const particles::Motion motion(motion_of(sizing.study, table_, steps(), context_));
  parsplice::Configuration start = table.start;
  start.resize(static_cast<std::size_t>(motion.numbers()));
  try {
    motion.reference(start);
  } catch (const UnphysicalError& error) {
    throw InputError(error.what(), table.where.of({"state", "potential"}),
                     "begin in another place, or correct the formula");
  }
}

std::unique_ptr<parsplice::MatterSystem> ParticleParspliceStage::make_system(
    const Simulation& simulation) const {
  return std::make_unique<particles::Motion>(
      motion_of(simulation.study, table_, steps(), context_));
}

parsplice::Configuration ParticleParspliceStage::first_configuration(
    const Simulation& simulation) const {
  return particle_system(simulation).configuration;
}

io::Shape ParticleParspliceStage::shape_of_places(const Simulation& simulation) const {
  return {simulation.system.size().sites};
}

}  // namespace larmor::study
