#include "larmor/study/models/atoms/measurements/radial_distribution.hpp"

namespace larmor::study {

FieldTable<RadialDistributionTable> RadialDistributionTable::fields() {
  auto table = blocked_fields<RadialDistributionTable>(RadialDistribution::name);
  table.required("r_max", &RadialDistributionTable::r_max, Dimension::length, "largest distance")
      .positive()
      .optional("bins", &RadialDistributionTable::bins, Dimension::none,
                "number of bins of equal width from 0 to r_max")
      .at_least(1)
      .at_most(1000000);
  return table;
}

RadialDistribution::RadialDistribution(const Table& table, const MdContext& course)
    : BlockedMeasurement(name, complete(table, course.read), table, course), table_(table) {}

void RadialDistribution::validate(const Sizing& sizing) const {
  BlockedMeasurement::validate(sizing);
  const AtomSetup& setup = setup_of(atom_tables(sizing.study));
  if (!setup.is_periodic())
    throw InputError("the box is open in a direction, and radial-distribution needs a density",
                     table_.where,
                     "leave radial-distribution out, or make the box periodic in all directions");
  for (const atoms::NamedStructure& structure : setup.structures)
    with_position(table_.where.of("r_max"),
                  [&] { atoms::require_box(structure.box, table_.r_max); });
}

StageBytes RadialDistribution::forecast(const Sizing& sizing) const {
  const auto types = static_cast<double>(setup_of(atom_tables(sizing.study)).species().size());
  StageBytes bytes;
  bytes.host_of_all_replicas = 24 * types * (types + 1) * static_cast<double>(table_.bins) *
                               static_cast<double>(table_.blocks + 1);
  return bytes;
}

void RadialDistribution::prepare(const Simulation& simulation) {
  const AtomSystem& system = atom_system(simulation);
  g_ = std::make_unique<atoms::RadialDistribution>(
      system.state.layout, types_of(system),
      atoms::RadialDistribution::Settings{table_.r_max, table_.bins, frames_of_block()},
      system.device.threads);
}

void RadialDistribution::write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                                     ResultsGroup& results) const {
  const auto pairs = static_cast<Index>(g_->pairs().size());
  const std::vector<std::string>& species = system.setup.species();
  std::vector<std::string> names;
  for (const auto& [a, b] : g_->pairs())
    names.push_back(species[static_cast<std::size_t>(a)] + "-" +
                    species[static_cast<std::size_t>(b)]);
  atoms::MeanAndError g = means.result();
  results.write(group() + "/edges", g_->edges(), {table_.bins + 1},
                inner_unit(Dimension::length, course().read.units));
  results.write_strings(group() + "/pairs", names);
  results.write(group() + "/value", std::move(g.value), {pairs, table_.bins}, "");
  results.write(group() + "/error", std::move(g.error), {pairs, table_.bins}, "");
}

}  // namespace larmor::study
