#include "larmor/study/models/quantum/stages/quantum_monte_carlo.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/study/models/quantum/stages/numbers_by_temperature.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Updates of spins in a block: few enough to react to Ctrl-C.
constexpr double updates_of_block = 2e6;
/// A sweep of a continuous line takes about as long as one of this many slices.
constexpr double slices_of_continuous = 16;

double cost_of(Index slices) {
  return slices == 0 ? slices_of_continuous : static_cast<double>(slices);
}

void check_Jxy(const QuantumTables& tables) {
  for (const QuantumExchange& exchange : tables.exchange)
    if (exchange.Jxy != 0 || exchange.isotropic)
      throw InputError(
          "quantum Monte Carlo samples Ising models in a transverse field, but exchange has Jxy",
          exchange.where.of(exchange.isotropic ? "isotropic" : "Jxy"),
          "leave it out, or use kind = \"typicality\" or \"spectrum\" for this model");
}

trotter::SystemGraph graph_of(const quantum::SpinModel& model) {
  trotter::SystemGraph graph;
  graph.sites = model.sites;
  for (const quantum::SpinBond& bond : model.bonds)
    if (bond.i != bond.j) graph.bonds.push_back({bond.i, bond.j});
  return graph;
}

trotter::Instance instance_of(const quantum::SpinModel& model, double beta) {
  trotter::Instance instance{beta, {}, model.Gamma, model.hz};
  for (const quantum::SpinBond& bond : model.bonds)
    if (bond.i != bond.j) instance.J.push_back(bond.Jz);
  return instance;
}

double constant_of(const quantum::SpinModel& model) {
  double constant = model.constant;
  for (const quantum::SpinBond& bond : model.bonds)
    if (bond.i == bond.j) constant -= bond.Jz;
  return constant;
}

}  // namespace

QuantumMonteCarloStage::QuantumMonteCarloStage(const Table& table, const ReadContext& context)
    : context_(context),
      table_(table),
      temperatures_(read_temperatures(table.temperature, context,
                                      "a thermal average needs a positive temperature")),
      points_(table.continuous ? std::vector<Index>{0} : table.slices) {
  if (!table.Gamma.empty() && temperatures_.size() > 1)
    throw InputError("the stage has lists of both temperature and Gamma", table.where.of("Gamma"),
                     "give one temperature, and scan it if needed");
  if (!table.Gamma.empty()) temperatures_.assign(table.Gamma.size(), temperatures_.front());
  if (!table_.updates) table_.updates = "lines";
  if (!table_.measure_every)
    table_.measure_every =
        update() == WorldLineUpdate::lines || update() == WorldLineUpdate::clusters ? 1 : 10;
  check_quantum_monte_carlo(table_, std::ssize(temperatures_));
}

WorldLineUpdate QuantumMonteCarloStage::update() const {
  if (*table_.updates == "metropolis") return WorldLineUpdate::metropolis;
  if (*table_.updates == "heat-bath") return WorldLineUpdate::heat_bath;
  return *table_.updates == "clusters" ? WorldLineUpdate::clusters : WorldLineUpdate::lines;
}

Index QuantumMonteCarloStage::copies(const Study& study) const {
  return study.replicas / samples_of(study);
}

double QuantumMonteCarloStage::updates_on(const SystemSize&) const {
  double slices = 0;
  for (const Index of_point : points_) slices += cost_of(of_point);
  return slices * static_cast<double>(std::ssize(temperatures_)) *
         static_cast<double>(table_.thermalisation + table_.sweeps);
}

std::string QuantumMonteCarloStage::plan() const {
  std::string time = "continuous time";
  if (!table_.continuous) {
    time.clear();
    for (const Index slices : points_) time += (time.empty() ? "" : ", ") + std::to_string(slices);
    time += " slices";
  }
  return fmt::format("{}, {} {}{}, {} + {} sweeps ({}), measured every {}", time,
                     temperatures_.size(),
                     table_.Gamma.empty() ? "temperature(s)" : "transverse field(s)",
                     table_.tempering ? " with exchanges" : "", table_.thermalisation,
                     table_.sweeps, *table_.updates, *table_.measure_every);
}

void QuantumMonteCarloStage::validate(const Sizing& sizing) const {
  const Study& study = sizing.study;
  check_Jxy(quantum_tables(study));
  if (table_.overlap && copies(study) < 2)
    throw InputError("overlap = true needs two copies of each sample", table_.where.of("overlap"),
                     "give the study replicas = 2, or twice as many replicas as samples");
  for (Index sample = 0; sample < samples_of(study); ++sample) {
    const quantum::SpinModel model = quantum_model(study, sample);
    const trotter::Instance instance = instance_of(model, 1);
    const bool is_local =
        update() == WorldLineUpdate::metropolis || update() == WorldLineUpdate::heat_bath;
    const auto is_zero = [](double Gamma) { return Gamma == 0; };
    if (is_local && std::ranges::any_of(table_.Gamma.empty() ? model.Gamma : table_.Gamma, is_zero))
      throw InputError("updates of single spins cannot change a site whose Gamma is 0",
                       table_.where.of("updates"),
                       "give updates = \"lines\", or each site a Gamma above 0");
    const auto differs = [&](double Gamma) { return Gamma != model.Gamma.front(); };
    if (!table_.Gamma.empty() && std::ranges::any_of(model.Gamma, differs))
      throw InputError(
          "the sites have different transverse fields, and the list Gamma would "
          "replace them",
          table_.where.of("Gamma"),
          "leave out the list, or Gamma_by_site and Gamma_disorder of [field]");
    if (update() == WorldLineUpdate::clusters && trotter::is_frustrated(graph_of(model), instance))
      throw InputError(
          fmt::format("the couplings of sample {} are frustrated, so clusters of space and time "
                      "would join all spins",
                      sample),
          table_.where.of("updates"), "give updates = \"lines\"");
    if (table_.gap_from && !model.is_even())
      throw InputError("gap_from needs a model without a field h, where sz has no average",
                       table_.where.of("gap_from"), "leave out gap_from or the field h");
  }
}

StageBytes QuantumMonteCarloStage::forecast(const Sizing& sizing) const {
  const quantum::SpinModel model = quantum_model(sizing.study, 0);
  const auto N = static_cast<double>(model.sites), bonds = static_cast<double>(model.bonds.size());
  const auto instances = static_cast<double>(samples_of(sizing.study) * std::ssize(temperatures_));
  const Index own = copies(sizing.study);
  const auto replicas = instances * static_cast<double>(own);
  const double coldest = *std::ranges::min_element(temperatures_);
  double of_lines = 0;
  for (const Index slices : points_) {
    double bytes = 0;
    if (slices == 0) {
      // A list of kinks has twice the room for its mean number.
      const double longest = 1 / (context_.constants.k_B * coldest);
      const double strongest = table_.Gamma.empty() ? 0 : *std::ranges::max_element(table_.Gamma);
      for (const double Gamma :
           table_.Gamma.empty() ? model.Gamma : std::vector<double>(model.Gamma.size(), strongest))
        bytes += replicas * (sizeof(std::vector<double>) + 16 + 16 * longest * Gamma);
    } else {
      trotter::Instance instance = instance_of(model, 1 / (context_.constants.k_B * coldest));
      if (!table_.Gamma.empty())
        instance.Gamma.assign(model.Gamma.size(),
                              table_.Gamma.front() * field_scale(quantum_tables(sizing.study)));
      bytes = trotter::TrotterModel::bytes(sizing.device, graph_of(model), instance,
                                           samples_of(sizing.study) * std::ssize(temperatures_),
                                           world_line_settings(slices, own, update()));
      // Kinks and spins of sites, and sums over sites by slice.
      bytes += instances * 16 * N + 8 * replicas * static_cast<double>(slices);
    }
    of_lines = std::max(of_lines, bytes);
  }
  const WorldLineNumbers numbers{model.sites, table_.imaginary_times, table_.correlations};
  const double bins = static_cast<double>(std::min(samples_measured(), ReplicaSeries::most_bins));
  StageBytes bytes;
  (sizing.device.backend == Backend::cuda && !table_.continuous ? bytes.device : bytes.host) +=
      of_lines + instances * (24 * bonds + 80 * N);
  bytes.host += instances * 16 * (bonds + 2 * N);
  bytes.host += 8 * replicas *
                (static_cast<double>(numbers.count()) +
                 bins * (WorldLineNumbers::scalars + (table_.overlap ? 1 : 0)));
  bytes.host += instances * (BlockedNumbers::bytes(numbers.count(), samples_measured()) +
                             BlockedNumbers::bytes(2 * numbers.sites, samples_measured()));
  // Values, errors and marks of each number, for all points.
  bytes.host += 32 * instances * static_cast<double>(std::ssize(points_)) *
                (static_cast<double>(numbers.count()) + (table_.correlations ? N * N / 2 : 0));
  return bytes;
}

void QuantumMonteCarloStage::require_beginning(const Simulation& simulation, bool) const {
  require_samples(simulation);
}

WorldLineChoice QuantumMonteCarloStage::choice(const Study& study, const Device& device,
                                               Index slices) const {
  const bool is_on_host = slices == 0 || update() == WorldLineUpdate::clusters;
  return {is_on_host ? Device::cpu(device.host_threads()) : device, slices,     update(), copies_,
          table_.tempering ? std::ssize(temperatures_) : 0,         study.seed, numbers_};
}

void QuantumMonteCarloStage::make_instances(const Study& study) {
  samples_ = samples_of(study);
  copies_ = copies(study);
  is_even_ = true;
  constants_.clear();
  instances_.clear();
  for (Index sample = 0; sample < samples_; ++sample) {
    const quantum::SpinModel model = quantum_model(study, sample);
    if (sample == 0) graph_ = graph_of(model);
    is_even_ = is_even_ && model.is_even();
    constants_.push_back(constant_of(model));
    for (std::size_t rung = 0; rung < temperatures_.size(); ++rung) {
      instances_.push_back(instance_of(model, 1 / (context_.constants.k_B * temperatures_[rung])));
      if (!table_.Gamma.empty())
        instances_.back().Gamma.assign(model.Gamma.size(),
                                       table_.Gamma[rung] * field_scale(quantum_tables(study)));
    }
  }
  numbers_ = {graph_.sites, table_.imaginary_times, table_.correlations};
}

std::vector<MeasuredInstance> QuantumMonteCarloStage::nothing_measured() const {
  const MeasuredInstance nothing{
      std::vector<ReplicaSeries>(WorldLineNumbers::scalars, ReplicaSeries(copies_)),
      std::vector<ReplicaSeries>(table_.overlap ? 2 : 0, ReplicaSeries(copies_ / 2)),
      BlockedNumbers(2 * numbers_.sites, samples_measured()),
      BlockedNumbers(numbers_.count() - WorldLineNumbers::scalars, samples_measured())};
  return std::vector<MeasuredInstance>(instances_.size(), nothing);
}

double QuantumMonteCarloStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  const Index slices = *std::ranges::max_element(points_);
  const UpdateCounter steps;
  const std::unique_ptr<WorldLines> lines = make_world_lines(
      choice(simulation.study, simulation.system.device, slices), graph_, instances_, steps);
  const double of_sweep = seconds_of_one(simulation.system.device, [&] { lines->sweep(1); });
  const double of_sample = seconds_of_one(simulation.system.device, [&] { lines->measure(); });
  const double share = static_cast<double>(table_.sweeps) /
                       static_cast<double>(table_.thermalisation + table_.sweeps) /
                       static_cast<double>(*table_.measure_every);
  return (of_sweep + share * of_sample) /
         (cost_of(slices) * static_cast<double>(std::ssize(temperatures_)));
}

void QuantumMonteCarloStage::prepare(Simulation& simulation) {
  make_instances(simulation.study);
  point_ = sweeps_done_ = measured_ = 0;
  lines_.reset();
  of_instance_.clear();
  saved_.reset();
  acceptance_.clear();
  std::vector<double> betas;
  for (const double temperature : temperatures_)
    betas.push_back(1 / (context_.constants.k_B * temperature));
  found_.emplace(
      numbers_,
      EstimateSettings{*table_.measure_every, samples_measured(), table_.overlap, table_.gap_from,
                       table_.gap_correlation == "local", table_.extrapolation_power, is_even_},
      points_, samples_, betas, inner_unit(Dimension::energy, context_.units));
}

void QuantumMonteCarloStage::begin_point(Simulation& simulation) {
  lines_ = make_world_lines(
      choice(simulation.study, simulation.system.device, points_[static_cast<std::size_t>(point_)]),
      graph_, instances_, simulation.system.step);
  of_instance_ = nothing_measured();
  if (!saved_) return;
  lines_->load(*saved_);
  std::span<const double> rest = saved_->number("samples");
  for (MeasuredInstance& measured : of_instance_) {
    for (ReplicaSeries& series : measured.scalars) rest = series.load(rest);
    for (ReplicaSeries& series : measured.overlaps) rest = series.load(rest);
    rest = measured.sites.load(rest);
    rest = measured.others.load(rest);
  }
  saved_.reset();
}

StageProgress QuantumMonteCarloStage::advance(Simulation& simulation, ResultsGroup&) {
  const double lines = static_cast<double>(numbers_.sites * simulation.study.replicas) *
                       static_cast<double>(std::ssize(temperatures_));
  double work = 0;
  if (simulation.ranks.is_root())
    while (work < updates_of_block && point_ < std::ssize(points_)) {
      const double of_sweep = lines * cost_of(points_[static_cast<std::size_t>(point_)]);
      const auto most = static_cast<Index>(std::ceil(updates_of_block / of_sweep));
      work += static_cast<double>(work_until_stop(simulation, most)) * of_sweep;
    }
  point_ = simulation.ranks.minimum(simulation.ranks.is_root() ? point_
                                                               : std::numeric_limits<Index>::max());
  return {work, point_ == std::ssize(points_)};
}

/// The sweep after which a measurement, an exchange or another phase is due.
Index QuantumMonteCarloStage::next_stop() const {
  const auto next_multiple = [](Index from, Index every) { return (from / every + 1) * every; };
  const Index measuring = sweeps_done_ - table_.thermalisation;
  Index stop = table_.thermalisation;
  if (measuring >= 0)
    stop += std::min(table_.sweeps, next_multiple(measuring, *table_.measure_every));
  return table_.tempering ? std::min(stop, next_multiple(sweeps_done_, table_.exchange_every))
                          : stop;
}

Index QuantumMonteCarloStage::work_until_stop(Simulation& simulation, Index most) {
  if (!lines_) begin_point(simulation);
  const Index sweeps = std::min(next_stop() - sweeps_done_, most);
  lines_->sweep(sweeps);
  sweeps_done_ += sweeps;
  if (table_.tempering && sweeps_done_ % table_.exchange_every == 0)
    lines_->exchange(static_cast<int>(sweeps_done_ / table_.exchange_every % 2));
  const Index measuring = sweeps_done_ - table_.thermalisation;
  if (measuring > 0 && measuring % *table_.measure_every == 0) measure();
  if (measuring == table_.sweeps) finish_point();
  return sweeps;
}

void QuantumMonteCarloStage::measure() {
  const std::vector<double> all = lines_->measure();
  const Index count = numbers_.count();
  std::vector<double> column(static_cast<std::size_t>(copies_));
  for (std::size_t p = 0; p < instances_.size(); ++p) {
    const double* const own = all.data() + static_cast<Index>(p) * copies_ * count;
    MeasuredInstance& measured = of_instance_[p];
    for (Index scalar = 0; scalar < WorldLineNumbers::scalars; ++scalar) {
      for (Index copy = 0; copy < copies_; ++copy)
        column[static_cast<std::size_t>(copy)] = own[copy * count + scalar];
      measured.scalars[static_cast<std::size_t>(scalar)].add(column);
    }
    for (Index copy = 0; copy < copies_; ++copy)
      measured.others.add(measured_, {own + copy * count + WorldLineNumbers::scalars,
                                      static_cast<std::size_t>(count - WorldLineNumbers::scalars)});
  }
  if (of_instance_.front().sites.ends_block(measured_)) add_sites();
  ++measured_;
  if (!table_.overlap) return;
  const std::vector<OverlapMoments> moments = lines_->overlaps();
  const std::size_t pairs = static_cast<std::size_t>(copies_ / 2);
  std::vector<double> q2(pairs), q4(pairs);
  for (std::size_t p = 0; p < instances_.size(); ++p) {
    for (std::size_t n = 0; n < pairs; ++n) {
      q2[n] = moments[p * pairs + n].q2;
      q4[n] = moments[p * pairs + n].q4;
    }
    of_instance_[p].overlaps[0].add(q2);
    of_instance_[p].overlaps[1].add(q4);
  }
}

/// Adds the averages of sites of a whole block of time.
void QuantumMonteCarloStage::add_sites() {
  const std::vector<double> sums = lines_->take_site_sums();
  const auto size = static_cast<std::size_t>(2 * numbers_.sites);
  const Index samples = measured_ + 1 - of_instance_.front().sites.block_begin(measured_);
  for (std::size_t p = 0; p < instances_.size(); ++p)
    of_instance_[p].sites.add(measured_, std::span(sums).subspan(p * size, size),
                              static_cast<double>(samples * copies_));
}

void QuantumMonteCarloStage::finish_point() {
  for (std::size_t p = 0; p < instances_.size(); ++p)
    found_->add_instance(of_instance_[p], instances_[p].beta, constants_[p / temperatures_.size()]);
  const std::vector<double> acceptance = lines_->acceptance();
  acceptance_.insert(acceptance_.end(), acceptance.begin(), acceptance.end());
  lines_.reset();
  of_instance_.clear();
  sweeps_done_ = measured_ = 0;
  ++point_;
}

void QuantumMonteCarloStage::finish(Simulation& simulation, ResultsGroup& results) {
  if (!simulation.ranks.is_root()) return;
  const Index T = std::ssize(temperatures_), L = std::ssize(points_);
  results.write("temperature", temperatures_, {T},
                inner_unit(Dimension::temperature, context_.units));
  if (!table_.Gamma.empty())
    results.write("Gamma", table_.Gamma, {T}, inner_unit(Dimension::energy, context_.units));
  results.write("slices", std::vector<double>(points_.begin(), points_.end()), {L}, "");
  if (numbers_.times > 0)
    results.write("imaginary_time", numbers_.fractions(), {numbers_.times}, "");
  found_->write(results);
  if (!acceptance_.empty()) results.write("exchange_acceptance", acceptance_, {L, T - 1}, "");
}

std::string QuantumMonteCarloStage::note() const {
  if (!found_) return "";
  std::string note;
  const auto add = [&](const std::string& words) { note += (note.empty() ? "" : ". ") + words; };
  const auto [unreliable, all] = found_->unreliable();
  if (unreliable > 0)
    add(
        fmt::format("{} of {} averages have unreliable errors, since their series are short for "
                    "their autocorrelation times; give more sweeps",
                    unreliable, all));
  const auto gaps_are = [](Index count) {
    return fmt::format("{} gap{}", count, count == 1 ? " is" : "s are");
  };
  const auto gaps = [&](trotter::GapOutcome outcome) {
    return found_->gaps()[static_cast<std::size_t>(outcome)];
  };
  if (const Index none = gaps(trotter::GapOutcome::no_decay); none > 0)
    add(fmt::format(
        "{} unknown, because the time_correlation does not decay from gap_from on; give "
        "a lower gap_from or more sweeps",
        gaps_are(none)));
  if (const Index none = gaps(trotter::GapOutcome::no_convergence); none > 0)
    add(
        fmt::format("{} unknown, because fits do not converge; give a lower gap_from or more "
                    "sweeps",
                    gaps_are(none)));
  return note;
}

std::vector<StageNumber> QuantumMonteCarloStage::numbers(const io::ResultsReader& results,
                                                         const std::string& path) {
  const std::vector<std::string> names{"energy",
                                       "specific_heat",
                                       "susceptibility",
                                       "absolute_magnetisation",
                                       "magnetisation_squared",
                                       "binder",
                                       "gap",
                                       "overlap_squared"};
  std::vector<StageNumber> numbers = numbers_by_temperature(results, path, path, names);
  const std::vector<StageNumber> extrapolated =
      numbers_by_temperature(results, path, path + "/extrapolated", names);
  numbers.insert(numbers.end(), extrapolated.begin(), extrapolated.end());
  return numbers;
}

std::vector<std::pair<std::string, std::string>> QuantumMonteCarloStage::latest() const {
  if (point_ == std::ssize(points_)) return {};
  const Index slices = points_[static_cast<std::size_t>(point_)];
  std::vector<std::pair<std::string, std::string>> latest;
  latest.emplace_back("slices", slices == 0 ? "continuous" : std::to_string(slices));
  latest.emplace_back("sweep",
                      fmt::format("{}/{}", sweeps_done_, table_.thermalisation + table_.sweeps));
  return latest;
}

StageMemory QuantumMonteCarloStage::save() const {
  // A point that was loaded and not yet continued is saved again.
  StageMemory memory = saved_ ? *saved_ : StageMemory{};
  if (lines_) {
    lines_->save(memory);
    std::vector<double>& samples = memory.numbers["samples"];
    for (const MeasuredInstance& measured : of_instance_) {
      for (const ReplicaSeries& series : measured.scalars) series.save(samples);
      for (const ReplicaSeries& series : measured.overlaps) series.save(samples);
      measured.sites.save(samples);
      measured.others.save(samples);
    }
  }
  memory.integers["progress"] = {point_, sweeps_done_, measured_, lines_ || saved_ ? 1 : 0};
  memory.numbers["acceptance"] = acceptance_;
  found_->save(memory);
  return memory;
}

void QuantumMonteCarloStage::load(const StageMemory& memory) {
  const std::vector<Index>& progress = memory.integer("progress");
  point_ = progress.at(0);
  sweeps_done_ = progress.at(1);
  measured_ = progress.at(2);
  lines_.reset();
  saved_.reset();
  if (progress.at(3) != 0) saved_ = memory;
  acceptance_ = memory.number("acceptance");
  found_->load(memory);
}

}  // namespace larmor::study
