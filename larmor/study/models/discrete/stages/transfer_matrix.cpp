#include "larmor/study/models/discrete/stages/transfer_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "larmor/core/error.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

using transfer::Sector;

/// How many numbers are stored for a level, and for the averages of a row.
constexpr Index numbers_of_level = 3, numbers_of_averages = 6;
/// How many numbers of vectors a block multiplies: few enough to react to Ctrl-C.
constexpr double work_of_block = 5e7;
/// Products of a typical search, for forecasts.
constexpr double usual_products = 80;
/// Longer rows need indices and tables that no machine holds.
constexpr Index most_row_sites = 36;

const char* name_of(Sector sector) {
  return sector == Sector::all ? "all" : sector == Sector::even ? "even" : "odd";
}

}  // namespace

FieldTable<TransferMatrixTable> TransferMatrixTable::fields() {
  FieldTable<TransferMatrixTable> table;
  table
      .required("kind", &TransferMatrixTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name});
  table
      .required("temperature", &TransferMatrixTable::temperature, Dimension::temperature,
                "a temperature, a list of them, or { from, to, factor | step | points }")
      .with_child<TemperatureRange>();
  return table
      .optional("levels", &TransferMatrixTable::levels, Dimension::none,
                "number of eigenvalues of each sector, from the largest magnitude down")
      .at_least(1)
      .at_most(20)
      .optional("domain_wall", &TransferMatrixTable::domain_wall, Dimension::none,
                "if true, also computes the free energy of a domain wall along the strip. The "
                "first axis must be periodic, and the stage reverses the bonds across its boundary")
      .optional("tolerance", &TransferMatrixTable::tolerance, Dimension::none,
                "largest residual |T v - lambda v| of an eigenvector v, divided by its eigenvalue "
                "|lambda|. Relative errors of eigenvalues are of the order of the square of this "
                "ratio")
      .at_least(1e-14)
      .at_most(1e-3)
      .optional("basis", &TransferMatrixTable::basis, Dimension::none,
                "vectors of the Lanczos method in memory, levels + 2 or more: fewer need more "
                "products; default: levels + 9")
      .at_least(3)
      .at_most(60)
      .optional("lyapunov", &TransferMatrixTable::lyapunov, Dimension::none,
                "Lyapunov exponents of each sector of a strip whose rows differ")
      .at_least(0)
      .at_most(20);
}

TransferMatrixStage::TransferMatrixStage(const Table& table, const ReadContext& context)
    : table_(table),
      context_(context),
      temperatures_(read_temperatures(table.temperature, context,
                                      "a transfer matrix needs a positive temperature")) {
  if (table.basis == 0) table_.basis = table.levels + 9;
  if (table_.basis < table.levels + 2)
    throw InputError(
        fmt::format("basis = {} is too small for {} levels", table.basis, table.levels),
        table.where.of("basis"), "give levels + 2 or more");
}

std::vector<StageNumber> TransferMatrixStage::numbers(const io::ResultsReader& results,
                                                      const std::string& path) {
  std::vector<StageNumber> numbers;
  if (!results.exists(path + "/free_energy")) return numbers;
  const bool material = results.attributes("/").at("units").text() == "material";
  const std::vector<double> f = results.read<double>(path + "/free_energy");
  if (f.size() == 1)
    numbers.push_back(
        {"free_energy", material ? "eV" : "", f.front(), std::numeric_limits<double>::quiet_NaN()});
  return numbers;
}

double TransferMatrixStage::thermal_energy(Index temperature) const {
  return context_.constants.k_B * temperatures_[static_cast<std::size_t>(temperature)];
}

std::vector<TransferMatrixStage::Task> TransferMatrixStage::tasks_of(const StripRows& strip,
                                                                     Index samples) const {
  std::vector<Task> tasks;
  const bool has_field = strip.has_field();
  for (Index t = 0; t < std::ssize(temperatures_); ++t) {
    const std::vector<Sector> sectors = has_field ? std::vector<Sector>{Sector::all}
                                                  : std::vector<Sector>{Sector::even, Sector::odd};
    if (!strip.is_uniform) {
      for (Index s = 0; s < samples; ++s) {
        tasks.push_back({t, Sector::all, false, s, 0});
        for (const Sector sector : sectors)
          if (table_.lyapunov > 0) tasks.push_back({t, sector, false, s, 0, table_.lyapunov});
      }
      continue;
    }
    for (const Sector sector : sectors) tasks.push_back({t, sector, false, 0, table_.levels});
    // T is positive, so its largest eigenvalue is even.
    if (table_.domain_wall) tasks.push_back({t, sectors.front(), true, 0, 1});
  }
  return tasks;
}

double TransferMatrixStage::updates_on(const SystemSize&) const {
  return static_cast<double>(temperatures_.size());
}

std::string TransferMatrixStage::plan() const {
  return fmt::format(
      "{} temperature(s), {} eigenvalue(s) of each sector of an infinite strip{}, or "
      "ln Z of a strip whose rows differ",
      temperatures_.size(), table_.levels,
      table_.domain_wall ? " and of one with a domain wall" : "");
}

void TransferMatrixStage::validate(const Sizing& sizing) const {
  const DiscreteTables& tables = discrete_tables(sizing.study);
  const StripRows strip = strip_rows(tables, sites_of(tables), 0);
  if (strip.sites > most_row_sites)
    throw InputError(
        fmt::format("a row of {} sites has 2^{} states: each vector would take {:.3g} bytes",
                    strip.sites, strip.sites, 8 * std::exp2(static_cast<double>(strip.sites))),
        table_.where,
        "make the axes before the last one shorter; the last one leads along the strip");
  if (!strip.is_uniform && strip.is_closed)
    throw InputError(
        "the rows differ, and the last axis is periodic", tables.lattice.where.of("periodic"),
        "a strip of given rows has free ends: set periodic to false for the last axis");
  if (table_.lyapunov > 0 && strip.is_uniform)
    throw InputError("lyapunov needs rows that differ, and all rows of this strip are equal",
                     table_.where.of("lyapunov"),
                     "leave it out: the eigenvalues give the exponents of equal rows");
  const double states = std::exp2(static_cast<double>(strip.sites - (strip.has_field() ? 0 : 1)));
  if (static_cast<double>(table_.lyapunov) > states)
    throw InputError(
        fmt::format("lyapunov = {}, and a sector has {} states", table_.lyapunov, states),
        table_.where.of("lyapunov"), "give a smaller number");
  if (table_.domain_wall && !(strip.is_uniform && strip.has_wall))
    throw InputError(
        "domain_wall needs equal rows, a periodic first axis, and bonds of nearest neighbours",
        table_.where.of("domain_wall"),
        "leave domain_wall out, or make the first axis periodic and the bonds of a row those of "
        "shell 1");
}

StageBytes TransferMatrixStage::forecast(const Sizing& sizing) const {
  const DiscreteTables& tables = discrete_tables(sizing.study);
  const DiscreteSites& sites = sites_of(tables);
  const StripRows strip = strip_rows(tables, sites, 0);
  double largest = 0;
  for (const Task& task : tasks_of(strip, 1)) largest = std::max(largest, bytes_of(task, strip));
  StageBytes bytes;
  (sizing.device.backend == Backend::cuda ? bytes.device : bytes.host) += largest;
  bytes.host += 32 * static_cast<double>(sites.count * sites.grid.lengths.size());
  return bytes;
}

double TransferMatrixStage::bytes_of(const Task& task, const StripRows& strip) const {
  if (task.levels > 0)
    return transfer::StripSpectrum::bytes(strip.row.front(), task.sector, lanczos_of(task),
                                          started_ranks());
  const transfer::RowModel all = strip.all_bonds();
  if (task.exponents > 0)
    return transfer::LyapunovExponents::bytes(all, task.sector, task.exponents);
  return transfer::StripProduct::bytes(all);
}

transfer::LanczosSettings TransferMatrixStage::lanczos_of(const Task& task) const {
  return {task.levels, table_.tolerance, table_.basis, 1};
}

double TransferMatrixStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  const double seconds = seconds_of_one(simulation.system.device, [&] {
    if (!is_in_task()) begin_task(simulation.system.device, nullptr);
    step();
  });
  leave_task();
  const double steps =
      tasks_.front().levels > 0 ? usual_products : static_cast<double>(strips_.front().rows);
  return seconds * steps * static_cast<double>(tasks_.size()) /
         static_cast<double>(temperatures_.size());
}

void TransferMatrixStage::prepare(Simulation& simulation) {
  const DiscreteTables& tables = discrete_tables(simulation.study);
  const DiscreteSites& sites = sites_of(tables);
  const Index of_sample = replicas_of_sample(simulation);
  strips_.clear();
  strips_.push_back(strip_rows(tables, sites, 0));
  for (Index r = of_sample; of_sample > 0 && r < simulation.study.replicas; r += of_sample)
    strips_.push_back(strip_rows(tables, sites, r));
  tasks_ = tasks_of(strips_.front(), std::ssize(strips_));
  done_ = 0;
  numbers_.clear();
  leave_task();
  note_.clear();
}

void TransferMatrixStage::leave_task() {
  spectrum_.reset();
  product_.reset();
  exponents_.reset();
  rows_done_ = 0;
}

/// Ranks share the vectors if every task has enough states.
bool TransferMatrixStage::is_shared(const Simulation& simulation) const {
  const Index least = Index{1} << (strips_.front().sites - 1);
  return strips_.front().is_uniform &&
         transfer::VectorSpace::can_share(least, simulation.ranks.size());
}

Index TransferMatrixStage::begin_task(const Device& device, const Communicator* world) {
  const Task& task = tasks_[static_cast<std::size_t>(done_)];
  const StripRows& strip = strips_[static_cast<std::size_t>(task.sample)];
  const double kT = thermal_energy(task.temperature);
  if (task.levels > 0) {
    spectrum_ = std::make_unique<transfer::StripSpectrum>(device, strip.at(0, kT, task.has_wall),
                                                          task.sector, lanczos_of(task), world);
    return Index{1} << (strip.sites - (task.sector == Sector::all ? 0 : 1));
  }
  rows_done_ = 1;
  if (task.exponents > 0) {
    exponents_ = std::make_unique<transfer::LyapunovExponents>(
        device, strip.all_bonds(), strip.at(0, kT), task.sector, task.exponents);
    return task.exponents << strip.sites;
  }
  product_ = std::make_unique<transfer::StripProduct>(device, strip.all_bonds(), strip.at(0, kT));
  return Index{1} << strip.sites;
}

bool TransferMatrixStage::step() {
  const Task& task = tasks_[static_cast<std::size_t>(done_)];
  const StripRows& strip = strips_[static_cast<std::size_t>(task.sample)];
  if (task.levels > 0) {
    if (!spectrum_->step()) return false;
    for (const transfer::Level& level : spectrum_->levels())
      numbers_.insert(numbers_.end(),
                      {level.ln_value, level.is_negative ? 1.0 : 0.0, level.residual});
    if (!task.has_wall && task.sector != Sector::odd) {
      const transfer::RowAverages a = spectrum_->averages();
      numbers_.insert(numbers_.end(), {a.bonds, a.next, a.m, a.abs_m, a.m2, a.m4});
    }
    leave_task();
    return true;
  }
  const double kT = thermal_energy(task.temperature);
  const std::vector<double> K_next = strip.next_couplings(rows_done_ - 1, kT);
  if (exponents_)
    exponents_->add(strip.at(rows_done_, kT), K_next);
  else
    product_->add(strip.at(rows_done_, kT), K_next);
  if (++rows_done_ < strip.rows) return false;
  if (exponents_) {
    const std::vector<double> values = exponents_->values();
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  } else {
    numbers_.push_back(product_->ln_Z());
  }
  leave_task();
  return true;
}

StageProgress TransferMatrixStage::advance(Simulation& simulation, ResultsGroup&) {
  const Index before = done_;
  const bool shared = is_shared(simulation);
  if (shared || simulation.ranks.is_root()) {
    double work = 0;
    while (work < work_of_block && done_ < std::ssize(tasks_)) {
      Index states = 0;
      if (!is_in_task())
        states = begin_task(simulation.system.device, shared ? simulation.ranks.world() : nullptr);
      work += static_cast<double>(std::max(states, Index{1} << (strips_.front().sites - 1)));
      if (step()) ++done_;
    }
  }
  if (!shared)
    done_ = simulation.ranks.minimum(
        simulation.ranks.is_root() ? done_ : std::numeric_limits<Index>::max());
  const double tasks = static_cast<double>(tasks_.size());
  const double work =
      static_cast<double>(done_ - before) / tasks * static_cast<double>(temperatures_.size()) *
      static_cast<double>(simulation.system.size().movable * simulation.study.replicas);
  return {work, done_ == std::ssize(tasks_)};
}

void TransferMatrixStage::finish(Simulation& simulation, ResultsGroup& results) {
  if (!simulation.ranks.is_root()) return;
  const auto T = std::ssize(temperatures_);
  results.write("temperature", temperatures_, {T},
                inner_unit(Dimension::temperature, context_.units));
  results.set_attribute("", "sites_of_row", strips_.front().sites);
  if (strips_.front().is_uniform)
    write_levels(results);
  else
    write_products(results);
}

void TransferMatrixStage::write_products(ResultsGroup& results) const {
  const auto T = std::ssize(temperatures_), S = std::ssize(strips_);
  std::vector<double> ln_Z, f;
  std::map<std::string, std::vector<double>> exponents;
  const double* next = numbers_.data();
  for (const Task& task : tasks_) {
    if (task.exponents > 0) {
      std::vector<double>& values = exponents[name_of(task.sector)];
      values.insert(values.end(), next, next + task.exponents);
      next += task.exponents;
      continue;
    }
    ln_Z.push_back(*next++);
    f.push_back(-thermal_energy(task.temperature) * ln_Z.back() /
                static_cast<double>(strips_.front().sites * strips_.front().rows));
  }
  results.write("ln_Z", ln_Z, {T, S}, "");
  results.write("free_energy", f, {T, S}, inner_unit(Dimension::energy, context_.units));
  for (const auto& [sector, values] : exponents)
    results.write(sector + "/lyapunov_exponent", values, {T, S, table_.lyapunov}, "");
}

void TransferMatrixStage::write_levels(ResultsGroup& results) const {
  const auto T = std::ssize(temperatures_);
  const auto L = static_cast<double>(strips_.front().sites);
  const char* const energy_unit = inner_unit(Dimension::energy, context_.units);
  std::map<std::string, std::vector<double>> levels;
  std::map<std::string, Index> level_counts;
  std::vector<double> f, u, m, abs_m, m2, m4, binder, xi_even, xi_odd, wall;
  const double* next = numbers_.data();
  double leading = 0;
  for (const Task& task : tasks_) {
    const Index states = Index{1} << std::min<Index>(
                             strips_.front().sites - (task.sector == Sector::all ? 0 : 1), 30);
    const Index count = std::min(task.levels, states);
    const double kT = thermal_energy(task.temperature);
    if (task.has_wall) {
      wall.push_back(kT * (leading - next[0]));
      next += count * numbers_of_level;
      continue;
    }
    const std::string group = name_of(task.sector);
    level_counts[group] = count;
    for (Index n = 0; n < count; ++n) {
      levels[group + "/ln_eigenvalue"].push_back(next[n * numbers_of_level]);
      levels[group + "/is_negative"].push_back(next[n * numbers_of_level + 1]);
      levels[group + "/residual"].push_back(next[n * numbers_of_level + 2]);
    }
    // The gap to a level that rounding hides is NaN.
    const auto length = [](double gap) {
      return gap <= 0 ? std::numeric_limits<double>::infinity() : 1 / gap;
    };
    if (task.sector == Sector::odd) {
      xi_odd.push_back(length(leading - next[0]));
      next += count * numbers_of_level;
      continue;
    }
    leading = next[0];
    if (count > 1) xi_even.push_back(length(leading - next[numbers_of_level]));
    next += count * numbers_of_level;
    f.push_back(-kT * leading / L);
    u.push_back(-kT * (next[0] + next[1]) / L);
    m.push_back(next[2]);
    abs_m.push_back(next[3]);
    m2.push_back(next[4]);
    m4.push_back(next[5]);
    binder.push_back(1 - next[5] / (3 * next[4] * next[4]));
    next += numbers_of_averages;
  }
  for (const auto& [name, values] : levels)
    results.write(name, values, {T, level_counts[name.substr(0, name.find('/'))]}, "");
  results.write("free_energy", f, {T}, energy_unit);
  results.write("energy", u, {T}, energy_unit);
  if (strips_.front().has_field()) results.write("magnetisation", m, {T}, "");
  results.write("absolute_magnetisation", abs_m, {T}, "");
  results.write("magnetisation_squared", m2, {T}, "");
  results.write("magnetisation_4", m4, {T}, "");
  results.write("binder", binder, {T}, "");
  if (!xi_even.empty())
    results.write(xi_odd.empty() ? "correlation_length" : "correlation_length_even", xi_even, {T},
                  "");
  if (!xi_odd.empty()) results.write("correlation_length_odd", xi_odd, {T}, "");
  if (!wall.empty()) results.write("domain_wall", wall, {T}, energy_unit);
  for (const char* const name : {"free_energy", "energy"})
    results.attach_scale(name, 0, "temperature");
}

std::vector<std::pair<std::string, std::string>> TransferMatrixStage::latest() const {
  std::vector<std::pair<std::string, std::string>> latest{
      {"task", fmt::format("{}/{}", done_, tasks_.size())}};
  if (spectrum_) latest.emplace_back("products", std::to_string(spectrum_->products()));
  return latest;
}

StageMemory TransferMatrixStage::save() const {
  StageMemory memory;
  memory.integers["done"] = {done_};
  memory.numbers["numbers"] = numbers_;
  return memory;
}

void TransferMatrixStage::load(const StageMemory& memory) {
  done_ = memory.integer("done").at(0);
  numbers_ = memory.number("numbers");
}

}  // namespace larmor::study
