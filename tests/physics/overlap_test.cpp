// Overlaps of copies in the stages `tempering` and `monte-carlo`, compared with all pairs of states
// of a small sample. The link overlap is also compared with the energy of samples with normal
// couplings.
// Rooms: overlaps, study

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "larmor/overlaps/copy_sums.hpp"
#include "study_test.hpp"

namespace larmor::overlap_tests {

using testing_support::sigmas_of_alpha;

constexpr int side = 4, sites = side * side;
constexpr unsigned states = 1u << sites;
const std::vector<double> ladder{0.9, 1.3, 1.8, 2.6};

struct GridBond {
  int i, j;
  double J;
};

TEST(OverlapSums, OfCountedOppositesAreThoseOfStates) {
  using namespace overlaps;
  CopyGraph graph;
  graph.sites = graph.spins = 12;
  for (std::int32_t i = 0; i < 12; ++i) graph.bonds.push_back({i, (i + 1) % 12});
  // The planes may also have unequal sizes.
  std::vector<double> position;
  for (Index i = 0; i < graph.sites; ++i) position.push_back(static_cast<double>(i * i % 5));
  graph.axes = {wave_axis(5, position),
                wave_axis(12, std::vector<double>(position.rbegin(), position.rend()))};
  const std::vector<std::uint8_t> a{0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1},
      b{0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1};
  const auto opposite = [&](std::size_t site) { return a[site] != b[site]; };
  OppositeCounts counts{};
  std::vector<std::int32_t> of_plane;
  for (const WaveAxis& axis : graph.axes) {
    const std::size_t first = of_plane.size();
    of_plane.resize(first + static_cast<std::size_t>(axis.planes()));
    for (std::size_t site = 0; site < axis.plane.size(); ++site)
      of_plane[first + static_cast<std::size_t>(axis.plane[site])] += opposite(site) ? 1 : 0;
  }
  for (std::size_t site = 0; site < a.size(); ++site) counts.spins += opposite(site) ? 1 : 0;
  for (const auto& [i, j] : graph.bonds)
    counts.bonds += opposite(static_cast<std::size_t>(i)) != opposite(static_cast<std::size_t>(j));
  counts.of_plane = of_plane.data();
  std::vector<double> expected(static_cast<std::size_t>(graph.numbers())), sums = expected;
  sum_states(graph, 2, a.data(), b.data(), expected.data());
  sum_opposites(graph, counts, sums.data());
  for (std::size_t n = 0; n < sums.size(); ++n) EXPECT_NEAR(sums[n], expected[n], 1e-14) << n;
}

/// A square with bonds of two strengths and both signs, in irregular order.
std::vector<GridBond> bonds_of_sample() {
  std::vector<GridBond> bonds;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int i = x + side * y;
      for (const int j : {(x + 1) % side + side * y, x + side * ((y + 1) % side)}) {
        const int n = static_cast<int>(bonds.size());
        bonds.push_back({i, j, n * n % 7 < 3 ? -1 : n % 3 == 0 ? 0.5 : 1});
      }
    }
  return bonds;
}

std::string tables_of_sample() {
  std::string tables = "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[4,4]\n";
  for (const GridBond& bond : bonds_of_sample())
    tables += "[[exchange]]\npairs=[[" + std::to_string(bond.i) + "," + std::to_string(bond.j) +
              "]]\nJ=" + std::to_string(bond.J) + "\n";
  return tables;
}

/// Replaces f(x) by the sum over x of (-1)^(x.y) f(x).
void transform(std::vector<double>& f) {
  for (std::size_t step = 1; step < f.size(); step *= 2)
    for (std::size_t block = 0; block < f.size(); block += 2 * step)
      for (std::size_t n = block; n < block + step; ++n) {
        const double a = f[n], b = f[n + step];
        f[n] = a + b;
        f[n + step] = a - b;
      }
}

/// The exact overlaps of two independent copies.
struct ExactCopies {
  std::vector<double> distribution = std::vector<double>(sites + 1);  ///< by number of equal sites
  double size = 0, square = 0, fourth = 0, link = 0, at_k = 0;

  explicit ExactCopies(double T) {
    const std::vector<GridBond> bonds = bonds_of_sample();
    std::vector<double> weight(states);
    double sum = 0;
    for (unsigned n = 0; n < states; ++n) {
      double energy = 0;
      for (const GridBond& bond : bonds)
        energy -= bond.J * ((n >> bond.i & 1) == (n >> bond.j & 1) ? 1 : -1);
      weight[n] = std::exp(-energy / T);
      sum += weight[n];
    }
    for (double& w : weight) w /= sum;
    // The probability that the copies differ at the sites of a mask. It is a convolution by XOR.
    transform(weight);
    for (double& w : weight) w *= w;
    transform(weight);
    for (unsigned mask = 0; mask < states; ++mask) {
      const double p = weight[mask] / states;
      const int differ = std::popcount(mask);
      const double q = 1 - 2.0 * differ / sites;
      distribution[static_cast<std::size_t>(sites - differ)] += p;
      size += p * std::abs(q);
      square += p * q * q;
      fourth += p * q * q * q * q;
      int equal = 0;
      for (const GridBond& bond : bonds) equal += (mask >> bond.i & 1) == (mask >> bond.j & 1);
      link += p * (2.0 * equal / static_cast<double>(bonds.size()) - 1);
      // The planes 0 to 3 across each axis have the factors 1, i, -1, -i.
      std::array<double, side> of_x{}, of_y{};
      for (int i = 0; i < sites; ++i) {
        const double product = mask >> i & 1 ? -1 : 1;
        of_x[static_cast<std::size_t>(i % side)] += product;
        of_y[static_cast<std::size_t>(i / side)] += product;
      }
      for (const auto& planes : {of_x, of_y})
        at_k += p / 2 * (std::pow(planes[0] - planes[2], 2) + std::pow(planes[1] - planes[3], 2)) /
                (sites * sites);
    }
  }
  double xi() const {
    return std::sqrt(square / at_k - 1) / (2 * std::sin(std::numbers::pi / side));
  }
  double binder() const { return (3 - fourth / (square * square)) / 2; }
};

class Overlaps : public testing_support::StudyTest {
 protected:
  struct Numbers {
    std::vector<double> value, error;
  };
  static Numbers numbers(const io::ResultsReader& results, const std::string& stage,
                         const std::string& name) {
    const std::string path = "/stages/01-" + stage + "/overlap/" + name;
    return {results.read<double>(path + "/value"), results.read<double>(path + "/error")};
  }
  static void expect(const Numbers& measured, std::size_t n, double exact, double coarsest,
                     const std::string& name) {
    EXPECT_LT(std::abs(measured.value[n] - exact), sigmas_of_alpha * measured.error[n])
        << name << " " << n << ": " << measured.value[n] << " +- " << measured.error[n]
        << " against " << exact;
    EXPECT_LT(measured.error[n], coarsest) << name << ": too coarse to notice anything";
  }
  static void expect_exact(const io::ResultsReader& results, const std::string& stage) {
    for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
      const ExactCopies exact(ladder[rung]);
      const auto check = [&](const std::string& name, double value) {
        expect(numbers(results, stage, name), rung, value, 0.02 * std::max(1.0, value), name);
      };
      check("overlap", 0);
      check("overlap_size", exact.size);
      check("overlap_square", exact.square);
      check("overlap_binder", exact.binder());
      check("link_overlap", exact.link);
      check("spin_glass_susceptibility", sites * exact.square);
      check("spin_glass_susceptibility_at_k", sites * exact.at_k);
      check("spin_glass_correlation_length", exact.xi());
      check("correlation_length_ratio", exact.xi() / side);
      const Numbers distribution = numbers(results, stage, "distribution");
      for (std::size_t n = 0; n <= sites; ++n)
        expect(distribution, rung * (sites + 1) + n, exact.distribution[n] * sites / 2, 0.05,
               "P(q)");
    }
  }
};

TEST_F(Overlaps, OfCopiesOnALadderAreThoseOfAllPairsOfStates) {
  expect_exact(results_of("seed=3\nreplicas=160\n",
                          tables_of_sample() +
                              "[[stage]]\nkind='tempering'\ntemperature=[0.9, 1.3, 1.8, 2.6]\n"
                              "sampler='heat-bath'\nexchange_every=1\nthermalisation=200\n"
                              "sweeps=6000\nmeasure_every=3\nmeasure=['overlap']\n"),
               "tempering");
}

TEST_F(Overlaps, OfReplicasAtOneTemperatureAreThoseOfAllPairsOfStates) {
  expect_exact(results_of("seed=4\nreplicas=40\n",
                          tables_of_sample() +
                              "[[stage]]\nkind='monte-carlo'\ntemperature=[0.9, 1.3, 1.8, 2.6]\n"
                              "sampler='heat-bath'\nthermalisation=200\n"
                              "sweeps=10000\nmeasure_every=5\nmeasure=['overlap']\n"),
               "monte-carlo");
}

TEST_F(Overlaps, StayThoseOfAllPairsOfStatesWithIsoenergeticMoves) {
  expect_exact(results_of("seed=8\nreplicas=160\n",
                          tables_of_sample() +
                              "[[stage]]\nkind='tempering'\ntemperature=[0.9, 1.3, 1.8, 2.6]\n"
                              "sampler='heat-bath'\nexchange_every=4\nisoenergetic_every=1\n"
                              "thermalisation=200\nsweeps=8000\nmeasure_every=4\n"
                              "measure=['overlap']\n"),
               "tempering");
}

constexpr const char* normal_couplings =
    "[[exchange]]\nJ=0\ndisorder=1\ndisorder_by_replica=true\n";

/// Tests that the energy and its estimate from links agree in the last block and differ in the
/// first.
void expect_energies_meet(const io::ResultsReader& results, std::size_t rungs, double coarsest) {
  const auto block = [&](const std::string& name, const std::string& part) {
    return results.read<double>("/stages/01-tempering/overlap/blocks/" + name + "/" + part);
  };
  const std::vector<double> energy = block("energy", "value"), error = block("energy", "error"),
                            links = block("energy_from_links", "value"),
                            of_links = block("energy_from_links", "error");
  const std::size_t last = energy.size() - rungs;
  for (std::size_t rung = 0; rung < rungs; ++rung) {
    const double sigma = std::hypot(error[last + rung], of_links[last + rung]);
    EXPECT_LT(std::abs(energy[last + rung] - links[last + rung]), sigmas_of_alpha * sigma);
    EXPECT_LT(sigma, coarsest) << "too coarse to notice anything";
  }
  EXPECT_GT(energy[0] - links[0], 0.2) << "after a sweep";
}

using OverlapsInDepth = Overlaps;

TEST_F(OverlapsInDepth, TellTheEnergyOfIsingSpinsWithNormalCouplings) {
  expect_energies_meet(
      results_of("seed=5\nreplicas=3200\nsamples=400\n",
                 std::string("[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[4,4]\n") +
                     normal_couplings +
                     "shell=1\n"
                     "[[stage]]\nkind='tempering'\ntemperature=[0.6, 0.9, 1.3, 1.9]\n"
                     "sampler='heat-bath'\nexchange_every=1\nthermalisation=0\nsweeps=512\n"
                     "measure_every=1\nmeasure=['overlap']\n"),
      4, 0.03);
}

TEST_F(Overlaps, TellTheEnergyOfTheSherringtonKirkpatrickModel) {
  expect_energies_meet(
      results_of("seed=6\nreplicas=1200\nsamples=200\n",
                 "[model]\nkind='ising'\n[lattice]\nsites=16\n"
                 "[[exchange]]\nall_pairs=true\nJ=0\ndisorder=0.25\ndisorder_by_replica=true\n"
                 "[[stage]]\nkind='tempering'\ntemperature=[0.4, 0.7, 1.1]\n"
                 "sampler='heat-bath'\nexchange_every=1\nthermalisation=0\nsweeps=512\n"
                 "measure_every=1\nmeasure=['overlap']\n"),
      3, 0.02);
}

TEST_F(Overlaps, TellTheEnergyOfVectorSpinsWithNormalCouplings) {
  expect_energies_meet(
      results_of("seed=7\nreplicas=1600\nsamples=200\n",
                 std::string("[lattice]\ntype='square'\nsize=[4,4]\n") + normal_couplings +
                     "shell=1\n"
                     "[[stage]]\nkind='tempering'\ntemperature=[0.3, 0.45, 0.65, 0.9]\n"
                     "sampler='heat-bath'\nexchange_every=1\nthermalisation=0\nsweeps=512\n"
                     "measure_every=1\nmeasure=['overlap']\n"),
      4, 0.02);
}

}  // namespace larmor::overlap_tests
