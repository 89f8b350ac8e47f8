// Multi-histogram reweighting, compared with the enumeration of all states of a small Ising model.
// Rooms: core, study

#include "larmor/study/reweighting/reweighting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/statistics/mbar.hpp"

namespace larmor::study::reweighting_tests {
namespace {

constexpr int edge = 4;
constexpr int sites = edge * edge;

/// The number of states of the periodic 4 x 4 lattice that have an energy and a magnetisation.
struct Level {
  double energy, magnetisation, states;
};

const std::vector<Level>& levels() {
  static const std::vector<Level> all = [] {
    std::map<std::pair<int, int>, double> count;
    for (unsigned state = 0; state < (1U << sites); ++state) {
      const auto spin = [&](int x, int y) {
        return (state >> (x % edge + y % edge * edge) & 1U) != 0 ? 1 : -1;
      };
      int energy = 0, sum = 0;
      for (int y = 0; y < edge; ++y)
        for (int x = 0; x < edge; ++x) {
          sum += spin(x, y);
          energy -= spin(x, y) * (spin(x + 1, y) + spin(x, y + 1));
        }
      ++count[{energy, sum}];
    }
    std::vector<Level> found;
    for (const auto& [of, states] : count)
      found.push_back(
          {static_cast<double>(of.first), static_cast<double>(of.second) / sites, states});
    return found;
  }();
  return all;
}

/// The probabilities of the levels at a temperature.
std::vector<double> boltzmann(double T) {
  std::vector<double> p;
  for (const Level& level : levels())
    p.push_back(level.states * std::exp(-(level.energy + 2 * sites) / T));
  const double Z = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= Z;
  return p;
}

double log_Z(double T) {
  double Z = 0;
  for (const Level& level : levels()) Z += level.states * std::exp(-(level.energy + 2 * sites) / T);
  return std::log(Z) + 2 * sites / T;
}

/// The exact averages at a temperature, by the names of curves.
std::map<std::string, double> exact(double T) {
  const std::vector<double> p = boltzmann(T);
  double e = 0, e2 = 0, m = 0, m2 = 0, m4 = 0, m2e = 0, m4e = 0;
  for (std::size_t n = 0; n < p.size(); ++n) {
    const auto& [E, M, states] = levels()[n];
    const double square = M * M;
    e += p[n] * E;
    e2 += p[n] * E * E;
    m += p[n] * std::abs(M);
    m2 += p[n] * square;
    m4 += p[n] * square * square;
    m2e += p[n] * square * E;
    m4e += p[n] * square * square * E;
  }
  const double slope2 = m2 * e - m2e, slope4 = m4 * e - m4e;
  return {{"energy", e / sites},
          {"specific_heat", (e2 - e * e) / (T * T) / sites},
          {"magnetisation", m},
          {"magnetisation_squared", m2},
          {"magnetisation_fourth", m4},
          {"susceptibility", sites * (m2 - m * m) / T},
          {"binder_cumulant", 1 - m4 / (3 * m2 * m2)},
          {"binder_cumulant_slope", -slope4 / (3 * m2 * m2) + 2 * m4 * slope2 / (3 * m2 * m2 * m2)},
          {"magnetisation_log_slope", slope2 / m2}};
}

/// Samples of the Boltzmann distribution. With the probability `stays`, a sample repeats the sample
/// before, so that the autocorrelation time is (1 + stays) / (1 - stays) / 2.
SampledState sampled(double T, Index replicas, Index samples, double stays,
                     std::mt19937_64& random) {
  const std::vector<double> p = boltzmann(T);
  std::discrete_distribution<std::size_t> draw(p.begin(), p.end());
  std::uniform_real_distribution<double> uniform;
  SampledState state{"test", random(), T, 1 / T, replicas, {}, {{}}};
  std::vector<std::size_t> now(static_cast<std::size_t>(replicas));
  for (std::size_t& at : now) at = draw(random);
  for (Index n = 0; n < samples; ++n)
    for (std::size_t& at : now) {
      if (uniform(random) >= stays) at = draw(random);
      state.energy.push_back(levels()[at].energy);
      state.series[0].push_back(std::abs(levels()[at].magnetisation));
    }
  return state;
}

Samples of_magnetisation() {
  Samples samples;
  samples.units = "reduced";
  samples.parameter.k_B = 1;
  samples.series = {{"magnetisation", ""}};
  return samples;
}

SampledSystem system_of(std::vector<SampledState> states) {
  SampledSystem system;
  system.sites = sites;
  system.energy_scale = sites;
  system.states = std::move(states);
  return system;
}

const Curve& curve(const SystemCurves& curves, const std::string& name) {
  return *std::find_if(curves.curves.begin(), curves.curves.end(),
                       [&](const Curve& curve) { return curve.name == name; });
}

double binomial_error(double p, double n) { return std::sqrt(p * (1 - p) / n); }

/// Counts without noise: the mean number of samples from each state.
HistogramCounts expected_counts(const std::vector<double>& T, const std::vector<double>& n) {
  HistogramCounts counts{std::vector<double>(levels().size(), 0.0), n};
  for (std::size_t k = 0; k < T.size(); ++k) {
    const std::vector<double> p = boltzmann(T[k]);
    for (std::size_t cell = 0; cell < p.size(); ++cell) counts.of_cell[cell] += n[k] * p[cell];
  }
  return counts;
}

std::vector<double> level_energies() {
  std::vector<double> energies;
  for (const Level& level : levels()) energies.push_back(level.energy);
  return energies;
}

Mbar solved(const std::vector<double>& T, const HistogramCounts& counts) {
  std::vector<double> b, mean;
  for (const double t : T) {
    b.push_back(1 / t);
    mean.push_back(sites * exact(t)["energy"]);
  }
  return {level_energies(), b, counts, mean};
}

const std::vector<double> three{2.0, 2.4, 3.0};

TEST(Mbar, OfExpectedCountsHasTheExactFreeEnergies) {
  const Mbar histogram = solved(three, expected_counts(three, {500, 3000, 40}));
  ASSERT_TRUE(histogram.converged());
  const std::vector<double> f = histogram.free_energies();
  EXPECT_EQ(f[0], 0);
  for (std::size_t k = 1; k < three.size(); ++k)
    EXPECT_NEAR(f[k], log_Z(three[0]) - log_Z(three[k]), 1e-10);
}

TEST(Mbar, OfExpectedCountsHasTheExactAveragesElsewhere) {
  const HistogramCounts counts = expected_counts(three, {500, 3000, 40});
  const Mbar histogram = solved(three, counts);
  for (const double T : {1.8, 2.2, 2.7, 3.5}) {
    const std::vector<double> weight = histogram.weights(1 / T);
    double total = 0, energy = 0;
    for (std::size_t cell = 0; cell < weight.size(); ++cell) {
      total += counts.of_cell[cell] * weight[cell];
      energy += counts.of_cell[cell] * weight[cell] * levels()[cell].energy;
    }
    EXPECT_NEAR(total, 1, 1e-12);
    EXPECT_NEAR(energy / sites, exact(T)["energy"], 1e-11) << T;
  }
}

TEST(Mbar, BeginsFarFromTheSolutionAndFindsIt) {
  const std::vector<double> T{1.0, 1.6, 2.4, 4.0, 9.0};
  std::vector<double> b;
  for (const double t : T) b.push_back(1 / t);
  const Mbar histogram(level_energies(), b, expected_counts(T, {1e3, 1e5, 1e4, 1e2, 1e6}),
                       std::vector<double>(T.size(), 3.0 * sites));
  ASSERT_TRUE(histogram.converged());
  for (std::size_t k = 1; k < T.size(); ++k)
    EXPECT_NEAR(histogram.free_energies()[k], log_Z(T[0]) - log_Z(T[k]), 1e-9);
}

TEST(Mbar, EqualStatesShareAllTheirSamples) {
  const Mbar histogram = solved({2.4, 2.4, 2.4}, expected_counts({2.4, 2.4, 2.4}, {100, 200, 300}));
  // Each of the 600 samples belongs to the first state with the probability 1/6.
  EXPECT_NEAR(histogram.overlaps()[0], 600 * (1.0 / 6) * (5.0 / 6), 1e-9);
  EXPECT_NEAR(histogram.overlaps()[1], 600 * (1.0 / 2) * (1.0 / 2), 1e-9);
  EXPECT_NEAR(histogram.effective_samples(1 / 2.4), 600, 1e-9);
}

TEST(Mbar, OtherCountsChangeWeightsLikeASolutionOfTheirOwn) {
  const HistogramCounts counts = expected_counts(three, {500, 3000, 40});
  HistogramCounts others = expected_counts({2.1, 2.3, 3.2}, {700, 2000, 90});
  const Mbar histogram = solved(three, counts), other = solved(three, others);
  const std::vector<double> change = histogram.changes(others);
  std::vector<double> weight = histogram.weights(0.4);
  const std::vector<double> own = other.weights(0.4);
  double total = 0;
  for (std::size_t cell = 0; cell < weight.size(); ++cell) {
    weight[cell] *= change[cell];
    total += others.of_cell[cell] * weight[cell];
  }
  for (std::size_t cell = 0; cell < weight.size(); ++cell)
    EXPECT_NEAR(weight[cell] / total, own[cell], 1e-9 * own[cell]);
}

TEST(Reweighting, OfManySamplesIsTheEnumeration) {
  std::mt19937_64 random(1);
  std::vector<SampledState> states;
  for (const double T : three) states.push_back(sampled(T, 16, 4000, 0, random));
  ReweightOptions options;
  options.parameter = {1.9, 2.2, 2.6, 3.2};
  const SystemCurves curves = reweighted(system_of(states), of_magnetisation(), options);
  for (const Curve& of : curves.curves)
    for (std::size_t t = 0; t < options.parameter.size(); ++t) {
      const double truth = exact(options.parameter[t])[of.name];
      EXPECT_LT(std::abs(of.value[t] - truth), 4 * of.error[t]) << of.name << " " << t;
      EXPECT_LT(of.error[t], 0.02 * std::abs(truth)) << of.name;
    }
  for (const double reliable : curves.reliable) EXPECT_EQ(reliable, 1);
  // The variance of a free energy is the inverse of the number of samples that states share.
  for (std::size_t k = 1; k < three.size(); ++k)
    EXPECT_NEAR(curves.states[k].free_energy, log_Z(three[0]) - log_Z(three[k]),
                4 * static_cast<double>(k) / std::sqrt(curves.states[0].overlap));
}

/// Treats samples at T as those of a coupling 1 / T, and the series of E as a mean over 32 bonds.
SystemCurves of_coupling(const std::vector<double>& T, std::vector<double> wanted,
                         std::mt19937_64& random) {
  std::vector<SampledState> states;
  for (const double t : T) {
    states.push_back(sampled(t, 16, 4000, 0, random));
    states.back().parameter = 1 / t;
  }
  Samples samples = of_magnetisation();
  samples.parameter = {"kappa", "", "bond", 0};
  samples.series.push_back({"action", ""});
  samples.exponent = 1;
  // The exponent is the coupling times the bonds. If the coupling is absent, the exponent is zero.
  for (SampledState& state : states) state.series.emplace_back(state.energy.size(), 0.0);
  SampledSystem system = system_of(std::move(states));
  system.energy_scale = -2 * sites;
  ReweightOptions options;
  options.parameter = std::move(wanted);
  return reweighted(system, samples, options);
}

TEST(Reweighting, OfACouplingIsTheEnumeration) {
  std::mt19937_64 random(14);
  const std::vector<double> wanted{0.3, 0.38, 0.47};
  const SystemCurves curves = of_coupling({3.0, 2.4, 2.0}, wanted, random);
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    const double T = 1 / wanted[t];
    std::map<std::string, double> truth = exact(T);
    truth["bond"] = -truth["energy"] / 2;
    truth["bond_slope"] = truth["specific_heat"] * T * T / 2;
    truth["susceptibility"] *= T;
    truth["action"] = truth["energy"] / T;
    for (const Curve& of : curves.curves) {
      ASSERT_TRUE(truth.contains(of.name)) << of.name;
      EXPECT_LT(std::abs(of.value[t] - truth[of.name]), 4 * of.error[t]) << of.name << " " << t;
      EXPECT_LT(of.error[t], 0.02 * std::abs(truth[of.name])) << of.name;
    }
  }
  EXPECT_EQ(curves.curves.size(), 10U);
  for (std::size_t k = 0; k + 1 < 3; ++k) EXPECT_GT(curves.states[k].overlap, 1000);
  // States 0 and 1 share fewer samples than states 1 and 2.
  EXPECT_GT(curves.states[1].overlap, 1.05 * curves.states[0].overlap);
  EXPECT_TRUE(std::isnan(curves.states[2].overlap));
}

TEST(Reweighting, OfOneCouplingReachesAsFarOnEitherSide) {
  std::mt19937_64 random(15);
  const SystemCurves curves = of_coupling({2.4}, {}, random);
  ASSERT_EQ(std::ssize(curves.parameter), usual_points);
  const double far = 1 / std::sqrt(exact(2.4)["specific_heat"] * sites) / 2.4;
  EXPECT_NEAR(curves.parameter.front(), 1 / 2.4 - far, 0.02 * far);
  EXPECT_NEAR(curves.parameter.back(), 1 / 2.4 + far, 0.02 * far);
}

/// For correlated series, the scatter of many estimates is compared with the reported errors.
TEST(Reweighting, ErrorsAreTheScatterOfIndependentRuns) {
  constexpr int runs = 300;
  constexpr double T = 2.2;
  std::mt19937_64 random(2);
  std::map<std::string, double> squares, covered;
  for (int run = 0; run < runs; ++run) {
    std::vector<SampledState> states;
    for (const double t : three) states.push_back(sampled(t, 8, 1000, 0.8, random));
    ReweightOptions options;
    options.parameter = {T};
    options.draws = 100;
    options.seed = static_cast<std::uint64_t>(run);
    for (const Curve& of : reweighted(system_of(states), of_magnetisation(), options).curves) {
      const double off = (of.value[0] - exact(T)[of.name]) / of.error[0];
      squares[of.name] += off * off / runs;
      covered[of.name] += std::abs(off) < 1 ? 1.0 / runs : 0;
    }
  }
  ASSERT_EQ(squares.size(), 9U);
  for (const auto& [name, square] : squares) {
    // Errors of 100 draws have an error of 7 %, and those of 300 runs have an error of 4 %. The
    // squares of the errors have twice these errors.
    EXPECT_NEAR(square, 1, 0.3) << name;
    EXPECT_NEAR(covered[name], 0.683, 3 * binomial_error(0.683, runs)) << name;
  }
}

TEST(Reweighting, CorrelatedSamplesAreWorthTheirAutocorrelationTime) {
  std::mt19937_64 random(3);
  // The autocorrelation time is tau = (1 + 0.8) / (1 - 0.8) / 2.
  const SystemCurves curves = reweighted(
      system_of({sampled(2.3, 8, 20000, 0.8, random), sampled(2.5, 8, 20000, 0, random)}),
      of_magnetisation(), {});
  EXPECT_NEAR(curves.states[0].autocorrelation_time, 4.5, 0.25);
  EXPECT_NEAR(curves.states[1].autocorrelation_time, 0.5, 0.05);
  EXPECT_EQ(curves.states[0].samples, 160000);
  // At the first temperature, the second state adds fewer samples than its nine times as many
  // samples suggest. If the states were equal, there would be 160000 (1 / 9 + 1) samples.
  EXPECT_LT(curves.effective_samples.front(), 160000 * (1.0 / 9 + 1));
  EXPECT_GT(curves.effective_samples.front(), 160000 * 0.6);
}

TEST(Reweighting, BlocksAreTwentyAutocorrelationTimesLong) {
  std::mt19937_64 random(12);
  ReweightOptions options;
  options.draws = 20;
  const auto blocks = [&](Index replicas, Index samples) {
    return reweighted(system_of({sampled(2.3, replicas, samples, 0.8, random)}), of_magnetisation(),
                      options)
        .states[0]
        .blocks;
  };
  // The measured time has an error of a tenth. The longer of the times of energy and m^2 counts.
  EXPECT_NEAR(static_cast<double>(blocks(1, 6000)), 6000 / (20 * 4.5), 20);
  // There are at least 20 and at most 128 blocks. If there are many replicas, blocks are whole
  // replicas.
  EXPECT_EQ(blocks(1, 600), 20);
  EXPECT_EQ(blocks(1, 30000), 128);
  EXPECT_EQ(blocks(40, 1000), 120);
  EXPECT_EQ(blocks(200, 100), 128);
}

TEST(Reweighting, OfOneStateIsTheSingleHistogram) {
  std::mt19937_64 random(4);
  const SampledState state = sampled(2.4, 4, 500, 0, random);
  ReweightOptions options;
  options.parameter = {2.2, 2.4, 2.7};
  options.draws = 20;
  const SystemCurves curves = reweighted(system_of({state}), of_magnetisation(), options);
  for (std::size_t t = 0; t < 3; ++t) {
    double total = 0, energy = 0, m2 = 0;
    for (std::size_t i = 0; i < state.energy.size(); ++i) {
      const double weight =
          std::exp(-(1 / options.parameter[t] - 1 / 2.4) * (state.energy[i] + 2 * sites));
      total += weight;
      energy += weight * state.energy[i];
      m2 += weight * state.series[0][i] * state.series[0][i];
    }
    EXPECT_NEAR(curve(curves, "energy").value[t], energy / total / sites, 1e-12);
    EXPECT_NEAR(curve(curves, "magnetisation_squared").value[t], m2 / total, 1e-12);
  }
}

TEST(Reweighting, CellsOfWidthHardlyDifferFromTheEnergiesThemselves) {
  // A gas of 30 harmonic degrees of freedom, whose order parameter is the energy per site.
  std::mt19937_64 random(5);
  std::gamma_distribution<double> gamma(15, 1.0);
  SampledState state{"test", 1, 1.0, 1.0, 4, {}, {{}}};
  for (std::size_t i = 0; i < 3 * most_cells; ++i) {
    state.energy.push_back(gamma(random));
    state.series[0].push_back(state.energy.back() / sites);
  }
  ReweightOptions options;
  options.parameter = {0.9, 1.1};
  options.draws = 20;
  const SystemCurves curves = reweighted(system_of({state}), of_magnetisation(), options);
  for (std::size_t t = 0; t < 2; ++t) {
    double total = 0, mean = 0, square = 0;
    for (const double E : state.energy) {
      const double weight = std::exp(-(1 / options.parameter[t] - 1) * E);
      total += weight;
      mean += weight * E;
      square += weight * E * E;
    }
    mean /= total;
    square /= total;
    const double T = options.parameter[t];
    const Curve& energy = curve(curves, "energy");
    EXPECT_NEAR(energy.value[t], mean / sites, 1e-3 * energy.error[t]);
    EXPECT_NEAR(curve(curves, "magnetisation").value[t], mean / sites, 1e-3 * energy.error[t]);
    const Curve& heat = curve(curves, "specific_heat");
    EXPECT_NEAR(heat.value[t], (square - mean * mean) / (T * T) / sites, 1e-3 * heat.error[t]);
  }
}

TEST(Reweighting, SlopesAreThoseOfTheCurves) {
  std::mt19937_64 random(6);
  ReweightOptions options;
  const double b = 0.42, step = 1e-4;
  options.parameter = {1 / (b - step), 1 / b, 1 / (b + step)};
  options.draws = 20;
  const SystemCurves curves =
      reweighted(system_of({sampled(2.3, 4, 1000, 0, random)}), of_magnetisation(), options);
  const auto slope = [&](const std::string& name, auto f) {
    const std::vector<double>& value = curve(curves, name).value;
    return (f(value[2]) - f(value[0])) / (2 * step);
  };
  const double of_binder = curve(curves, "binder_cumulant_slope").value[1];
  EXPECT_NEAR(slope("binder_cumulant", [](double x) { return x; }), of_binder,
              1e-5 * std::abs(of_binder));
  const double of_log = curve(curves, "magnetisation_log_slope").value[1];
  EXPECT_NEAR(slope("magnetisation_squared", [](double x) { return std::log(x); }), of_log,
              1e-5 * of_log);
}

TEST(Reweighting, SeriesKeepTheirMeansAndUnits) {
  std::mt19937_64 random(7);
  SampledState state = sampled(2.4, 4, 500, 0, random);
  state.series.emplace_back();
  for (const double E : state.energy) state.series[1].push_back(-E / sites);
  Samples samples = of_magnetisation();
  samples.series.push_back({"minus_energy", "eV"});
  ReweightOptions options;
  options.draws = 20;
  const SystemCurves curves = reweighted(system_of({state}), samples, options);
  const Curve& minus = curve(curves, "minus_energy");
  EXPECT_EQ(minus.unit, "eV");
  ASSERT_EQ(std::ssize(curves.parameter), usual_points);
  EXPECT_LT(curves.parameter.front(), 2.2);
  EXPECT_GT(curves.parameter.back(), 2.7);
  for (std::size_t t = 0; t < curves.parameter.size(); ++t) {
    EXPECT_NEAR(minus.value[t], -curve(curves, "energy").value[t], 1e-12);
    EXPECT_NEAR(minus.error[t], curve(curves, "energy").error[t], 1e-12);
  }
}

TEST(Reweighting, TheCorrelationLengthIsThatOfMeans) {
  std::mt19937_64 random(13);
  SampledState state = sampled(2.4, 4, 800, 0, random);
  state.series.emplace_back();
  // The structure factor of the samples follows the energy.
  for (const double E : state.energy) state.series[1].push_back(1.5 + E / (4 * sites));
  Samples samples = of_magnetisation();
  samples.series.push_back({"structure_factor", ""});
  samples.structure_factor = 1;
  SampledSystem system = system_of({state});
  system.size = {edge, edge, 1};
  system.dimensions = 2;
  ReweightOptions options;
  const double b = 0.42, step = 1e-4;
  options.parameter = {1 / (b - step), 1 / b, 1 / (b + step)};
  options.draws = 20;
  const SystemCurves curves = reweighted(system, samples, options);
  const std::vector<double>& length = curve(curves, "correlation_length_over_edge").value;
  for (std::size_t t = 0; t < 3; ++t) {
    const double ratio = sites * curve(curves, "magnetisation_squared").value[t] /
                         curve(curves, "structure_factor").value[t];
    // The smallest wave vector is k = 2 pi / 4.
    EXPECT_NEAR(length[t], std::sqrt(ratio - 1) / std::sqrt(2.0) / edge, 1e-12);
  }
  const double slope = curve(curves, "correlation_length_over_edge_slope").value[1];
  EXPECT_NEAR((length[2] - length[0]) / (2 * step), slope, 1e-5 * std::abs(slope));
  // If edges differ, there is no common length L.
  system.size = {edge / 2, 2 * edge, 1};
  EXPECT_EQ(reweighted(system, samples, options).curves.size(), curves.curves.size() - 2);
}

TEST(Reweighting, NoBitDependsOnThreads) {
  std::mt19937_64 random(8);
  const SampledSystem system =
      system_of({sampled(2.3, 4, 300, 0.5, random), sampled(2.5, 4, 300, 0.5, random)});
  ReweightOptions options;
  options.draws = 30;
  const SystemCurves one = reweighted(system, of_magnetisation(), options);
  options.threads = 3;
  const SystemCurves three_threads = reweighted(system, of_magnetisation(), options);
  options.seed = 2;
  const SystemCurves others = reweighted(system, of_magnetisation(), options);
  EXPECT_EQ(curve(one, "energy").draws, curve(three_threads, "energy").draws);
  EXPECT_NE(curve(one, "energy").draws, curve(others, "energy").draws);
  EXPECT_EQ(curve(one, "energy").value, curve(others, "energy").value);
}

/// The message of the error. It is empty if there is no error.
std::string refusal(const SampledSystem& system, const ReweightOptions& options) {
  try {
    reweighted(system, of_magnetisation(), options);
  } catch (const InputError& error) {
    return error.problem();
  }
  return "";
}

TEST(Reweighting, RefusesHistogramsThatDoNotOverlap) {
  std::mt19937_64 random(9);
  SampledState cold = sampled(2.0, 4, 300, 0, random), hot = sampled(2.0, 4, 300, 0, random);
  // These energies resemble those of a system a thousand times as large.
  for (double& E : cold.energy) E -= 5000;
  hot.parameter = 4;
  hot.b = 0.25;
  EXPECT_EQ(refusal(system_of({cold, hot}), {}),
            "the energies sampled at the temperatures 2 and 4 of test do not overlap");
}

TEST(Reweighting, RefusesTemperaturesThatSamplesDoNotReach) {
  std::mt19937_64 random(10);
  const SampledSystem system = system_of({sampled(50, 4, 300, 0, random)});
  ReweightOptions options;
  options.parameter = {40, 1};
  EXPECT_EQ(refusal(system, options), "samples at the temperatures 50 to 50 do not reach 1");
}

TEST(Reweighting, FewSamplesAreNotReliable) {
  std::mt19937_64 random(11);
  ReweightOptions options;
  options.draws = 20;
  const SystemCurves few =
      reweighted(system_of({sampled(2.4, 1, 60, 0.9, random)}), of_magnetisation(), options);
  for (const double reliable : few.reliable) EXPECT_EQ(reliable, 0);
}

}  // namespace
}  // namespace larmor::study::reweighting_tests
