#include "larmor/imports/uppasd/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace larmor::imports::uppasd {
namespace {

/// More tables of the Hamiltonian are not measured one by one.
constexpr std::size_t most_terms = 20;
/// UppASD's defaults.
constexpr Index usual_averages_every = 100, usual_trajectory_every = 1000,
                usual_cumulants_every = 50, usual_charge_every = 100, usual_temperature_every = 100,
                usual_separation = 100;

/// Is the feature of a keyword such as `do_avrg` on? Any letter except N is a way of measuring.
bool is_on(const InputFile& input, const char* keyword) {
  const Entry* const entry = input.find(keyword);
  if (entry == nullptr) return false;
  const char letter = entry->letter();
  return letter != 'N' && letter != '0' && letter != 'F';
}

/// The distance between samples that serves two distances. It is at most twenty times shorter than
/// the shorter one, because samples take time. Otherwise it is the shorter one.
Index common_step(Index one, Index other) {
  constexpr Index most = 20;
  const Index shorter = std::min(one, other), common = std::gcd(one, other);
  return common * most >= shorter ? common : shorter;
}

}  // namespace

Measurements::Measurements(const InputFile& input, const UppasdCrystal& crystal,
                           const Quantities& quantities, std::size_t terms,
                           std::vector<std::string>& notes)
    : input_(input), crystal_(crystal), quantities_(quantities), notes_(notes) {
  const Index plot = input.whole("plotenergy", 0);
  terms_ = plot > 0 && terms > 1 && terms <= most_terms;
  if (plot > 0 && terms > most_terms)
    notes.push_back(
        "plotenergy: only the sum of the energy is measured, because the couplings "
        "have " +
        std::to_string(terms) + " tables");
  averages_every_ = input.count("avrg_step", input.count("mcavrg_step", usual_averages_every));
  const char mode = input.letter("mode", 'S');
  // Monte Carlo of UppASD always has cumulants.
  if (is_on(input, "do_cumu") || mode == 'M' || mode == 'H')
    averages_every_ = common_step(averages_every_, input.count("cumu_step", usual_cumulants_every));
  if (plot > 0)
    averages_every_ = common_step(averages_every_, input.count("ene_step", averages_every_));
  trajectory_ = is_on(input, "do_tottraj");
  trajectory_every_ = input.count("tottraj_step", usual_trajectory_every);
  if (const Entry* ntraj = input.find("ntraj"); ntraj != nullptr && ntraj->count(0) > 0) {
    const std::vector<NumberRow> rows = ntraj->numbers_below(2, "atom step buffer");
    for (const NumberRow& row : rows) {
      const double step = row.numbers[1];
      const auto every = static_cast<Index>(step >= 1 && step <= 1e12 ? step : 0);
      if (every < 1)
        throw InputError("ntraj: the step is not a number of steps", row.mark.position(),
                         "write rows `atom step buffer`");
      trajectory_every_ = trajectory_ ? common_step(trajectory_every_, every) : every;
      trajectory_ = true;
    }
    notes.emplace_back("ntraj: the trajectory has all atoms");
  }
  read_spectra();
}

void Measurements::read_spectra() {
  const Entry* const do_sc = input_.find("do_sc");
  if (do_sc == nullptr) return;
  const char kind = do_sc->letter();
  static_ = kind == 'C' || kind == 'Y';
  dynamic_ = kind == 'Q' || kind == 'Y';
  if (!static_ && !dynamic_) {
    if (kind != 'N')
      do_sc->refuse("do_sc " + do_sc->word() + " cannot be imported", "write N, C, Q or Y");
    return;
  }
  points_ = read_wave_vectors(input_, crystal_);
  static_every_ = input_.count("sc_sep", usual_separation);
  spectra_every_ = input_.count("sc_step", 1);
  spectra_samples_ = input_.find("sc_nstep") != nullptr ? input_.count("sc_nstep", 1) : 0;
  const Entry *const emax = input_.find("sc_emax"), *const eres = input_.find("sc_eres");
  if (emax != nullptr && eres != nullptr && emax->size() > 0 && eres->size() > 0) {
    const double hbar = quantities_.reduced ? 1 : 1.0545718e-34;   // J s
    const double mRy = quantities_.reduced ? 1 : 2.179872325e-21;  // J
    const double timestep = input_.number("timestep", 1e-16);
    const double every = std::numbers::pi * hbar / (timestep * emax->number() * mRy);
    const double samples = emax->number() / eres->number();
    if (!(every >= 1 && every < 1e12 && samples >= 1 && samples < 1e12))
      emax->refuse("sc_emax and sc_eres give no number of steps for this timestep",
                   "give energies in mRy, with sc_emax larger than sc_eres");
    spectra_every_ = static_cast<Index>(every);
    spectra_samples_ = static_cast<Index>(samples);
  }
  const Index window = input_.whole("sc_window_fun", 1);
  constexpr const char* windows[] = {"none", "hann", "hamming", "blackman"};
  if (window < 1 || window > 4)
    input_.find("sc_window_fun")
        ->refuse("there is no window " + std::to_string(window), "write 1, 2, 3 or 4");
  window_ = windows[window - 1];
  if (window == 4 && dynamic_)
    notes_.emplace_back("sc_window_fun 4, Blackman-Harris, becomes the Blackman window");
  connected_ = (input_.flag("do_sc_connected") || input_.flag("do_connected")) &&
               input_.count("mensemble", 1) > 1;
}

SourceMark Measurements::place(std::initializer_list<const char*> keywords) const {
  for (const char* keyword : keywords)
    if (const Entry* entry = input_.find(keyword)) return entry->mark();
  return {crystal_.cell_where.text, 0, 0};
}

Value Measurements::entry(const char* what, Index every, const SourceMark& where) const {
  Value table;
  table.mark(where);
  table.set("what", placed(what, where), where);
  table.set("every", placed(every, where), where);
  return table;
}

Value Measurements::structure_factor(Index every, const SourceMark& where) const {
  Value table = entry("structure-factor", every, where);
  set_wave_vectors(table, points_);
  table.set("connected", placed(connected_, where), where);
  return table;
}

Index Measurements::steps_of_spectra(Index steps) const {
  if (!dynamic_) return 0;
  if (spectra_samples_ == 0 || spectra_samples_ > steps / spectra_every_) return steps;
  return spectra_samples_ * spectra_every_;
}

void Measurements::set_dynamics(Value& stage, Index before, Index steps, bool with_spectra) const {
  // Samples lie at multiples of the whole number of steps.
  const auto shared = [&](Index every) { return before > 0 ? common_step(every, before) : every; };
  const Index averages_every = shared(averages_every_);
  const SourceMark averages = place({"do_avrg", "avrg_step", "do_cumu", "plotenergy", "mode"});
  Value::Array measure{entry("energy", averages_every, averages),
                       entry("magnetisation", averages_every, averages)};
  if (terms_) measure.push_back(entry("energy-terms", averages_every, place({"plotenergy"})));
  if (is_on(input_, "do_proj_avrg") || is_on(input_, "do_projch_avrg"))
    measure.push_back(
        entry("sublattices", averages_every, place({"do_proj_avrg", "do_projch_avrg"})));
  if (is_on(input_, "skyno"))
    measure.push_back(entry("topological-charge",
                            shared(input_.count("skyno_step", usual_charge_every)),
                            place({"skyno"})));
  if (is_on(input_, "do_spintemp"))
    measure.push_back(entry("spin-temperature",
                            shared(input_.count("spintemp_step", usual_temperature_every)),
                            place({"do_spintemp"})));
  if (is_on(input_, "do_currents"))
    measure.push_back(
        entry("spin-currents", input_.count("current_step", 100), place({"do_currents"})));
  if (is_on(input_, "do_autocorr"))
    measure.push_back(entry("autocorrelation", averages_every, place({"do_autocorr"})));
  if (static_) {
    Value table = structure_factor(static_every_, place({"do_sc"}));
    table.set("origins", placed("fixed", place({"do_sc"})), place({"do_sc"}));
    measure.push_back(std::move(table));
  }
  if (with_spectra) {
    Value table = structure_factor(spectra_every_, place({"do_sc"}));
    const SourceMark window = place({"sc_window_fun", "do_sc"});
    table.set("window", placed(window_, window), window);
    measure.push_back(std::move(table));
  }
  if (trajectory_) {
    const SourceMark where = place({"do_tottraj", "ntraj"});
    Value table = entry("trajectory", shared(trajectory_every_), where);
    table.set("replicas", placed(input_.count("mensemble", 1), where), where);
    measure.push_back(std::move(table));
  }
  // Larmor refuses a measurement that never takes place.
  for (Value& table : measure)
    if (table.find("every")->as_integer() > steps) {
      const SourceMark where = table.find("every")->source_mark();
      table.set("every", placed(steps, where), where);
    }
  stage.set("measure", placed(Value(std::move(measure)), averages), averages);
  keep_all_configurations(stage, averages);
}

void Measurements::keep_all_configurations(Value& stage, const SourceMark& where) const {
  if (const Index ensembles = input_.count("mensemble", 1); ensembles > 1)
    stage.set("keep_configurations", placed(ensembles, where), where);
}

void Measurements::set_monte_carlo(Value& stage, Index sweeps) const {
  const SourceMark averages = place({"do_avrg", "avrg_step", "do_cumu", "plotenergy", "mode"});
  const Index shared =
      trajectory_ ? common_step(averages_every_, trajectory_every_) : averages_every_;
  const Index every = std::min(shared, sweeps);
  stage.set("measure_every", placed(every, averages), averages);
  Value::Array measure;
  const auto add = [&](bool is_wanted, const char* what,
                       std::initializer_list<const char*> keywords) {
    if (is_wanted) measure.push_back(placed(what, place(keywords)));
  };
  add(true, "energy", {"plotenergy", "do_avrg"});
  add(true, "magnetisation", {"do_avrg"});
  add(terms_, "energy-terms", {"plotenergy"});
  add(is_on(input_, "do_proj_avrg") || is_on(input_, "do_projch_avrg"), "sublattices",
      {"do_proj_avrg", "do_projch_avrg"});
  add(is_on(input_, "skyno"), "topological-charge", {"skyno"});
  add(is_on(input_, "do_spintemp"), "spin-temperature", {"do_spintemp"});
  add(is_on(input_, "do_currents"), "spin-currents", {"do_currents"});
  if (static_)
    measure.push_back(structure_factor(std::min(static_every_, sweeps), place({"do_sc"})));
  if (dynamic_)
    notes_.emplace_back("do_sc: S(q,w) needs spin dynamics, mode S; Monte Carlo has no time");
  if (is_on(input_, "do_autocorr"))
    notes_.emplace_back(
        "do_autocorr: errors of averages allow for autocorrelation; Monte Carlo "
        "stores no autocorrelation function");
  stage.set("measure", placed(Value(std::move(measure)), averages), averages);
  keep_all_configurations(stage, averages);
  if (!trajectory_) return;
  const SourceMark where = place({"do_tottraj", "ntraj"});
  stage.set("trajectory_every", placed(std::max<Index>(1, trajectory_every_ / every), where),
            where);
}

}  // namespace larmor::imports::uppasd
