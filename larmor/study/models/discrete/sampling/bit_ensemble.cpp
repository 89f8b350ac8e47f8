#include <utility>

#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/study/models/discrete/sampling/discrete_ensembles.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"

namespace larmor::study {
namespace {

class BitEnsemble : public Ensemble {
 public:
  BitEnsemble(DiscreteSystem& system, ising::Rule rule, std::uint64_t seed)
      : system_(system),
        seed_(seed),
        order_(order_of(system.tables)),
        bits_(system.bit_lattice(rule, seed)),
        J_(strength_of(system.tables)),
        beta_(system.device, system.replicas.count) {}

  const OrderParameter& order_parameter() const override { return order_; }
  double begin_at_infinite_temperature() override {
    system_.randomise(seed_);
    return log_states(system_);
  }
  void copy_replicas(std::span<const ReplicaCopy> copies) override { bits_.copy_replicas(copies); }
  io::DataArray configuration(Index replica) const override {
    return system_.configuration(replica);
  }

  void move_isoenergetically(std::span<const CopiesToMove> pairs) override {
    system_.move_isoenergetically(pairs);
  }

  void set_temperatures(const std::vector<double>& thermal_energy) override {
    std::vector<double> beta;
    for (const double kT : thermal_energy) beta.push_back(1 / kT);
    beta_.copy_from(beta);
    beta_is_new_ = true;
  }
  void run(Index sweeps) override {
    if (std::exchange(beta_is_new_, false)) {
      std::vector<double> thermal_energy;
      for (const double beta : beta_.to_host()) thermal_energy.push_back(1 / beta);
      bits_.set_temperatures(thermal_energy);
    }
    bits_.sweep(sweeps, system_.step);
  }
  bool tune(Index sweeps) override {
    run(sweeps);
    return true;
  }
  void reset_acceptance() override {}
  std::vector<SamplerNumber> sampler_numbers() const override { return {}; }

  /// For each replica its energy, then the sum of its spins.
  std::vector<Pending> begin_measuring() const override {
    const ising::BitLattice::Sums sums = bits_.sums();
    std::vector<double> numbers;
    for (std::size_t r = 0; r < sums.bonds.size(); ++r) {
      numbers.push_back(energy(sums.bonds[r]));
      numbers.push_back(static_cast<double>(sums.spins[r]));
    }
    std::vector<Pending> parts;
    parts.emplace_back(std::move(numbers));
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    const auto N = static_cast<double>(system_.sites.count);
    EnsembleSample sample;
    for (std::size_t at = 0; at < numbers[0].size(); at += 2) {
      sample.energy.push_back(numbers[0][at] / N);
      sample.order.push_back(numbers[0][at + 1] / N);
    }
    return sample;
  }

  ExchangeView exchange_view() override {
    std::vector<double> energies;
    for (const std::int64_t sum : bits_.bond_sums()) energies.push_back(energy(sum));
    if (energy_.size() == 0) energy_ = Array<double>(system_.device, system_.replicas.count);
    energy_.copy_from(energies);
    ExchangeView view;
    view.energy = energy_.data();
    view.beta = beta_.data();
    beta_is_new_ = true;
    return view;
  }

  void save(StageMemory&, const Ranks&) const override {}
  void load(const StageMemory&, const Ranks&) override {}

 private:
  double energy(std::int64_t bond_sum) const { return -J_ * static_cast<double>(bond_sum); }

  DiscreteSystem& system_;
  std::uint64_t seed_;
  OrderParameter order_;
  ising::BitLattice& bits_;
  double J_;
  Array<double> beta_;  ///< [replicas]
  bool beta_is_new_ = true;
  Array<double> energy_;  ///< energies of exchange_view [replicas]; empty: no exchange
};

}  // namespace

std::unique_ptr<Ensemble> make_bit_ensemble(DiscreteSystem& system, ising::Rule rule,
                                            std::uint64_t seed) {
  return std::make_unique<BitEnsemble>(system, rule, seed);
}

StageBytes bytes_of_bit_ensemble(const DiscreteTables& tables, const DiscreteSites& sites,
                                 const Device& device, Index replicas) {
  const auto N = static_cast<double>(sites.count);
  StageBytes bytes;
  // During a change of the rule there is a second copy of the spins.
  bytes.device = N / 8 * static_cast<double>(replicas);
  if (device.backend != Backend::cpu) {
    bytes.device += ising::update_bytes_on_gpu(sites.count, replicas);
    return bytes;
  }
  // If rows are not multiples of vectors, a table has the places of words. Disorder needs the signs
  // of bonds.
  if (sites.grid.lengths[0] % 1024 != 0) bytes.device += N / 16;
  const double samples = couplings_differ(tables) ? static_cast<double>(replicas) : 1;
  if (tables.exchange.front().disorder > 0)
    bytes.device += N / 8 * static_cast<double>(std::ssize(sites.grid.lengths)) * samples;
  return bytes;
}

}  // namespace larmor::study
