#pragma once
// Writes the results of a spin-waves stage.

#include "larmor/correlations/fourier/q_list.hpp"
#include "larmor/spinwaves/broadening.hpp"
#include "larmor/spinwaves/long_waves.hpp"
#include "larmor/study/models/spins/stages/spin_stage.hpp"
#include "larmor/study/models/spins/tables/spin_waves_table.hpp"

namespace larmor::study {

/// Units of a study's spin waves, and the factor from frequencies to energies.
struct SpinWaveUnits {
  std::string frequency, time, inverse_length, stiffness, velocity;
  double hbar;

  explicit SpinWaveUnits(const ReadContext& context);
};

/// magnetic-cell/{vectors [3,3], sites [n], spins [n,3]}
void write_magnetic_cell(ResultsGroup& results, const spinwaves::MagneticCell& cell,
                         const std::vector<Vec3<double>>& e);

/// dispersion/: frequency, intensity [Q,n], amplitude [Q,n,3,2] of the lines at w_n(q); and
/// datasets mirror_... for the lines at - w_n(-q); growth [Q,n] if a state is not a minimum.
void write_dispersion(ResultsGroup& results, const correlations::QList& q,
                      const std::vector<spinwaves::WaveVectorSpectrum>& spectra,
                      const SpinWaveUnits& units);

/// structure-factor/ as from dynamics, without the numbers of sampling.
void write_spectrum_map(ResultsGroup& results, const SpectrumMapTable& table,
                        const correlations::QList& q,
                        const std::vector<spinwaves::WaveVectorSpectrum>& spectra,
                        const SpinWaveUnits& units, int threads);

/// density-of-states/{frequency, density} @param frequencies of all wave vectors and modes
void write_density_of_states(ResultsGroup& results, const DensityOfStatesTable& table,
                             const std::vector<double>& frequencies, const SpinWaveUnits& units);

/// stiffness [3], an energy times a squared length, and velocity [3], if any component is known.
void write_long_waves(ResultsGroup& results, const spinwaves::LongWaves& waves,
                      const SpinWaveUnits& units);

}  // namespace larmor::study
