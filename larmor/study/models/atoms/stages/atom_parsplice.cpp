#include "larmor/study/models/atoms/stages/atom_parsplice.hpp"

#include <fmt/core.h>

#include "larmor/atoms/minimisers/minimiser.hpp"
#include "larmor/study/models/atoms/stages/atom_stage.hpp"
#include "larmor/study/models/atoms/system/atom_motion_together.hpp"

namespace larmor::study {

FieldTable<AtomParspliceTable> AtomParspliceTable::fields() {
  FieldTable<AtomParspliceTable> table;
  return add_parsplice_fields(
             table, "timesteps between two minimisations, which find the state. The default is 50")
      .optional("thermostat_time", &AtomParspliceTable::thermostat_time, Dimension::time,
                "one over the friction coefficient. The default is 0.1 ps")
      .positive();
}

AtomParspliceStage::AtomParspliceStage(const Table& table, const ReadContext& context)
    : ParspliceStage(context), table_(table) {}

void AtomParspliceStage::validate(const Sizing& sizing) const {
  ParspliceStage::validate(sizing);
  const AtomSetup& setup = setup_of(atom_tables(sizing.study));
  if (setup.has_single_atom())
    throw InputError("a single atom has no temperature", table_.where.of("temperature"),
                     "the stage parsplice needs two atoms or more");
  if (!setup.is_periodic())
    throw InputError("the box is open in a direction, and rotations would be new states",
                     setup.where.front(), "give a box that is periodic in all directions");
}

std::vector<Advice> AtomParspliceStage::advice(const Simulation&) const {
  if (table_.correlation_time >= 3 * friction_time() * (1 - 1e-12)) return {};
  return {{fmt::format("correlation_time is {} and thermostat_time {}: velocities may not be "
                       "forgotten before a segment begins",
                       number_text(table_.correlation_time), number_text(friction_time())),
           true}};
}

std::unique_ptr<parsplice::MatterSystem> AtomParspliceStage::make_system(
    const Simulation& simulation) const {
  const AtomMotionKeys motion{table_.temperature, table_.timestep, friction_time(),
                              steps().timesteps};
  const AtomTables& tables = atom_tables(simulation.study);
  const parsplice::Configuration first = first_configuration(simulation);
  if (simulation.system.device.backend == Backend::cpu)
    return std::make_unique<AtomMotion>(tables, motion, first);
  return std::make_unique<AtomMotionTogether>(tables, motion, first, simulation.system.device);
}

Index AtomParspliceStage::usual_workers(const Device& device, const SystemSize& size) const {
  if (device.backend == Backend::cpu) return device.host_threads();
  return AtomMotionTogether::usual_copies(size.sites);
}

parsplice::Configuration AtomParspliceStage::first_configuration(
    const Simulation& simulation) const {
  const AtomNumbers numbers = numbers_of(atom_system(simulation).on_host(), 1);
  parsplice::Configuration first = numbers.positions;
  first.insert(first.end(), numbers.velocities.begin(), numbers.velocities.end());
  return first;
}

io::Shape AtomParspliceStage::shape_of_places(const Simulation& simulation) const {
  return {simulation.system.size().sites, 3};
}

double AtomParspliceStage::bytes_of_worker(const Sizing& sizing) const {
  const AtomBlueprint one(atom_tables(sizing.study));
  return 2 * one.bytes(Device::cpu(1), 1, 1).state + atoms::minimiser_bytes(sizing.system.sites, 8);
}

}  // namespace larmor::study
