#include "larmor/study/models/spins/stages/spin_waves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/spinwaves/broadening.hpp"
#include "larmor/spinwaves/long_waves.hpp"
#include "larmor/study/models/spins/stages/spin_waves_results.hpp"
#include "larmor/study/models/spins/system/initial.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {
namespace {

/// Multiplications of one block and thread: few enough to react to Ctrl-C.
constexpr double block_work = 1e9;
/// Multiplications of an eigenvalue problem of N x N complex numbers, in units of N^3.
constexpr double eigen_work = 100;
constexpr Index most_block = 4096;

/// Numbers of a line in checkpoints.
constexpr std::size_t numbers_of_line = 8;

double longest(const lattice::Geometry& geometry, const spinwaves::MagneticCell& cell) {
  double most = 0;
  for (const auto& v : cell.vectors())
    most = std::max(most, length(geometry.crystal.cartesian({static_cast<double>(v[0]),
                                                             static_cast<double>(v[1]),
                                                             static_cast<double>(v[2])})));
  return most;
}

/// The numbers of a key, one for each lattice vector.
std::array<Index, 3> cells_of(const std::vector<Index>& along, const char* key,
                              const SourcePosition& where, const lattice::Geometry& geometry) {
  const int dimensions = geometry.crystal.dimensions;
  if (static_cast<int>(along.size()) != dimensions)
    throw InputError(std::string(key) + " has " + std::to_string(along.size()) +
                         " numbers for a lattice of " + std::to_string(dimensions) +
                         " dimension(s)",
                     where, "give one for each lattice vector");
  std::array<Index, 3> cells{1, 1, 1};
  std::copy(along.begin(), along.end(), cells.begin());
  return cells;
}

void make_commensurate(const lattice::Geometry& geometry, correlations::QList& list,
                       const SourcePosition& where) {
  if (const auto n = correlations::make_commensurate(geometry, list))
    throw InputError(
        "spin-waves: with dipoles by FFT only wave vectors of the periodic lattice exist, and q "
        "= " +
            correlations::q_text(list.q[static_cast<std::size_t>(*n)]) + " is not one of them",
        where,
        "leave `points` of a path out, and give density_of_states a grid that divides size. Or "
        "give dipolar a cutoff");
}

std::string rounded(double value, const std::string& unit) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text + (unit.empty() ? "" : " " + unit);
}

/// A sentence about the directions without a stiffness; empty: all directions of the lattice have
/// one.
std::string reason_against_stiffness(const std::array<spinwaves::DispersionForm, 3>& forms) {
  using spinwaves::DispersionForm;
  if (std::all_of(forms.begin(), forms.end(),
                  [](DispersionForm r) { return r == DispersionForm::nowhere; }))
    return "no stiffness: no direction of the lattice is periodic";
  constexpr std::pair<DispersionForm, const char*> reasons[] = {
      {DispersionForm::with_velocity, "w^2 grows as k^2 at long waves, with a velocity"},
      {DispersionForm::one_sided, "w(k) and w(-k) differ at long waves, as under a chiral term"},
      {DispersionForm::flat, "the softest branch is flat"},
      {DispersionForm::otherwise, "w grows neither as k^2 nor with a velocity"}};
  std::string words;
  for (const auto& [kind, reason] : reasons) {
    std::string along;
    for (std::size_t d = 0; d < 3; ++d)
      if (forms[d] == kind) along += (along.empty() ? "" : ", ") + std::string(1, "xyz"[d]);
    if (along.empty()) continue;
    words += (words.empty() ? "no stiffness along " : "; along ") + along + ": " + reason;
  }
  return words;
}

}  // namespace

SpinWavesStage::SpinWavesStage(const Table& table, const ReadContext& context)
    : table_(table), context_(context) {
  require_one_choice(table, Table::name, table.where,
                     {table.density_of_states.has_value(), "density_of_states = { grid = [..] }"});
  if (table.map && !table.asks_for_wave_vectors())
    throw InputError("map needs wave vectors: path, q or grid", table.where.of("map"),
                     "give path = [\"Γ\", \"X\"], q = [[..], ..] or grid = true");
  if (table.statistics == "classical" && table.temperature && *table.temperature == 0)
    throw InputError("classical spin waves of temperature 0 have no amplitude",
                     table.where.of("temperature"),
                     "give a positive temperature, or leave temperature out for k_B T = 1, or use "
                     "statistics = \"quantum\"");
}

std::vector<StageNumber> SpinWavesStage::numbers(const io::ResultsReader& results,
                                                 const std::string& path) {
  const io::Attributes attributes = results.attributes(path);
  const auto gap = attributes.find("gap");
  if (gap == attributes.end()) return {};
  const bool material = results.attributes("/").at("units").text() == "material";
  return {{"gap", material ? "eV" : "", gap->second.number(),
           std::numeric_limits<double>::quiet_NaN()}};
}

spinwaves::Occupation SpinWavesStage::occupation() const {
  const bool quantum = table_.statistics == "quantum";
  const double k_B_T =
      table_.temperature ? context_.constants.k_B * *table_.temperature : (quantum ? 0 : 1);
  return {quantum, k_B_T, context_.constants.hbar};
}

std::array<Index, 3> SpinWavesStage::magnetic_cell_of(const lattice::Geometry& geometry) const {
  return cells_of(table_.magnetic_cell, "magnetic_cell", table_.where.of("magnetic_cell"),
                  geometry);
}

correlations::QList SpinWavesStage::zone(const lattice::Geometry& geometry) const {
  if (!table_.density_of_states) return {};
  const std::array<Index, 3> points =
      cells_of(table_.density_of_states->grid, "grid of density_of_states",
               table_.density_of_states->where.of("grid"), geometry);
  constexpr double most = 1e7;
  if (static_cast<double>(points[0]) * static_cast<double>(points[1]) *
          static_cast<double>(points[2]) >
      most)
    throw InputError("density_of_states has more than ten million wave vectors",
                     table_.density_of_states->where.of("grid"), "make its grid smaller");
  return correlations::q_explicit(geometry, spinwaves::zone_grid(points));
}

double SpinWavesStage::updates_on(const lattice::Geometry& geometry) const {
  // A grid has as many wave vectors as the sample has cells, so they need not be listed.
  double count = static_cast<double>(
      table_.grid ? geometry.cells() : wave_vectors_of(geometry, table_, table_.where).size());
  if (table_.density_of_states) {
    double points = 1;
    for (const Index along : table_.density_of_states->grid) points *= static_cast<double>(along);
    count += points;
  }
  return count;
}

std::string SpinWavesStage::plan() const {
  std::string words = table_.ground_state ? "around a state \"" + table_.ground_state->state + "\""
                                          : "around the present spins at the stage";
  if (!table_.path.empty())
    words += ", along " + std::to_string(table_.path.size() - 1) + " line(s)";
  if (!table_.q.empty()) words += ", at " + std::to_string(table_.q.size()) + " wave vector(s)";
  if (table_.grid) words += ", at every wave vector of the lattice";
  if (table_.density_of_states) words += ", density of states";
  return words + ", " + table_.statistics + " intensities";
}

std::vector<Advice> SpinWavesStage::advice(const SpinSimulation& simulation) const {
  const Device& device = simulation.state.device();
  if (device.backend == Backend::cpu) return {};
  return {{"the host computes it, on " + std::to_string(device.host_threads()) +
               " thread(s), from the spins on the GPU",
           false}};
}

void SpinWavesStage::validate(const Sizing& sizing, const lattice::Geometry& geometry) const {
  wave_vectors_of(geometry, table_, table_.where);  // throws
  zone(geometry);                                   // throws
  if (!table_.magnetic_cell.empty()) magnetic_cell_of(geometry);
  if (table_.ground_state)
    initial_directions(*table_.ground_state,
                       {geometry, spin_tables(sizing.study), sizing.device.threads});
}

StageBytes SpinWavesStage::forecast(const Sizing&, const lattice::Geometry& geometry) const {
  const auto Q = static_cast<double>(wave_vectors_of(geometry, table_, table_.where).size());
  const auto points = static_cast<double>(zone(geometry).size());
  double n = static_cast<double>(geometry.crystal.basis.size());
  if (!table_.magnetic_cell.empty())
    for (const Index cells : magnetic_cell_of(geometry)) n *= static_cast<double>(cells);
  n = std::min(n, static_cast<double>(spinwaves::MagneticCell::most_spins));
  const double spins = 24 * static_cast<double>(geometry.sites());
  StageBytes bytes;
  bytes.host = spins + 2 * Q * n * sizeof(spinwaves::Line) + 8 * points * n + 64 * 4 * n * n * 16;
  return bytes;
}

/// Seconds are measured for the smallest possible magnetic cell. The work grows with the third
/// power of the number of spins in the cell.
double SpinWavesStage::seconds_per_update(SpinSimulation& simulation) {
  prepare(simulation);
  const auto atoms = static_cast<Index>(simulation.geometry.crystal.basis.size());
  const Index spins = std::min(atoms, spinwaves::MagneticCell::most_spins);
  const Index tried = std::min<Index>(spins, 50), rows = 2 * tried;
  std::vector<std::complex<double>> D(static_cast<std::size_t>(rows * rows));
  for (Index i = 0; i < rows; ++i) D[static_cast<std::size_t>(i * rows + i)] = 1;
  const double more = static_cast<double>(spins) / static_cast<double>(tried);
  return more * more * more *
         seconds_of_one(Device{}, [&] { spinwaves::normal_modes(D, tried, 1, 1e-12, true); });
}

std::vector<std::string> SpinWavesStage::files(const std::string& folder) const {
  if (!table_.ground_state || !table_.ground_state->file) return {};
  return {state_file(*table_.ground_state, folder)};
}

void SpinWavesStage::prepare(SpinSimulation& simulation) {
  const lattice::Geometry& geometry = simulation.geometry;
  q_ = wave_vectors_of(geometry, table_, table_.where);
  zone_ = zone(geometry);
  spectra_.assign(q_.q.size(), {});
  zone_frequency_.assign(zone_.q.size(), {});
  ground_.reset();
  begun_ = false;
  done_ = 0;
  note_.clear();
}

SpinWavesStage::GroundState SpinWavesStage::around(std::vector<Vec3<double>> e,
                                                   const SpinSimulation& simulation) const {
  const std::vector<spins::LoweredTerm> terms =
      lower_terms(simulation.tables, simulation.geometry, simulation.model.moments());
  const spinwaves::Hamiltonian hamiltonian{simulation.geometry, terms, simulation.model.moments()};
  return with_position(table_.where, [&] {
    spinwaves::MagneticCell cell =
        table_.magnetic_cell.empty()
            ? spinwaves::MagneticCell::find(hamiltonian, e, table_.cell_tolerance)
            : spinwaves::MagneticCell::given(hamiltonian, e, magnetic_cell_of(simulation.geometry),
                                             table_.cell_tolerance);
    spinwaves::QuadraticHamiltonian quadratic(hamiltonian, cell, e,
                                              context_.constants.gamma() / context_.constants.mu_B);
    return GroundState{std::move(e), std::move(cell), std::move(quadratic)};
  });
}

std::optional<SpinWavesStage::GroundState> SpinWavesStage::ground_state(
    const SpinSimulation& simulation, correlations::QList& q, correlations::QList& zone) const {
  const lattice::Geometry& geometry = simulation.geometry;
  std::vector<Vec3<double>> e;
  if (!table_.ground_state) e = simulation.state.configuration(0);
  if (!simulation.ranks.is_root()) return std::nullopt;
  if (table_.ground_state) {
    e = initial_directions(*table_.ground_state,
                           {geometry, simulation.tables, simulation.state.device().threads});
    for (Index site = 0; site < geometry.sites(); ++site)
      if (!geometry.occupied(site)) e[static_cast<std::size_t>(site)] = {0, 0, 0};
  }
  GroundState state = around(std::move(e), simulation);
  const double share = Table::stationary_share * simulation.model.largest_derivative();
  require_stationary(state, table_.tolerance.value_or(share));
  if (state.quadratic.needs_commensurate()) {
    make_commensurate(geometry, q, table_.where.of({"path", "q"}));
    make_commensurate(geometry, zone, table_.where.of("density_of_states"));
  }
  return state;
}

void SpinWavesStage::require_beginning(const SpinSimulation& simulation, bool is_first) const {
  const lattice::Geometry& geometry = simulation.geometry;
  if (!is_first && !table_.ground_state) return;
  correlations::QList q = wave_vectors_of(geometry, table_, table_.where), of_zone = zone(geometry);
  ground_state(simulation, q, of_zone);
}

void SpinWavesStage::require_stationary(const GroundState& state, double tolerance) const {
  const double torque = state.quadratic.largest_torque();
  if (torque <= tolerance) return;
  const std::string unit = inner_unit(Dimension::energy, context_.units);
  throw InputError(
      "spin-waves: the state is not stationary: the torque on site " +
          std::to_string(state.quadratic.site_of_largest_torque()) + " is " +
          rounded(torque, unit) + ", and the tolerance is " + rounded(tolerance, unit),
      table_.where,
      table_.ground_state
          ? "give a stationary ground_state, or leave ground_state out after a minimise stage"
          : "minimise the energy first, by a stage of kind \"minimise\"");
}

/// A collective operation.
void SpinWavesStage::begin(SpinSimulation& simulation) {
  ground_ = ground_state(simulation, q_, zone_);
  Index block = std::numeric_limits<Index>::max();
  if (ground_) {
    const double N = 2 * static_cast<double>(ground_->cell.spins());
    const double each = std::max(1.0, std::floor(block_work / (eigen_work * N * N * N)));
    block = std::min(most_block, static_cast<Index>(each) * simulation.state.device().threads);
  }
  block_ = simulation.ranks.minimum(block);
  begun_ = true;
}

void SpinWavesStage::compute(Index wave_vector) {
  const auto i = static_cast<std::size_t>(wave_vector);
  if (i < q_.q.size())
    spectra_[i] = spinwaves::spectrum_at(ground_->quadratic, q_.cartesian[i], occupation());
  else
    zone_frequency_[i - q_.q.size()] =
        spinwaves::frequencies_at(ground_->quadratic, zone_.cartesian[i - q_.q.size()]);
}

StageProgress SpinWavesStage::advance(SpinSimulation& simulation, ResultsGroup&) {
  if (!begun_) begin(simulation);
  const Index last = std::min(done_ + block_, all_wave_vectors());
  if (simulation.ranks.is_root())
    parallel_for(simulation.state.device().threads, last - done_,
                 [&](Index i) { compute(done_ + i); });
  const double work = static_cast<double>(last - done_) *
                      static_cast<double>(simulation.model.spins()) *
                      static_cast<double>(simulation.study.replicas);
  done_ = last;
  return {work, done_ == all_wave_vectors()};
}

/// The note about a state that is not a minimum.
std::string SpinWavesStage::instability() const {
  Index unstable = 0;
  double growth = 0;
  for (const spinwaves::WaveVectorSpectrum& spectrum : spectra_) {
    if (!spectrum.minimum) ++unstable;
    for (const spinwaves::Line& line : spectrum.lines) growth = std::max(growth, line.growth);
  }
  const bool unstable_zone = std::any_of(
      zone_frequency_.begin(), zone_frequency_.end(), [](const std::vector<double>& all) {
        return std::any_of(all.begin(), all.end(), [](double w) { return !(w >= 0); });
      });
  if (unstable == 0 && !unstable_zone) return "";
  std::string words = "spin-waves: this state is not a minimum of the energy";
  if (unstable > 0)
    words += ": at " + std::to_string(unstable) + " of " + std::to_string(q_.size()) +
             " wave vectors a deviation lowers the energy";
  const SpinWaveUnits units(context_);
  return words + (growth > 0 ? ", and grows by up to " + rounded(growth, units.frequency) : "");
}

void SpinWavesStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  write_configurations(simulation, table_.keep_configurations, results);
  if (!simulation.ranks.is_root()) return;
  const SpinWaveUnits units(context_);
  const spinwaves::Occupation modes = occupation();
  note_ = instability();
  results.set_attribute("", "minimum", Index{note_.empty()});
  results.set_attribute("", "largest_torque", ground_->quadratic.largest_torque());
  results.set_attribute("", "statistics", table_.statistics);
  results.set_attribute("", "k_B_T", modes.k_B_T);
  write_magnetic_cell(results, ground_->cell, ground_->e);
  if (q_.size() > 0) write_dispersion(results, q_, spectra_, units);
  if (table_.map)
    write_spectrum_map(results, *table_.map, q_, spectra_, units,
                       simulation.state.device().threads);
  if (table_.density_of_states) {
    std::vector<double> all;
    for (const std::vector<double>& w : zone_frequency_) all.insert(all.end(), w.begin(), w.end());
    write_density_of_states(results, *table_.density_of_states, all, units);
  }
  if (!table_.stiffness) return;
  const std::string why = long_waves(simulation, results);
  if (!why.empty()) note_ += (note_.empty() ? "spin-waves: " : "; ") + why;
}

std::string SpinWavesStage::long_waves(const SpinSimulation& simulation,
                                       ResultsGroup& results) const {
  if (!note_.empty()) return "stiffness and velocity exist only at a minimum";
  if (ground_->quadratic.needs_commensurate())
    return "no stiffness: with dipoles by FFT there are no waves longer than the lattice";
  const spinwaves::LongWaves waves = spinwaves::long_waves(
      ground_->quadratic, simulation.geometry, longest(simulation.geometry, ground_->cell));
  write_long_waves(results, waves, SpinWaveUnits(context_));
  return reason_against_stiffness(waves.form);
}

std::vector<std::pair<std::string, std::string>> SpinWavesStage::latest() const {
  if (!begun_) return {};
  return {{"q", std::to_string(done_) + "/" + std::to_string(all_wave_vectors())}};
}

StageMemory SpinWavesStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {done_};
  std::vector<double>& lines = memory.numbers["lines"];
  std::vector<double>& minimum = memory.numbers["minimum"];
  for (const spinwaves::WaveVectorSpectrum& spectrum : spectra_) {
    minimum.push_back(spectrum.minimum ? 1 : 0);
    for (const auto* some : {&spectrum.lines, &spectrum.mirror})
      for (const spinwaves::Line& line : *some) {
        lines.insert(lines.end(), {line.frequency, line.growth});
        for (const std::complex<double>& f : line.amplitude)
          lines.insert(lines.end(), {f.real(), f.imag()});
      }
  }
  std::vector<double>& zone = memory.numbers["zone"];
  for (const std::vector<double>& w : zone_frequency_) zone.insert(zone.end(), w.begin(), w.end());
  return memory;
}

void SpinWavesStage::load(const StageMemory& memory) {
  done_ = memory.integer("position").at(0);
  if (done_ == 0) return;
  const std::vector<double>& lines = memory.number("lines");
  const std::vector<double>& minimum = memory.number("minimum");
  const std::vector<double>& zone = memory.number("zone");
  const auto of_path = std::min<std::size_t>(static_cast<std::size_t>(done_), q_.q.size());
  const std::size_t of_zone = static_cast<std::size_t>(done_) - of_path;
  if (lines.empty() && zone.empty()) return;
  const std::size_t n =
      of_path > 0 ? lines.size() / numbers_of_line / of_path / 2 : zone.size() / of_zone;
  const double* from = lines.data();
  for (std::size_t i = 0; i < of_path; ++i) {
    spectra_[i].minimum = minimum.at(i) != 0;
    for (std::size_t m = 0; m < 2 * n; ++m, from += numbers_of_line) {
      spinwaves::Line line{from[0], from[1], {}};
      for (std::size_t a = 0; a < 3; ++a) line.amplitude[a] = {from[2 + 2 * a], from[3 + 2 * a]};
      (m < n ? spectra_[i].lines : spectra_[i].mirror).push_back(line);
    }
  }
  for (std::size_t i = 0; i < of_zone; ++i)
    zone_frequency_[i].assign(zone.begin() + static_cast<std::ptrdiff_t>(i * n),
                              zone.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
}

}  // namespace larmor::study
