#pragma once
// sqw.SIMID.out: the power of the Fourier components of the magnetisation, from S(q,w) of the
// results.
//
//   m(q,t) = (1/N) sum_r m_r(t) exp(2 pi i q.r)      summed over the ensembles
//   |S_aa| = | sum_t w(t) m_a(q,t) exp(i w t) |^2 / ((n - 1) / 2)^2       n samples
//
// The results hold correlations C(l) of pairs of samples l apart, averaged over pairs and
// replicas. With them, |sum_t ..|^2 is sum_l R(l) C(l) exp(i w l dt), where R(l) = sum_t w(t)
// w(t+l). This is exact for one replica without a window. Otherwise it is the mean over pairs.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/measurement_phase.hpp"
#include "larmor/imports/uppasd/wave_vectors.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::imports::uppasd {

struct SpectrumSettings {
  std::string group;     ///< structure factor of the results
  Index samples = 0;     ///< sc_nstep; 0: one less than the results have
  Index every = 1;       ///< sc_step
  Index window = 1;      ///< sc_window_fun
  bool in_time = false;  ///< real_time_measure: frequencies in place of their numbers
  double moment = 1;     ///< mu_B, equal for all atoms
  Index atoms = 1;       ///< N, by which S(q,t) of the results divides once
};

/// The wave vectors as UppASD prints them, in 2 pi / alat, with their number in the results.
struct PrintedWaveVector {
  Vec3<double> q;
  Index number;
};
std::vector<PrintedWaveVector> printed_wave_vectors(const WaveVectors& points,
                                                    const lattice::Geometry& geometry);

/// @throws MachineError for damaged results or if the file cannot be written
void write_spectrum(io::WholeFile& file, const MeasurementPhase& phase,
                    const std::vector<PrintedWaveVector>& points, const SpectrumSettings& settings);

}  // namespace larmor::imports::uppasd
