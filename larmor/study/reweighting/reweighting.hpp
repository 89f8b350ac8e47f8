#pragma once
// Averages as functions of the temperature or a coupling, from samples at several of them together
// (core/statistics/mbar.hpp), with error bars.
//
// With E the energy of the system, N its sites, m the length of the order parameter, b = 1/(k_B T):
// energy <E> / N; specific_heat b^2 (<E^2> - <E>^2) / N in k_B; the order parameter <m> by its
// name, and NAME_squared <m^2>, NAME_fourth <m^4>; susceptibility b N (<m^2> - <m>^2);
// binder_cumulant U = 1 - <m^4> / (3 <m^2>^2); their slopes binder_cumulant_slope dU/db and
// NAME_log_slope d ln <m^2> / db, by d<A>/db = <A> <E> - <A E>; further series by their names.
// Of a coupling b, which multiplies E in the exponent, the series that E is made of has its own
// name in the place of energy, NAME_slope d <NAME> / db in the place of specific_heat, and the
// susceptibility is N (<m^2> - <m>^2).
// Where S(k) at the smallest k was stored, of a lattice of edge L, also
// correlation_length_over_edge, xi / L with xi = sqrt(N <m^2> / <S> - 1) / (2 sin(pi / L)), and its
// slope.
//
// Samples of a state are worth 1 / (2 tau) independent ones each, tau being the longer integrated
// autocorrelation time of energy and m^2. Errors are those of a block bootstrap: the series of each
// state are cut into blocks of at least 20 tau where samples are enough, of B blocks B - 1 are
// drawn with replacement, and all is computed from them again (B. Efron and R. Tibshirani, An
// Introduction to the Bootstrap (1993); J. N. K. Rao and C. F. J. Wu, JASA 83, 231 (1988) for
// B - 1). Errors along a curve belong together: each draw is a curve.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/study/reweighting/samples.hpp"

namespace larmor::study {

/// Energies that differ are cells of their own up to this number; of more, cells of equal width are
/// made, each with the mean of its energies: a small part of their standard deviation.
constexpr std::size_t most_cells = 16384;

struct ReweightOptions {
  std::vector<double> parameter;  ///< empty: `usual_points` from the lowest sampled to the highest
  Index draws = 200;              ///< of the bootstrap
  std::uint64_t seed = 1;         ///< of the draws
  int threads = 1;                ///< no bit depends on it
};

constexpr Index usual_points = 101;

struct Curve {
  std::string name, unit;
  std::vector<double> value, error;  ///< [points]
  std::vector<double> draws;         ///< (draws, points)
};

/// What the samples of one state are worth.
struct StateSummary {
  double parameter;
  Index samples;                ///< of all replicas
  double autocorrelation_time;  ///< in samples
  Index blocks;
  double free_energy;  ///< -ln Z, but for what makes that of the first state vanish
  double overlap;      ///< samples shared with states of higher parameter; of the last NaN
  bool reliable;       ///< samples are enough to know the autocorrelation time
};

struct SystemCurves {
  std::vector<double> parameter;
  std::vector<double> effective_samples;  ///< that averages at each of them rest on
  std::vector<double> reliable;           ///< 1: errors can be trusted, 0: samples are too few
  std::vector<Curve> curves;
  std::vector<StateSummary> states;
};

/// @throws InputError where histograms do not overlap, or do not reach a parameter asked for
SystemCurves reweighted(const SampledSystem& system, const Samples& samples,
                        const ReweightOptions& options);

}  // namespace larmor::study
