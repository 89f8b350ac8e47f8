#include "larmor/study/models/quantum/stages/full_spectrum.hpp"

#include <fmt/core.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/study/models/quantum/stages/numbers_by_temperature.hpp"

namespace larmor::study {
namespace {

/// The time of a dense matrix grows with the cube of its size: this size takes hours.
constexpr double most_states_of_block = 16384;
/// Seconds of a dense matrix over the cube of its size, for forecasts: a measurement would take as
/// long as the stage.
constexpr double seconds_of_cube = 5e-9;

}  // namespace

FieldTable<FullSpectrumTable> FullSpectrumTable::fields() {
  FieldTable<FullSpectrumTable> table;
  table
      .required("kind", &FullSpectrumTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name});
  table
      .required("temperature", &FullSpectrumTable::temperature, Dimension::temperature,
                "a temperature, a list of them, or { from, to, factor | step | points }")
      .with_child<TemperatureRange>();
  return table
      .optional("imaginary_times", &FullSpectrumTable::imaginary_times, Dimension::none,
                "times from 0 to beta / 2 at which correlations of sz are computed; 0: none")
      .at_least(0)
      .at_most(1000);
}

std::vector<StageNumber> FullSpectrumStage::numbers(const io::ResultsReader& results,
                                                    const std::string& path) {
  return numbers_by_temperature(results, path, path,
                                {"ln_Z", "energy", "specific_heat", "absolute_magnetisation",
                                 "magnetisation_squared", "binder"});
}

FullSpectrumStage::FullSpectrumStage(const Table& table, const ReadContext& context)
    : SectorStage(context),
      table_(table),
      temperatures_(read_temperatures(table.temperature, context,
                                      "a thermal average needs a positive temperature")) {}

std::string FullSpectrumStage::plan() const {
  return fmt::format("all levels, and averages at {} temperature(s)", temperatures_.size());
}

void FullSpectrumStage::check_size(const quantum::SpinModel& model) const {
  const double states = quantum::FullSpectrum::largest_block(model);
  if (states <= most_states_of_block) return;
  throw InputError(
      fmt::format("{} spins have a sector of {:.0f} states: its dense matrix would take {:.3g} "
                  "bytes, and all matrices {:.3g}",
                  model.sites, states, 8 * states * states, quantum::FullSpectrum::bytes(model)),
      table_.where,
      "use kind = \"typicality\" for averages or kind = \"spectrum\" for the lowest levels, or "
      "fewer sites");
}

std::pair<double, double> FullSpectrumStage::bytes_of(const quantum::SpinModel& model, const Task&,
                                                      const Device&) const {
  return {0, quantum::FullSpectrum::bytes(model)};
}

void FullSpectrumStage::begin_task(const Device& device, const quantum::SpinModel& model,
                                   const Task&, Index) {
  spectrum_ = std::make_unique<quantum::FullSpectrum>(model, device.threads);
}

std::vector<double> FullSpectrumStage::fractions() const {
  std::vector<double> fractions;
  const auto count = static_cast<double>(table_.imaginary_times);
  for (Index n = 0; n < table_.imaginary_times; ++n)
    fractions.push_back(count > 1 ? 0.5 * static_cast<double>(n) / (count - 1) : 0.5);
  return fractions;
}

bool FullSpectrumStage::step_task(std::vector<double>& numbers) {
  if (!spectrum_->step()) return false;
  const int sites = model().sites;
  for (const auto& level : spectrum_->levels())
    append(numbers, {level.energy, label_of(level.sector, sites)});
  for (const double temperature : temperatures_) {
    const double beta = 1 / (context_.constants.k_B * temperature);
    const quantum::ThermalAverages at = spectrum_->at(beta);
    append(numbers, {at.ln_Z, at.energy, at.specific_heat, at.susceptibility, at.diagonal.abs_m,
                     at.diagonal.m2, at.diagonal.m4});
    append(numbers, at.sx);
    append(numbers, at.diagonal.sz);
    append(numbers, at.diagonal.szsz);
    for (const auto& in_time : spectrum_->in_time(beta, fractions()))
      append(numbers, {in_time.total, in_time.local});
  }
  return true;
}

double FullSpectrumStage::seconds_per_update(Simulation& simulation) {
  const quantum::SpinModel model = quantum_model(simulation.study, 0);
  double seconds = 0;
  for (const quantum::Sector& sector : quantum::sectors_of(model))
    seconds += seconds_of_cube * std::pow(quantum::StateSpace::states_of(model.sites, sector), 3);
  return seconds * static_cast<double>(samples_of(simulation.study));
}

double FullSpectrumStage::work_of_step(const quantum::SpinModel& model, const Task&) const {
  return std::pow(quantum::FullSpectrum::largest_block(model), 3);
}

void FullSpectrumStage::write(ResultsGroup& results) const {
  const Index S = samples(), T = std::ssize(temperatures_), N = model().sites;
  const Index states = Index{1} << N, K = table_.imaginary_times;
  std::vector<double> energies, labels, ln_Z, f, e, C, chi, abs_m, m2, m4, binder, sx, sz, szsz;
  std::vector<double> total, local;
  const double* next = found().data();
  const auto take = [&](std::vector<double>& to, Index count) {
    to.insert(to.end(), next, next + count);
    next += count;
  };
  for (Index sample = 0; sample < S; ++sample) {
    for (Index n = 0; n < states; ++n) {
      take(energies, 1);
      take(labels, 1);
    }
    for (const double temperature : temperatures_) {
      for (std::vector<double>* const to : {&ln_Z, &e, &C, &chi, &abs_m, &m2, &m4}) take(*to, 1);
      const auto sites = static_cast<double>(N);
      e.back() /= sites;
      C.back() /= sites;
      f.push_back(-context_.constants.k_B * temperature * ln_Z.back() / sites);
      binder.push_back(1 - m4.back() / (3 * m2.back() * m2.back()));
      take(sx, N);
      take(sz, N);
      take(szsz, N * N);
      for (Index k = 0; k < K; ++k) {
        take(total, 1);
        take(local, 1);
      }
    }
  }
  results.write("temperature", temperatures_, {T},
                inner_unit(Dimension::temperature, context_.units));
  results.write("level", energies, {S, states}, energy_unit());
  results.write("sector_of_level", labels, {S, states}, "");
  results.write("ln_Z", ln_Z, {S, T}, "");
  results.write("free_energy", f, {S, T}, energy_unit());
  results.write("energy", e, {S, T}, energy_unit());
  results.write("specific_heat", C, {S, T}, "");
  results.write("susceptibility", chi, {S, T}, "");
  results.write("absolute_magnetisation", abs_m, {S, T}, "");
  results.write("magnetisation_squared", m2, {S, T}, "");
  results.write("magnetisation_4", m4, {S, T}, "");
  results.write("binder", binder, {S, T}, "");
  results.write("sx", sx, {S, T, N}, "");
  results.write("sz", sz, {S, T, N}, "");
  results.write("szsz", szsz, {S, T, N, N}, "");
  if (K > 0) {
    results.write("imaginary_time", fractions(), {K}, "");
    results.write("time_correlation", total, {S, T, K}, "");
    results.write("local_time_correlation", local, {S, T, K}, "");
  }
  for (const char* const name : {"free_energy", "energy", "specific_heat"})
    results.attach_scale(name, 1, "temperature");
}

}  // namespace larmor::study
