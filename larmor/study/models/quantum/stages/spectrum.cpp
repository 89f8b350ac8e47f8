#include "larmor/study/models/quantum/stages/spectrum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "larmor/core/error.hpp"

namespace larmor::study {
namespace {

using quantum::Sector;

/// Energies closer than this, relative to their size, count as equal.
constexpr double equal_energies = 1e-10;

/// Numbers of the averages of a state: |m|, m2, m4, sx, sz, and three tables of pairs.
Index numbers_of_averages(Index sites, bool correlations) {
  return 3 + 2 * sites + (correlations ? 3 * sites * sites : 0);
}

}  // namespace

FieldTable<SpectrumTable> SpectrumTable::fields() {
  FieldTable<SpectrumTable> table;
  table
      .required("kind", &SpectrumTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name});
  return table
      .optional("levels", &SpectrumTable::levels, Dimension::none, "lowest levels of each sector")
      .at_least(1)
      .at_most(20)
      .optional("sectors", &SpectrumTable::sectors, Dimension::none,
                "even or odd under a flip of all spins, or all states; default: those of the model")
      .one_of({"all", "even", "odd"})
      .optional("magnetisation", &SpectrumTable::magnetisation, Dimension::none,
                "sectors of the sum of all sz, for models without a transverse field; default: all "
                "sectors, without a field along z those of 0 or more")
      .optional("correlations", &SpectrumTable::correlations, Dimension::none,
                "also averages of sx sx, sy sy and sz sz of all pairs in the ground state")
      .optional("tolerance", &SpectrumTable::tolerance, Dimension::none,
                "largest residual |H v - E v| over the distance of E from an upper bound of the "
                "spectrum; errors of energies are of the order of its square")
      .positive()
      .at_most(1e-3);
}

SpectrumStage::SpectrumStage(const Table& table, const ReadContext& context)
    : SectorStage(context), table_(table) {}

std::vector<StageNumber> SpectrumStage::numbers(const io::ResultsReader& results,
                                                const std::string& path) {
  std::vector<StageNumber> numbers;
  for (const char* const name : {"ground_state_energy", "gap"}) {
    const std::string dataset = path + "/" + name;
    if (!results.exists(dataset)) continue;
    const std::vector<double> values = results.read<double>(dataset);
    if (values.size() == 1)
      numbers.push_back({name, "", values.front(), std::numeric_limits<double>::quiet_NaN()});
  }
  return numbers;
}

std::string SpectrumStage::plan() const {
  return fmt::format("{} lowest level(s) of each sector{}", table_.levels,
                     table_.correlations ? ", and correlations of all pairs" : "");
}

quantum::LevelSettings SpectrumStage::settings() const {
  return {.wanted = table_.levels, .tolerance = table_.tolerance};
}

/// Sectors with common states would give some levels twice.
void SpectrumStage::require_different(const std::vector<Task>& tasks) const {
  using Kind = Sector::Kind;
  for (std::size_t a = 0; a < tasks.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Sector &first = tasks[a].sector, &second = tasks[b].sector;
      const bool is_one_kind = first.kind == second.kind;
      const bool has_common_states =
          is_one_kind ? first.kind != Kind::magnetisation || first.up == second.up
                      : first.kind == Kind::all || second.kind == Kind::all ||
                            first.kind == Kind::magnetisation || second.kind == Kind::magnetisation;
      if (has_common_states)
        throw InputError("two of the sectors have common states",
                         table_.where.of({"sectors", "magnetisation"}),
                         "give each sector once, and either parities or magnetisations");
    }
}

std::vector<SpectrumStage::Task> SpectrumStage::tasks_of(const quantum::SpinModel& model) const {
  std::vector<Task> tasks;
  for (const std::string& name : table_.sectors) {
    if (name != "all" && !model.is_even())
      throw InputError("a model with a field along z has no " + name + " states",
                       table_.where.of("sectors"), "leave out sectors, or the field h");
    tasks.push_back({0,
                     {name == "all"    ? Sector::Kind::all
                      : name == "even" ? Sector::Kind::even
                                       : Sector::Kind::odd}});
  }
  for (const Index M : table_.magnetisation) {
    if (!model.conserves_magnetisation())
      throw InputError("a transverse field does not conserve the magnetisation",
                       table_.where.of("magnetisation"),
                       "leave out magnetisation, or the field Gamma");
    if (std::abs(M) > model.sites || (M + model.sites) % 2 != 0)
      throw InputError(
          fmt::format("no state of {} spins has the magnetisation {}", model.sites, M),
          table_.where.of("magnetisation"),
          fmt::format("give {0}, {1}, .. {2}", -model.sites, 2 - model.sites, model.sites));
    tasks.push_back({0, {Sector::Kind::magnetisation, static_cast<int>((M + model.sites) / 2)}});
  }
  if (!tasks.empty()) {
    require_different(tasks);
    return tasks;
  }
  for (const Sector& sector : quantum::sectors_of(model))
    if (sector.kind != Sector::Kind::magnetisation || !model.is_even() ||
        2 * sector.up >= model.sites)
      tasks.push_back({0, sector});
  return tasks;
}

bool SpectrumStage::is_mirrored(const Sector& sector) const {
  return table_.magnetisation.empty() && sector.kind == Sector::Kind::magnetisation &&
         model().is_even() && 2 * sector.up > model().sites;
}

void SpectrumStage::check_size(const quantum::SpinModel&) const {}

std::pair<double, double> SpectrumStage::bytes_of(const quantum::SpinModel& model, const Task& task,
                                                  const Device& device) const {
  return {quantum::LowLevels::bytes(model.sites, task.sector, settings()),
          quantum::ExpectationValues::bytes(model.sites, task.sector, device.backend)};
}

void SpectrumStage::begin_task(const Device& device, const quantum::SpinModel& model,
                               const Task& task, Index) {
  search_ = std::make_unique<quantum::LowLevels>(device, model, task.sector, settings());
}

bool SpectrumStage::step_task(std::vector<double>& numbers) {
  if (!search_->step()) return false;
  for (const quantum::EnergyLevel& level : search_->levels())
    append(numbers, {level.energy, level.residual});
  const quantum::ExpectationValues averages = search_->averages(0);
  const quantum::DiagonalAverages diagonal = averages.diagonal();
  append(numbers, {diagonal.abs_m, diagonal.m2, diagonal.m4});
  append(numbers, averages.sx());
  append(numbers, diagonal.sz);
  if (!table_.correlations) return true;
  const quantum::PlaneAverages plane = averages.plane();
  append(numbers, diagonal.szsz);
  append(numbers, plane.sxsx);
  append(numbers, plane.sysy);
  return true;
}

double SpectrumStage::work_of_step(const quantum::SpinModel& model, const Task& task) const {
  return quantum::StateSpace::states_of(model.sites, task.sector);
}

Index SpectrumStage::levels_of(const Task& task) const {
  return std::min(table_.levels,
                  static_cast<Index>(quantum::StateSpace::states_of(model().sites, task.sector)));
}

void SpectrumStage::write(ResultsGroup& results) const {
  const Index S = samples(), N = model().sites;
  std::map<std::string, std::vector<double>> energies, residuals, averages;
  std::map<std::string, Index> counts;
  std::vector<double> ground, gaps;
  const double* next = found().data();
  for (Index sample = 0; sample < S; ++sample) {
    std::vector<double> all;
    double lowest = std::numeric_limits<double>::infinity();
    const double* of_lowest = nullptr;
    for (Index n = 0; n < tasks_of_sample(); ++n) {
      const Task& task = tasks()[static_cast<std::size_t>(n)];
      const std::string sector = name_of(task.sector, model().sites);
      const Index count = counts[sector] = levels_of(task);
      for (Index level = 0; level < count; ++level) {
        all.push_back(next[2 * level]);
        if (is_mirrored(task.sector)) all.push_back(next[2 * level]);
        energies[sector].push_back(next[2 * level]);
        residuals[sector].push_back(next[2 * level + 1]);
      }
      const double energy = next[0];
      next += 2 * count;
      // If sectors have equal energies, the first one gives the averages.
      if (of_lowest == nullptr || energy < lowest - equal_energies * std::abs(lowest)) {
        lowest = energy;
        of_lowest = next;
      }
      next += numbers_of_averages(N, table_.correlations);
    }
    std::ranges::sort(all);
    ground.push_back(all.front());
    if (all.size() > 1 && table_.levels > 1) gaps.push_back(all[1] - all[0]);
    const auto take = [&](const char* name, Index count) {
      std::vector<double>& of_name = averages[name];
      of_name.insert(of_name.end(), of_lowest, of_lowest + count);
      of_lowest += count;
    };
    for (const char* const name :
         {"absolute_magnetisation", "magnetisation_squared", "magnetisation_4"})
      take(name, 1);
    for (const char* const name : {"sx", "sz"}) take(name, N);
    if (table_.correlations)
      for (const char* const name : {"szsz", "sxsx", "sysy"}) take(name, N * N);
  }
  results.write("ground_state_energy", ground, {S}, energy_unit());
  if (std::ssize(gaps) == S) results.write("gap", gaps, {S}, energy_unit());
  for (const auto& [sector, count] : counts) {
    results.write(sector + "/energy", energies[sector], {S, count}, energy_unit());
    results.write(sector + "/residual", residuals[sector], {S, count}, energy_unit());
  }
  for (const auto& [name, values] : averages) {
    const bool is_of_sites = name == "sx" || name == "sz", is_of_pairs = name.size() == 4;
    results.write(name, values,
                  is_of_sites   ? std::vector<Index>{S, N}
                  : is_of_pairs ? std::vector<Index>{S, N, N}
                                : std::vector<Index>{S},
                  "");
  }
}

}  // namespace larmor::study
