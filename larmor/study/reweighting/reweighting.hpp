#pragma once
// Averages as functions of the temperature or a coupling, from samples at several of them together
// (core/statistics/mbar.hpp), with error bars.
//
// With E the energy of the system, N its sites, m the length of the order parameter, b = 1/(k_B T):
// energy <E> / N; specific_heat b^2 (<E^2> - <E>^2) / N in k_B; the order parameter <m> by its
// name, and NAME_squared <m^2>, NAME_fourth <m^4>; susceptibility b N (<m^2> - <m>^2);
// binder_cumulant U = 1 - <m^4> / (3 <m^2>^2); their slopes binder_cumulant_slope dU/db and
// NAME_log_slope d ln <m^2> / db, by d<A>/db = <A> <E> - <A E>; further series by their names.
//
// A coupling b multiplies E in the exponent. Then the series of which E is made replaces energy,
// under its own name. NAME_slope d <NAME> / db replaces specific_heat, and the susceptibility is N
// (<m^2> - <m>^2).
//
// If S(k) at the smallest k was stored, for a lattice of edge L: also correlation_length_over_edge,
// xi / L with xi = sqrt(N <m^2> / <S> - 1) / (2 sin(pi / L)), and its slope.
//
// Each sample of a state is worth 1 / (2 tau) independent ones, where tau is the longer integrated
// autocorrelation time of energy and m^2. Errors are those of a block bootstrap. The series of each
// state are cut into blocks of at least 20 tau if samples are enough. B - 1 of B blocks are drawn
// with replacement, and all is computed from them again (B. Efron and R. Tibshirani, An
// Introduction to the Bootstrap (1993); J. N. K. Rao and C. F. J. Wu, JASA 83, 231 (1988) for the
// number B - 1). Errors along a curve are correlated: each draw is a curve.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/study/reweighting/samples.hpp"

namespace larmor::study {

/// Up to this number, each different energy is a cell. Otherwise cells have equal widths, a small
/// fraction of the standard deviation of the energies, and each has the mean of its energies.
constexpr std::size_t most_cells = 16384;

struct ReweightOptions {
  std::vector<double> parameter;  ///< empty: `usual_points` from the lowest sampled to the highest
  Index draws = 200;              ///< number of draws of the bootstrap
  std::uint64_t seed = 1;         ///< seed of the draws
  int threads = 1;                ///< no effect on bits
};

constexpr Index usual_points = 101;

struct Curve {
  std::string name, unit;
  std::vector<double> value, error;  ///< [points]
  std::vector<double> draws;         ///< (draws, points)
};

/// The statistical weight of the samples of one state.
struct StateSummary {
  double parameter;
  Index samples;                ///< those of all replicas
  double autocorrelation_time;  ///< in samples
  Index blocks;
  double free_energy;  ///< -ln Z, with an added constant that makes the first one 0
  double overlap;  ///< number of samples shared with states of higher parameter; NaN for the last
                   ///< state
  bool reliable;   ///< are samples enough to find the autocorrelation time?
};

struct SystemCurves {
  std::vector<double> parameter;
  std::vector<double> effective_samples;  ///< independent samples behind the averages at each
                                          ///< parameter
  std::vector<double> reliable;           ///< 1: errors are reliable, 0: samples are too few
  std::vector<Curve> curves;
  std::vector<StateSummary> states;
};

/// @throws InputError if histograms do not overlap, or do not reach a requested parameter
SystemCurves reweighted(const SampledSystem& system, const Samples& samples,
                        const ReweightOptions& options);

}  // namespace larmor::study
