// Studies of Ising spins that are stored as bits, and of grids with four axes.
// Rooms: ising, study

#include <gtest/gtest.h>

#include <algorithm>

#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/multispin/grid/bond_signs.hpp"
#include "larmor/ising/torus.hpp"
#include "small_models.hpp"

namespace larmor::bit_sampling_tests {
namespace {

using namespace testing_support;

using BitSampling = DiscreteModels;
using BitSamplingInDepth = DiscreteModels;

/// Counts states of strips by the sum over bonds of s s' and the sum of s. It adds columns one by
/// one, for each first and last column. Bonds join neighbours around the first axis and along the
/// second axis.
class Strip {
 public:
  Strip(int length, int width)
      : sites_(length * width),
        bonds_(length * width + length * (width - 1)),
        columns_(1 << width),
        width_(width) {
    std::vector<double> states(size());
    for (int first = 0; first < columns_; ++first)
      at(states, first, first, inner(first), moment(first)) = 1;
    for (int x = 1; x < length; ++x) {
      std::vector<double> longer(size());
      for (int first = 0; first < columns_; ++first)
        for (int last = 0; last < columns_; ++last)
          for (int sum = -bonds_; sum <= bonds_; ++sum)
            for (int m = -sites_; m <= sites_; ++m) {
              const double count = at(states, first, last, sum, m);
              if (count == 0) continue;
              for (int next = 0; next < columns_; ++next)
                at(longer, first, next, sum + inner(next) + between(last, next),
                   m + moment(next)) += count;
            }
      states = std::move(longer);
    }
    total_.assign(static_cast<std::size_t>((2 * bonds_ + 1) * (2 * sites_ + 1)), 0);
    for (int first = 0; first < columns_; ++first)
      for (int last = 0; last < columns_; ++last)
        for (int sum = -bonds_; sum <= bonds_; ++sum)
          for (int m = -sites_; m <= sites_; ++m) {
            const double count = at(states, first, last, sum, m);
            if (count > 0) total_[place(sum + between(last, first), m)] += count;
          }
  }

  std::map<std::string, double> averages(double T) const {
    double Z = 0, e = 0, e2 = 0, m = 0, m2 = 0, m4 = 0;
    for (int sum = -bonds_; sum <= bonds_; ++sum)
      for (int spins = -sites_; spins <= sites_; ++spins) {
        const double energy = -sum, order = std::abs(spins) / static_cast<double>(sites_);
        const double weight = total_[place(sum, spins)] * std::exp((sum - bonds_) / T);
        Z += weight, e += weight * energy, e2 += weight * energy * energy;
        m += weight * order, m2 += weight * std::pow(order, 2), m4 += weight * std::pow(order, 4);
      }
    e /= Z, e2 /= Z, m /= Z, m2 /= Z, m4 /= Z;
    return {{"energy", e / sites_},
            {"magnetisation", m},
            {"specific_heat", (e2 - e * e) / (sites_ * T * T)},
            {"susceptibility", sites_ * (m2 - m * m) / T},
            {"binder_cumulant", 1 - m4 / (3 * m2 * m2)}};
  }

 private:
  static int spin(int column, int y) { return (column >> y & 1) != 0 ? -1 : 1; }
  int moment(int column) const {
    int sum = 0;
    for (int y = 0; y < width_; ++y) sum += spin(column, y);
    return sum;
  }
  int inner(int column) const {
    int sum = 0;
    for (int y = 0; y + 1 < width_; ++y) sum += spin(column, y) * spin(column, y + 1);
    return sum;
  }
  int between(int a, int b) const {
    int sum = 0;
    for (int y = 0; y < width_; ++y) sum += spin(a, y) * spin(b, y);
    return sum;
  }
  std::size_t place(int sum, int m) const {
    return static_cast<std::size_t>((sum + bonds_) * (2 * sites_ + 1) + m + sites_);
  }
  std::size_t size() const {
    return static_cast<std::size_t>(columns_ * columns_ * (2 * bonds_ + 1) * (2 * sites_ + 1));
  }
  double& at(std::vector<double>& states, int first, int last, int sum, int m) const {
    return states[static_cast<std::size_t>(first * columns_ + last) *
                      static_cast<std::size_t>((2 * bonds_ + 1) * (2 * sites_ + 1)) +
                  place(sum, m)];
  }

  int sites_, bonds_, columns_, width_;
  std::vector<double> total_;
};

TEST_F(BitSamplingInDepth, AveragesOfStripsAreTheExact) {
  std::vector<double> all;
  for (const int width : {1, 2}) {
    const Strip strip(64, width);
    const std::string size = width == 1 ? "grid=[64]\n" : "grid=[64,2]\nperiodic=[true,false]\n";
    for (const char* sampler : {"metropolis", "glauber", "heat-bath"}) {
      if (width == 1 && sampler == std::string("metropolis")) continue;
      for (const double T : {1.2, 2.5})
        for (const double pull :
             pulls("[model]\nkind='ising'\n[lattice]\n" + size + "[[exchange]]\nshell=1\nJ=1\n",
                   sampler, T, strip.averages(T), 256, 4000, "engine='bits'\n"))
          all.push_back(pull);
    }
  }
  expect_chi_square(all);
}

TEST_F(BitSampling, EnergyOfTheTorusIsKaufmans) {
  const double critical = 2 / std::log(1 + std::sqrt(2.0));
  struct Torus {
    double T;
    const char* sampler;
    int sweeps;
    double most_error;
  };
  for (const Torus& torus :
       {Torus{2.0, "heat-bath", 8000, 2e-4}, Torus{2.5, "metropolis", 12000, 2e-4},
        Torus{critical, "metropolis", 12000, 9e-4}}) {
    std::ostringstream tables;
    tables.precision(17);
    tables << "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[64,64]\n[[exchange]]\n"
           << "shell=1\nJ=1\n[initial]\nstate='aligned'\n[[stage]]\nkind='monte-carlo'\n"
           << "thermalisation=1000\nmeasure_every=4\ntemperature=" << torus.T
           << "\nsweeps=" << torus.sweeps << "\nengine='bits'\nsampler='" << torus.sampler << "'\n";
    const io::ResultsReader results = results_of("replicas=64\nseed=7\n", tables.str());
    const auto expect = [&](const std::string& name, double exact, double most_error) {
      const std::string at = "/stages/01-monte-carlo/averages/" + name;
      const double value = results.read<double>(at + "/value")[0];
      const double error = results.read<double>(at + "/error")[0];
      EXPECT_LT(std::abs(value - exact), 4 * error) << name << ", T = " << torus.T << ": " << value
                                                    << " +- " << error << ", exactly " << exact;
      EXPECT_LT(error, most_error) << name << ", T = " << torus.T;
    };
    expect("energy", ising::torus_energy(64, torus.T), torus.most_error);
    expect("specific_heat", ising::torus_specific_heat(64, torus.T), 0.1);
  }
}

TEST(BondSigns, AreThoseOfTheBits) {
  for (const std::vector<Index>& size :
       {std::vector<Index>{128}, {64, 6}, {64, 4, 6}, {128, 2, 4, 2}}) {
    ising::Couplings couplings{1, true, 5, {0, 9}};
    const ising::BitLattice bits({size, {}}, couplings, ReplicaShare(2), 1, Device::cpu(1),
                                 ising::Rule::glauber);
    const ising::BondSigns signs(size, 5);
    for (int axis = 0; axis < static_cast<int>(std::ssize(size)); ++axis)
      for (const Index replica : {0, 1}) {
        const std::vector<std::int8_t> stored = bits.bond_signs(replica, axis);
        for (Index site = 0; site < std::ssize(stored); ++site)
          ASSERT_EQ(signs(site, axis, replica == 0 ? 0 : 9), stored[static_cast<std::size_t>(site)])
              << site << ", axis " << axis << " of " << size.size();
      }
  }
}

TEST(BitLattice, TakesTheSpinsThatItGives) {
  ising::BitLattice bits({{64, 4, 2}, {}}, {}, ReplicaShare(3), 1, Device::cpu(1));
  bits.randomise(8);
  std::vector<std::int8_t> all;
  for (Index replica = 0; replica < 3; ++replica) {
    const std::vector<std::int8_t> spins = bits.spins(replica);
    all.insert(all.end(), spins.begin(), spins.end());
  }
  const std::vector<std::uint64_t> packed = bits.packed();
  bits.set_all(true);
  bits.set_spins(all);
  EXPECT_EQ(bits.packed(), packed);
  all.pop_back();
  EXPECT_THROW(bits.set_spins(all), InternalError);
}

/// All engines draw equal samples of +J and -J.
TEST_F(BitSampling, EveryEngineHasTheSameSamples) {
  constexpr Index replicas = 3;
  const ising::BondSigns signs({64, 4, 2}, 8);
  for (const bool by_replica : {true, false})
    for (const char* keys : {"engine='bits'", "engine='general'", "sampler='swendsen-wang'"}) {
      const std::string tables =
          "[model]\nkind='ising'\n[lattice]\ngrid=[64,4,2]\nperiodic=[true,true,false]\n"
          "[[exchange]]\nshell=1\nJ=0\ndisorder=0.5\ndisorder_distribution='bimodal'\n"
          "disorder_seed=8\ndisorder_by_replica=" +
          std::string(by_replica ? "true" : "false") +
          "\n[[stage]]\nkind='monte-carlo'\ntemperature=0.7\nthermalisation=0\nsweeps=5\n"
          "measure_every=5\nkeep_configurations=3\n" +
          keys + "\n";
      const io::ResultsReader results = results_of("replicas=3\nseed=4\n", tables);
      const std::vector<double> s = results.read<double>("/stages/01-monte-carlo/configuration");
      const std::vector<double> energy =
          results.read<double>("/stages/01-monte-carlo/series/energy/value");
      for (Index replica = 0; replica < replicas; ++replica) {
        const double* const spins = s.data() + 512 * replica;
        double sum = 0;
        for (Index site = 0; site < 512; ++site) {
          const Index x = site % 64, y = site / 64 % 4, z = site / 256;
          const std::array<Index, 3> next{site + (x + 1) % 64 - x, site + 64 * ((y + 1) % 4 - y),
                                          z == 0 ? site + 256 : -1};
          for (int axis = 0; axis < 3; ++axis)
            if (next[static_cast<std::size_t>(axis)] >= 0)
              sum -= 0.5 * signs(site, axis, by_replica ? static_cast<std::uint64_t>(replica) : 0) *
                     spins[site] * spins[next[static_cast<std::size_t>(axis)]];
        }
        EXPECT_DOUBLE_EQ(energy[static_cast<std::size_t>(replica)], sum / 512)
            << replica << ", " << keys;
      }
    }
}

/// Spins keep their values between stages, whether they are stored as bits or not.
TEST_F(BitSampling, StagesHandOnTheSpinsInEveryForm) {
  std::string tables =
      "[model]\nkind='ising'\n[lattice]\ngrid=[64,2]\n[[exchange]]\nshell=1\nJ=1\n";
  const auto stage = [](const std::string& keys, double T) {
    return "[[stage]]\nkind='monte-carlo'\nthermalisation=0\nsweeps=1\nmeasure_every=1\n"
           "temperature=" +
           std::to_string(T) + "\n" + keys + "\n";
  };
  // The temperature is so low that domain walls do not move.
  const std::vector<std::string> forms{"engine='bits'", "engine='general'", "engine='bits'",
                                       "engine='bits'\nsampler='glauber'", "engine='general'"};
  tables +=
      "[[stage]]\nkind='monte-carlo'\ntemperature=1.5\nthermalisation=0\nsweeps=30\n"
      "measure_every=1\nsampler='heat-bath'\n";
  for (const std::string& form : forms) tables += stage(form, 1e-3);
  const io::ResultsReader results = results_of("replicas=5\nseed=2\n", tables);
  const auto energies = [&](const std::string& name) {
    std::vector<double> series = results.read<double>("/stages/" + name + "/series/energy/value");
    return std::vector<double>(series.end() - 5, series.end());
  };
  std::vector<double> before = energies("01-monte-carlo");
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const std::vector<double> after = energies("0" + std::to_string(n + 2) + "-monte-carlo");
    for (std::size_t r = 0; r < 5; ++r) {
      EXPECT_LE(after[r], before[r] + 1e-12) << forms[n];
      EXPECT_LT(after[r], -0.5) << "states were made anew";
    }
    EXPECT_GT(*std::max_element(after.begin(), after.end()), -1.99) << "all spins are aligned";
    before = after;
  }
}

TEST_F(BitSampling, AveragesOfAGridOfFourAxesAreTheEnumerated) {
  const std::string tables =
      "[model]\nkind='ising'\n[lattice]\ngrid=[2,2,2,2]\n[[exchange]]\nshell=1\nJ=0.5\n";
  SmallModel model = periodic_grid({2, 2, 2, 2}, 2, true);
  for (CoupledPair& bond : model.bonds) bond.J = 0.5;
  std::vector<double> all;
  for (const char* sampler : {"metropolis", "heat-bath", "swendsen-wang"})
    for (const double pull : pulls(tables, sampler, 6, model, 256, 1000)) all.push_back(pull);
  expect_chi_square(all);
}

/// Results of spins that are stored as bits, compared with results of cluster updates.
TEST_F(BitSampling, BitsOfFourAxesHaveTheEnergyOfClusters) {
  std::array<double, 2> value{}, error{};
  const std::array<const char*, 2> keys{"engine='bits'", "sampler='swendsen-wang'"};
  for (std::size_t n = 0; n < 2; ++n) {
    const io::ResultsReader results = results_of(
        "replicas=16\nseed=5\n",
        "[model]\nkind='ising'\n[lattice]\ngrid=[64,4,2,4]\nperiodic=[true,true,false,true]\n"
        "[[exchange]]\nshell=1\nJ=1\n[[stage]]\nkind='monte-carlo'\ntemperature=6.5\n"
        "thermalisation=200\nsweeps=1000\nmeasure_every=2\n" +
            std::string(keys[n]) + "\n");
    value[n] = results.read<double>("/stages/01-monte-carlo/averages/energy/value")[0];
    error[n] = results.read<double>("/stages/01-monte-carlo/averages/energy/error")[0];
    EXPECT_LT(error[n], 2e-3);
  }
  EXPECT_LT(std::abs(value[0] - value[1]), 4 * std::hypot(error[0], error[1]));
}

}  // namespace
}  // namespace larmor::bit_sampling_tests
