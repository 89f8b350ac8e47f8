#include "larmor/study/models/spins/stages/spin_waves_results.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/models/spins/measurements/correlation_results.hpp"

namespace larmor::study {
namespace {

using spinwaves::Line;
using spinwaves::WaveVectorSpectrum;

/// Lines of one sign of frequency: datasets frequency, intensity and amplitude after a prefix.
void write_lines(ResultsGroup& results, const std::string& prefix,
                 const std::vector<WaveVectorSpectrum>& spectra,
                 std::vector<Line> WaveVectorSpectrum::*lines, double sign,
                 const SpinWaveUnits& units) {
  std::vector<double> frequency, intensity, amplitude;
  for (const WaveVectorSpectrum& spectrum : spectra)
    for (const Line& line : spectrum.*lines) {
      frequency.push_back(sign * line.frequency);
      intensity.push_back(line.intensity());
      for (const std::complex<double>& f : line.amplitude)
        amplitude.insert(amplitude.end(), {f.real(), f.imag()});
    }
  const auto Q = static_cast<Index>(spectra.size());
  const Index n = static_cast<Index>(frequency.size()) / Q;
  results.write(prefix + "frequency", frequency, {Q, n}, units.frequency);
  results.write(prefix + "intensity", intensity, {Q, n}, "");
  results.write(prefix + "amplitude", amplitude, {Q, n, 3, 2}, "");
}

double highest_frequency(const std::vector<WaveVectorSpectrum>& spectra) {
  double highest = 0;
  for (const WaveVectorSpectrum& spectrum : spectra)
    for (const auto& lines : {spectrum.lines, spectrum.mirror})
      for (const Line& line : lines) highest = std::max(highest, std::abs(line.frequency));
  return highest;
}

bool any_finite(const std::array<double, 3>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

SpinWaveUnits::SpinWaveUnits(const ReadContext& context) : hbar(context.constants.hbar) {
  if (context.units != UnitSystem::material) return;
  frequency = "rad/ps";
  time = "ps";
  inverse_length = "1/Å";
  stiffness = "eV Å^2";
  velocity = "Å/ps";
}

void write_magnetic_cell(ResultsGroup& results, const spinwaves::MagneticCell& cell,
                         const std::vector<Vec3<double>>& e) {
  std::vector<double> vectors, sites;
  std::vector<Vec3<double>> spins;
  for (const auto& vector : cell.vectors())
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  for (Index spin = 0; spin < cell.spins(); ++spin) {
    sites.push_back(static_cast<double>(cell.site(spin)));
    spins.push_back(e[static_cast<std::size_t>(cell.site(spin))]);
  }
  results.write("magnetic-cell/vectors", vectors, {3, 3}, "cells of the crystal");
  results.write("magnetic-cell/sites", sites, {cell.spins()}, "");
  results.write("magnetic-cell/spins", flattened(spins), {cell.spins(), 3}, "");
}

void write_dispersion(ResultsGroup& results, const correlations::QList& q,
                      const std::vector<WaveVectorSpectrum>& spectra, const SpinWaveUnits& units) {
  const std::string group = "dispersion/";
  write_wave_vectors(results, group, q, units.inverse_length);
  write_lines(results, group, spectra, &WaveVectorSpectrum::lines, 1, units);
  write_lines(results, group + "mirror_", spectra, &WaveVectorSpectrum::mirror, -1, units);
  std::vector<double> growth;
  bool minimum = true;
  for (const WaveVectorSpectrum& spectrum : spectra) {
    minimum = minimum && spectrum.minimum;
    for (const Line& line : spectrum.lines) growth.push_back(line.growth);
  }
  if (!minimum)
    results.write(group + "growth", growth,
                  {q.size(), static_cast<Index>(growth.size()) / q.size()}, units.frequency);
  results.set_attribute("dispersion", "NX_class", "NXdata");
  results.set_attribute("dispersion", "signal", "frequency");
  results.set_attribute(
      "dispersion", "normalisation",
      "S^ab(q,w) = 2 pi sum_m f_a conj(f_b) delta(w - w_m), intensity = sum_a |f_a|^2; mirror_: "
      "lines at w = - mirror_frequency");
}

void write_spectrum_map(ResultsGroup& results, const SpectrumMapTable& table,
                        const correlations::QList& q,
                        const std::vector<WaveVectorSpectrum>& spectra, const SpinWaveUnits& units,
                        int threads) {
  const spinwaves::Resolution resolution{table.line == "lorentzian"
                                             ? spinwaves::LineShape::lorentzian
                                             : spinwaves::LineShape::gaussian,
                                         table.width / units.hbar};
  const double to =
      table.to ? *table.to / units.hbar : 1.2 * highest_frequency(spectra) + 2 * resolution.width;
  std::vector<double> frequency;
  for (Index w = -table.points; w <= table.points; ++w)
    frequency.push_back(to * static_cast<double>(w) / static_cast<double>(table.points));
  const Index Q = q.size(), F = static_cast<Index>(frequency.size());
  std::vector<double> components(static_cast<std::size_t>(Q * F * 3)), intensity;
  parallel_for(threads, Q, [&](Index i) {
    const std::vector<double> S =
        spinwaves::broadened(spectra[static_cast<std::size_t>(i)], frequency, resolution);
    std::copy(S.begin(), S.end(), components.begin() + i * F * 3);
  });
  for (std::size_t i = 0; i < components.size(); i += 3)
    intensity.push_back(components[i] + components[i + 1] + components[i + 2]);

  const std::string name = "structure-factor", group = name + "/";
  write_wave_vectors(results, group, q, units.inverse_length);
  results.write(group + "frequency", frequency, {F}, units.frequency);
  results.write(group + "intensity", intensity, {Q, F}, units.time);
  results.write(group + "components", components, {Q, F, 3}, units.time);
  results.attach_scale(group + "intensity", 0, group + "q_index");
  results.attach_scale(group + "intensity", 1, group + "frequency");
  results.set_attribute(name, "NX_class", "NXdata");
  results.set_attribute(name, "signal", "intensity");
  results.set_attribute(name, "axes",
                        io::DataArray(std::vector<std::string>{"q_index", "frequency"}));
  results.set_attribute(name, "method", "spin-waves");
  results.set_attribute(name, "line", table.line);
  results.set_attribute(name, "width", resolution.width);
  results.set_attribute(name, "normalisation",
                        "int dw/(2 pi) S(q,w) = sum of the intensities of the spin waves");
}

void write_density_of_states(ResultsGroup& results, const DensityOfStatesTable& table,
                             const std::vector<double>& frequencies, const SpinWaveUnits& units) {
  spinwaves::Resolution resolution;
  if (table.width) resolution.width = *table.width / units.hbar;
  const spinwaves::DensityOfStates states =
      spinwaves::density_of_states(frequencies, table.bins, table.width ? &resolution : nullptr);
  results.write("density-of-states/frequency", states.frequency, {table.bins}, units.frequency);
  results.write("density-of-states/density", states.density, {table.bins}, units.time);
  results.set_attribute("density-of-states", "normalisation", "int dw g(w) = 1, a spin");
}

void write_long_waves(ResultsGroup& results, const spinwaves::LongWaves& waves,
                      const SpinWaveUnits& units) {
  results.set_attribute("", "gap", units.hbar * waves.gap);
  if (any_finite(waves.stiffness)) {
    std::vector<double> energy;
    for (const double D : waves.stiffness) energy.push_back(units.hbar * D);
    results.write("stiffness", energy, {3}, units.stiffness);
  }
  if (any_finite(waves.velocity))
    results.write("velocity", {waves.velocity.begin(), waves.velocity.end()}, {3}, units.velocity);
}

}  // namespace larmor::study
