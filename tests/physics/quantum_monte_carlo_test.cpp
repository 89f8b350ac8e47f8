// The stage quantum-monte-carlo against exact averages of its slices, in units of its own errors.
// Rooms: trotter, study

#include <fmt/core.h>

#include "study_test.hpp"
#include "tests/trotter_exact.hpp"
#include "tests/trotter_means.hpp"

namespace larmor::quantum_monte_carlo_tests {

using namespace larmor::trotter;
using namespace larmor::testing_support;

/// Each second slice is a time of the correlations.
constexpr Index sites = 4, slices = 16, times = 5;
const std::vector<double> temperatures{0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0};

/// Frustrated bonds; all couplings and fields differ.
SystemGraph graph_of_study() { return {sites, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}}}; }
Instance instance_of_study(double beta) {
  return {beta, {0.7, -0.9, 0.5, 0.8, -0.4}, {1.0, 0.6, 0.8, 1.2}, {0.3, 0.2, 0.4, 0.0}};
}

std::string model_of_study() {
  const SystemGraph graph = graph_of_study();
  const Instance instance = instance_of_study(1);
  std::string tables = fmt::format("[model]\nkind = 'quantum'\n[lattice]\nsites = {}\n", sites);
  for (std::size_t b = 0; b < graph.bonds.size(); ++b)
    tables += fmt::format("[[exchange]]\npairs = [[{}, {}]]\nJ = {}\n", graph.bonds[b].i,
                          graph.bonds[b].j, instance.J[b]);
  const auto list = [](const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) text += fmt::format("{}, ", number);
    return "[" + text + "]";
  };
  return tables + "[field]\nGamma_by_site = " + list(instance.Gamma) +
         "\nh_by_site = " + list(instance.h) +
         "\n[[stage]]\nkind = 'quantum-monte-carlo'\ntemperature = " + list(temperatures) +
         fmt::format("\nslices = {}\nimaginary_times = {}\ncorrelations = true\n", slices, times);
}

class QuantumMonteCarlo : public StudyTest {
 protected:
  /// Compares all averages of a run with exact ones.
  Distances compared(const std::string& keys, const std::string& stage) {
    const io::ResultsReader results = results_of(keys, model_of_study() + stage);
    Distances distances;
    for (std::size_t t = 0; t < temperatures.size(); ++t) compare(results, t, distances);
    return distances;
  }

 private:
  void compare(const io::ResultsReader& results, std::size_t t, Distances& distances) {
    const SystemGraph graph = graph_of_study();
    const Instance instance = instance_of_study(1 / temperatures[t]);
    const ExactTrotter exact = exact_trotter(graph, instance, slices);
    const TrotterMatrix matrix(graph, instance, slices);
    const auto add = [&](const std::string& name, const std::vector<double>& expected) {
      const std::string path = "stages/01-quantum-monte-carlo/" + name;
      const auto values = results.read<double>(path),
                 errors = results.read<double>(path + "_error");
      ASSERT_EQ(values.size(), expected.size() * temperatures.size());
      for (std::size_t n = 0; n < expected.size(); ++n) {
        const std::size_t at = t * expected.size() + n;
        distances.add(fmt::format("{} {} at T = {}", name, n, temperatures[t]), values[at],
                      errors[at], expected[n]);
      }
    };
    const double N = sites;
    const double m = matrix.mean([&](Index x) { return matrix.magnetisation(x); });
    add("energy", {exact.energy / N});
    add("specific_heat", {exact.specific_heat / N});
    add("susceptibility", {exact.chi_zz - instance.beta * N * m * m});
    add("absolute_magnetisation",
        {matrix.mean([&](Index x) { return std::abs(matrix.magnetisation(x)); })});
    add("magnetisation_squared", {exact.m2});
    add("magnetisation_4", {exact.m4});
    add("binder", {binder_cumulant(exact.m2, exact.m4)});
    add("sx", exact.sx);
    add("sz", exact.sz);
    std::vector<double> pairs;
    for (Index i = 0; i < sites; ++i)
      for (Index j = 0; j < sites; ++j)
        pairs.push_back(matrix.mean(
            [&](Index x) { return TrotterMatrix::spin(x, i) * TrotterMatrix::spin(x, j); }));
    add("szsz", pairs);
    std::vector<double> G, G_local;
    for (std::size_t k = 0; k < exact.G.size(); k += 2) {
      G.push_back(exact.G[k]);
      G_local.push_back(exact.G_local[k]);
    }
    add("time_correlation", G);
    add("local_time_correlation", G_local);
  }
};

TEST_F(QuantumMonteCarlo, OfLinesAgreesWithExactAverages) {
  const Distances distances =
      compared("replicas = 6\n",
               "sweeps = 6000\nthermalisation = 100\ntempering = true\nexchange_every = 3\n");
  EXPECT_LT(distances.largest(), 5) << distances.text();
  EXPECT_GT(distances.mean_square(), 0.6) << distances.text();
  EXPECT_LT(distances.mean_square(), 1.6) << distances.text();
}

TEST_F(QuantumMonteCarlo, HasErrorsOfCorrelatedSeries) {
  // A measurement after each sweep of single spins: the samples are correlated for several blocks.
  const Distances distances = compared("replicas = 2\n",
                                       "updates = 'metropolis'\nmeasure_every = 1\n"
                                       "sweeps = 2000\nthermalisation = 200\n");
  EXPECT_LT(distances.largest(), 6) << distances.text();
  EXPECT_GT(distances.mean_square(), 0.5) << distances.text();
  EXPECT_LT(distances.mean_square(), 1.9) << distances.text();
}

}  // namespace larmor::quantum_monte_carlo_tests
