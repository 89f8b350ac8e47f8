#include "larmor/study/models/spins/measurements/pair_correlations_in_time.hpp"

#include "larmor/study/models/spins/measurements/correlation_keys.hpp"
#include "larmor/study/models/spins/measurements/correlation_results.hpp"
#include "larmor/study/models/spins/measurements/pair_bins.hpp"

namespace larmor::study {

using correlations::real_space::BinsInTime;
using correlations::real_space::PairCorrelationsInTime;
using correlations::real_space::PairsInTimeResult;
using correlations::real_space::PairsInTimeSettings;

namespace {

std::vector<double> real_parts_of(const std::vector<std::complex<double>>& numbers) {
  std::vector<double> parts;
  parts.reserve(numbers.size());
  for (const std::complex<double>& z : numbers) parts.push_back(z.real());
  return parts;
}

}  // namespace

FieldTable<PairsInTimeTable> PairsInTimeTable::fields() {
  auto table = measurement_fields<PairsInTimeTable>(PairsInTime::name);
  table
      .optional("distance", &PairsInTimeTable::distance, Dimension::none,
                "averages C(r,r',t) over all pairs of sites in a bin of distances: one table { "
                "width, bins }")
      .optional(
          "displacement", &PairsInTimeTable::displacement, Dimension::none,
          "averages C(r,r',t) by displacement r' - r in cells and by atoms of the basis. Site r is "
          "taken at the start of the stage and site r' at time t. Write true for all "
          "displacements, or { cells = [4, 4, 0] } for the largest numbers of cells to both sides")
      .with_child<DisplacementTable>()
      .optional("groups", &PairsInTimeTable::groups, Dimension::none,
                "averages C(r,r',t) between groups of sites: none, species, basis, or a list of { "
                "name = \"core\", sites = [0, 5] }. Sites are counted from 0. Sites that are in no "
                "group are left out")
      .with_child<SiteGroupTable>();
  return add_correlation_fields(table);
}

PairsInTime::PairsInTime(const Table& table, const DynamicsContext& course)
    : Measurement(name, complete(table, course.read), table.every),
      table_(table),
      course_(course),
      label_(numbered_name(name, course.number)),
      displacement_(table.displacement, course.read),
      groups_(table.groups, course.read) {
  require_consistent(table);
  if (table.distance.empty() && !displacement_.asked() && !groups_.asks_for_groups())
    throw InputError("pair-correlations lacks its bins", table.where,
                     "give distance = { width = 1.0, bins = 20 }, displacement = true or groups = "
                     "\"species\"");
  if (table.distance.size() > 1)
    throw InputError("pair-correlations has several tables of distance", table.distance[1].where,
                     "give one table of distance");
}

PairsInTimeSettings PairsInTime::settings_for(const lattice::Geometry& geometry) const {
  PairsInTimeSettings settings;
  choose_bins(geometry, table_.distance, displacement_, groups_, settings);
  settings.interval = course_.timestep * static_cast<double>(table_.every);
  settings.samples = course_.samples(table_.every);
  settings.window = correlations::window_by_name(table_.window);
  settings.window_width = table_.window_width.value_or(correlations::gaussian_width);
  settings.connected = table_.connected;
  settings.error_blocks = table_.error_blocks.value_or(Table::usual_error_blocks);
  settings.precision = correlations::real_space::pair_precision_by_name(table_.precision);
  return settings;
}

void PairsInTime::validate(const Sizing& sizing) const {
  require_replicas(table_, sizing.study);
  if (table_.connected)
    require_replicas_alike(sizing.study, *sizing.system.geometry, table_.where.of("connected"));
  const PairsInTimeSettings settings = settings_for(*sizing.system.geometry);
  require_pair_bins(sizing.device,
                    {settings.groups, settings.displacement ? settings.displacement->bins() : 0,
                     settings.precision, table_.where.of("groups"), table_.displacement.where()});
}

StageBytes PairsInTime::forecast(const Sizing& sizing) const {
  const lattice::Geometry& geometry = *sizing.system.geometry;
  const PairsInTimeSettings settings = settings_for(geometry);
  StageBytes bytes;
  bytes.host_of_all_replicas =
      PairCorrelationsInTime::bytes(geometry, settings, sizing.all_replicas);
  bytes.device = PairCorrelationsInTime::working_bytes(
      geometry, settings, {0, sizing.replicas, sizing.all_replicas}, sizing.device);
  return bytes;
}

void PairsInTime::prepare(const Simulation& simulation) {
  const lattice::Geometry& geometry = spins_of(simulation).geometry;
  pairs_ = std::make_unique<PairCorrelationsInTime>(
      geometry, settings_for(geometry), simulation.study.replicas, simulation.ranks.world());
}

Index PairsInTime::try_share(const Simulation& simulation) {
  return pairs_->try_share(spins_of(simulation).state);
}

void PairsInTime::sample(const Simulation& simulation, const Instant&, MeasurementQueue&,
                         ResultsGroup&) {
  pairs_->add(spins_of(simulation).state);
}

void PairsInTime::write(const Simulation& simulation, const std::optional<MeasuredPoint>&,
                        ResultsGroup& results) {
  if (!simulation.ranks.is_root()) return;
  const SpinSimulation spins = spins_of(simulation);
  write_bins(pairs_->finish(spins.state.device().threads), spins, results);
}

void PairsInTime::write_bins(const PairsInTimeResult& values, const SpinSimulation& simulation,
                             ResultsGroup& results) const {
  const PairsInTimeSettings settings = settings_for(simulation.geometry);
  const bool material = simulation.study.context.units == UnitSystem::material;
  const std::string group = label_ + "/", time = material ? "ps" : "";
  const auto T = static_cast<Index>(values.time.size());
  const auto F = static_cast<Index>(values.frequency.size());
  results.write(group + "time", values.time, {T}, time);
  results.write(group + "frequency", values.frequency, {F}, material ? "rad/ps" : "");
  /// @param is_real do pairs of each bin occur in both orders?
  const auto write = [&](const std::string& kind, const BinsInTime& bins,
                         const std::vector<Index>& shape, bool is_real) {
    const auto along = [&](Index first, bool complex = false) {
      std::vector<Index> all{first};
      all.insert(all.end(), shape.begin(), shape.end());
      if (complex) all.push_back(2);
      return all;
    };
    const std::string of_kind = group + kind + "/";
    results.write(of_kind + "pairs", bins.pairs, shape, "");
    results.write(of_kind + "correlation/value", bins.mean, along(T), "");
    results.write(of_kind + "spectrum/value",
                  is_real ? real_parts_of(bins.spectrum) : complex_parts(bins.spectrum),
                  along(F, !is_real), time);
    if (bins.error.empty()) return;
    results.write(of_kind + "correlation/error", bins.error, along(T), "");
    results.write(of_kind + "spectrum/error", bins.spectrum_error, along(F), time);
  };
  if (settings.bins > 0) {
    write_distances(results, group + "by-distance/", settings.width, settings.bins,
                    material ? "Å" : "");
    write("by-distance", values.distance, {settings.bins}, true);
  }
  if (settings.displacement) {
    const auto& by = *settings.displacement;
    write_displacements(results, group + "by-displacement/", by);
    write("by-displacement", values.displacement,
          {by.atoms, by.atoms, by.count[0], by.count[1], by.count[2]}, false);
  }
  if (const Index G = settings.groups; G > 0) {
    results.write_strings(group + "between-groups/names", groups_.of(simulation.geometry).names);
    write("between-groups", values.groups, {G, G}, false);
  }
  results.set_attribute(label_, "window", table_.window);
  if (table_.window == "gaussian")
    results.set_attribute(label_, "window_width", settings.window_width);
  results.set_attribute(label_, "connected", Index{settings.connected ? 1 : 0});
  results.set_attribute(label_, "replicas", simulation.study.replicas);
  results.set_attribute(label_, "error_blocks", values.error_blocks);
  results.set_attribute(
      label_, "normalisation",
      std::string("C(r,r',t) = ") + (settings.connected ? "1/(M-1)" : "1/M") +
          " sum over replicas of e_r(0).e_r'(t), mean over pairs; S(r,r',w) = int dt exp(iwt) "
          "C(r,r',t), C(r,r',-t) = C(r',r,t)");
}

void PairsInTime::save(StageMemory& memory, const Ranks&) const {
  memory.numbers["pairs"] = pairs_->save();
}

void PairsInTime::load(const StageMemory& memory, const Ranks&) {
  pairs_->load(memory.number("pairs"));
}

}  // namespace larmor::study
