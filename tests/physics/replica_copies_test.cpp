// Replicas that become copies of other replicas, with the tuned values of the sampler. Afterwards
// the copies continue independently.
// Rooms: ising, phi4, spins, study

#include <gtest/gtest.h>

#include <functional>

#include "larmor/study/models/discrete/sampling/discrete_sampling.hpp"
#include "larmor/study/models/phi4/sampling/phi4_sampling.hpp"
#include "larmor/study/models/spins/sampling/spin_sampling.hpp"
#include "larmor/study/sampling/monte_carlo_table.hpp"
#include "test_system.hpp"
#include "tests/gaussian_field/gaussian_field.hpp"
#include "tests/named.hpp"

namespace larmor::replica_copies_tests {

using namespace larmor::study;
using testing_support::Named;
using testing_support::test_device;

constexpr Index replicas = 19;

/// A system in which each replica has its own temperature.
struct Matter {
  std::string tables;
  std::function<std::unique_ptr<SamplerChoice>(const Study&)> sampling;
  bool is_on_cpu = false;  ///< also if other tests use a GPU
};

class Replicas {
 public:
  explicit Replicas(const Matter& model_kind)
      : study_(parse_study(
            "replicas=19\n" + model_kind.tables + "[[stage]]\nkind='monte-carlo'\nsweeps=10\n" +
                (model_kind.tables.find("phi4") == std::string::npos ? "temperature=1\n" : ""),
            "test", "")),
        ranks_(study_.replicas),
        system_(study_.tables->blueprint()->make(
            {model_kind.is_on_cpu ? Device::cpu(2) : test_device(2), ranks_.share(), nullptr})) {
    system_->begin(study_);
    ensemble = model_kind.sampling(study_)->make({study_, *system_, ranks_});
    std::vector<double> thermal_energy;
    for (Index r = 0; r < replicas; ++r)
      thermal_energy.push_back(1.0 + 0.2 * static_cast<double>(r));
    ensemble->set_temperatures(thermal_energy);
    for (int round = 0; round < 6; ++round) ensemble->tune(5);
  }

  std::vector<std::vector<double>> configurations() const {
    std::vector<std::vector<double>> all;
    for (Index r = 0; r < replicas; ++r)
      all.push_back(ensemble->configuration(r).convert<double>());
    return all;
  }
  /// The configurations that the system reports.
  std::vector<double> listed() const {
    return system_->configurations(replicas, ranks_).convert<double>();
  }
  /// The tuned values of each replica: all numbers of a sampler, except its counts.
  std::vector<std::vector<double>> tuned() const {
    std::vector<std::vector<double>> all;
    for (const SamplerNumber& number : ensemble->sampler_numbers())
      if (number.name != "acceptance" && number.name != "sweeps_counted")
        all.push_back(number.values);
    return all;
  }
  std::vector<double> energies() const {
    std::vector<std::vector<double>> numbers;
    for (Pending& part : ensemble->begin_measuring()) numbers.push_back(part.take());
    return ensemble->finish_measuring(std::move(numbers)).energy;
  }

 private:
  Study study_;
  Ranks ranks_;
  std::unique_ptr<larmor::study::System> system_;

 public:
  std::unique_ptr<Ensemble> ensemble;
};

class ReplicaCopies : public testing::TestWithParam<Named<Matter>> {};

TEST_P(ReplicaCopies, AreCopiesWithWhatIsTunedAndGoOnAlone) {
  const Replicas all(GetParam().value);
  const auto states = all.configurations();
  const auto tuned = all.tuned();
  const std::vector<double> energies = all.energies();
  EXPECT_NE(states[15], states[17]);
  for (const std::vector<double>& number : tuned) EXPECT_NE(number[0], number[15]);
  // Copies go within a block of eight, between blocks, and from one replica to several.
  std::vector<Index> source(replicas);
  for (std::size_t r = 0; r < source.size(); ++r) source[r] = static_cast<Index>(r);
  source[0] = 15;
  source[17] = 15;
  source[9] = 8;
  source[2] = 18;
  all.ensemble->copy_replicas(copies_of(source));
  const auto copied = all.configurations();
  const auto copied_tuned = all.tuned();
  const std::vector<double> measured = all.energies();
  for (std::size_t r = 0; r < source.size(); ++r) {
    const auto from = static_cast<std::size_t>(source[r]);
    EXPECT_EQ(copied[r], states[from]) << r;
    EXPECT_NEAR(measured[r], energies[from], 1e-14) << r;
    for (std::size_t n = 0; n < tuned.size(); ++n)
      EXPECT_EQ(copied_tuned[n][r], tuned[n][from]) << r;
  }
  std::vector<double> listed;
  for (const auto& one : copied) listed.insert(listed.end(), one.begin(), one.end());
  EXPECT_EQ(all.listed(), listed);
  all.ensemble->run(3);
  const auto later = all.configurations();
  EXPECT_NE(later[0], later[15]);
  EXPECT_NE(later[17], later[15]);
}

template <class Keys>
std::function<Keys()> sampler(const char* name) {
  return [name] {
    Keys keys;
    keys.sampler = name;
    return keys;
  };
}

Matter spins(const char* name) {
  return {"[lattice]\ntype='square'\nsize=[5,3]\n[[exchange]]\nshell=1\nJ=1\n",
          [keys = sampler<SpinSamplerKeys>(name)](const Study& study) {
            return SpinSampling::sampler(keys(), study.context);
          }};
}

Matter discrete(const std::string& kind, const std::string& lattice, const char* name) {
  return {"[model]\nkind='" + kind + "'\n[lattice]\n" + lattice + "\n[[exchange]]\nshell=1\nJ=1\n",
          [keys = sampler<DiscreteSamplerKeys>(name)](const Study& study) {
            return DiscreteSampling::sampler(keys(), study.context);
          }};
}

Matter fields(const char* name) {
  return {
      "[model]\nkind='phi4'\n[lattice]\nsize=[6,4]\n[phi4]\ncomponents=2\nkappa=0.2\nlambda=1\n",
      [keys = sampler<MonteCarloTable<Phi4Sampling>>(name)](const Study& study) {
        return Phi4Sampling::sampler(keys(), study.context);
      }};
}

Matter gaussian_fields() {
  static const testing_support::GaussianField field;
  static const bool is_known = (add_model_kind(field), true);
  static_cast<void>(is_known);
  return {"[model]\nkind='gaussian-field'\n[ring]\nsites=6\n[stiffness]\nmass=0.8\nK=0.5\n",
          [](const Study&) { return testing_support::GaussianField::sampler(); }, true};
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ReplicaCopies,
    testing::Values(Named<Matter>{"spins", spins("metropolis")},
                    Named<Matter>{"spin_clusters", spins("swendsen-wang")},
                    Named<Matter>{"ising", discrete("ising", "grid=[7,6]", "metropolis")},
                    Named<Matter>{"potts", discrete("potts", "grid=[5,5]", "heat-bath")},
                    Named<Matter>{"bits", discrete("ising", "grid=[64,4]", "metropolis")},
                    Named<Matter>{"clusters", discrete("ising", "grid=[7,6]", "swendsen-wang")},
                    Named<Matter>{"phi4", fields("metropolis")},
                    Named<Matter>{"gaussian_field", gaussian_fields()}),
    testing_support::by_name);

}  // namespace larmor::replica_copies_tests
