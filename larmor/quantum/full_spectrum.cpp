#include "larmor/quantum/full_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::quantum {
namespace {

using Vectors = Eigen::Map<const Eigen::MatrixXd>;

/// Calls body(index, word) for all states.
template <class Body>
void for_states(const SpaceView& view, const std::vector<Index>& low_words, const Body& body) {
  for (Index high = 0; high < view.highs(); ++high) {
    const Index states = view.states_of(high);
    const Index first = states > 0 ? view.first_of(high) : 0;
    for (Index r = 0; r < states; ++r)
      body(view.begin_of(high) + r,
           high << view.low_bits | low_words[static_cast<std::size_t>(first + r)]);
  }
}

Eigen::MatrixXd dense_matrix(const SpinModel& model, const StateSpace& space) {
  const SpaceView& view = space.view();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(space.states(), space.states());
  const auto add = [&](Index column, Index word, double element) {
    const SpaceView::Place place = view.find(word);
    H(place.index, column) += element * place.sign;
  };
  for_states(view, space.low_words(), [&](Index index, Index word) {
    H(index, index) += model.energy(word);
    for (int i = 0; i < model.sites; ++i)
      if (const double Gamma = model.Gamma[static_cast<std::size_t>(i)]; Gamma != 0)
        add(index, word ^ Index{1} << i, -Gamma);
    for (const SpinBond& bond : model.bonds) {
      const Index pair = Index{1} << bond.i | Index{1} << bond.j;
      if (bond.Jxy != 0 && bond.i != bond.j && count_up(word & pair) == 1)
        add(index, word ^ pair, -2 * bond.Jxy);
    }
  });
  return H;
}

/// (e^(-beta a) - e^(-beta b)) / (b - a).
double kubo_weight(double beta, double a, double b) {
  const double difference = std::abs(b - a), lower = std::exp(-beta * std::min(a, b));
  return difference * beta < 1e-12 ? lower * beta
                                   : -lower * std::expm1(-beta * difference) / difference;
}

}  // namespace

FullSpectrum::FullSpectrum(const SpinModel& model, int threads)
    : model_(model), threads_(threads), sectors_(sectors_of(model)) {}

bool FullSpectrum::step() {
  // BITS: Eigen would divide products by the number of threads.
  static const bool one_thread_a_product = (Eigen::setNbThreads(1), true);
  static_cast<void>(one_thread_a_product);
  const Sector sector = sectors_[blocks_.size()];
  const StateSpace space(Device{}, model_, sector);
  const auto system = eigensystem(dense_matrix(model_, space));
  if (!system.converged) throw InternalError("a dense matrix has no converged eigenvalues");
  Block block;
  block.sector = sector;
  block.energies.assign(system.values.begin(), system.values.end());
  block.vectors.assign(system.vectors.data(), system.vectors.data() + system.vectors.size());
  const std::span<const double> all(block.vectors);
  const auto states = static_cast<std::size_t>(space.states());
  for (std::size_t n = 0; n < states && !space.view().has_magnetisation; ++n) {
    const transfer::Vector vector(Device::cpu(threads_), all.subspan(n * states, states));
    const std::vector<double> sx = ExpectationValues(model_, sector, vector).sx();
    block.sx.insert(block.sx.end(), sx.begin(), sx.end());
  }
  blocks_.push_back(std::move(block));
  if (blocks_.size() < sectors_.size()) return false;
  for (std::size_t n = 0; n < blocks_.size(); ++n) blocks_[n].M_squared = elements(n, -1);
  return true;
}

std::vector<FullSpectrum::Level> FullSpectrum::levels() const {
  std::vector<Level> levels;
  for (const Block& block : blocks_)
    for (const double energy : block.energies) levels.push_back({energy, block.sector});
  std::ranges::stable_sort(levels, {}, &Level::energy);
  return levels;
}

std::size_t FullSpectrum::partner(std::size_t block) const {
  const Sector::Kind kind = blocks_[block].sector.kind;
  return kind == Sector::Kind::even || kind == Sector::Kind::odd ? 1 - block : block;
}

std::vector<double> FullSpectrum::elements(std::size_t block, int site) const {
  const Block& from = blocks_[block];
  const Block& to = blocks_[partner(block)];
  const StateSpace space(Device{}, model_, from.sector);
  const Index states = space.states();
  Eigen::VectorXd sz(states);
  for_states(space.view(), space.low_words(), [&](Index index, Index word) {
    sz(index) = site < 0 ? 2 * count_up(word) - model_.sites : (word >> site & 1) != 0 ? 1 : -1;
  });
  const Vectors from_vectors(from.vectors.data(), states, states);
  const Vectors to_vectors(to.vectors.data(), states, states);
  const Eigen::MatrixXd squares =
      (to_vectors.transpose() * (sz.asDiagonal() * from_vectors)).array().square();
  return {squares.data(), squares.data() + squares.size()};
}

double FullSpectrum::lowest() const {
  double lowest = blocks_.front().energies.front();
  for (const Block& block : blocks_) lowest = std::min(lowest, block.energies.front());
  return lowest;
}

/// Z e^(beta E_0).
double FullSpectrum::weight_sum(double beta) const {
  const double E0 = lowest();
  double sum = 0;
  for (const Block& block : blocks_)
    for (const double energy : block.energies) sum += std::exp(-beta * (energy - E0));
  return sum;
}

ThermalAverages FullSpectrum::at(double beta) const {
  const double E0 = lowest(), Z = weight_sum(beta);
  const auto N = static_cast<std::size_t>(model_.sites);
  ThermalAverages found{};
  found.ln_Z = std::log(Z) - beta * E0;
  found.sx.resize(N);
  found.diagonal.sz.resize(N);
  found.diagonal.szsz.resize(N * N);
  double above = 0, square = 0;
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const Block& block = blocks_[n];
    const Block& other = blocks_[partner(n)];
    const auto states = static_cast<Index>(block.energies.size());
    Eigen::VectorXd probabilities = Eigen::VectorXd::Zero(states);
    const Vectors vectors(block.vectors.data(), states, states);
    for (std::size_t level = 0; level < block.energies.size(); ++level) {
      const double E = block.energies[level] - E0, p = std::exp(-beta * E) / Z;
      above += p * E;
      square += p * E * E;
      probabilities += p * vectors.col(static_cast<Index>(level)).cwiseAbs2();
      for (std::size_t i = 0; i < N && !block.sx.empty(); ++i)
        found.sx[i] += p * block.sx[level * N + i];
      for (std::size_t a = 0; a < other.energies.size(); ++a)
        found.susceptibility +=
            block.M_squared[level * other.energies.size() + a] *
            kubo_weight(beta, block.energies[level] - E0, other.energies[a] - E0) / Z;
    }
    const double weight = probabilities.sum();
    if (weight == 0) continue;
    const Eigen::VectorXd amplitudes = (probabilities / weight).cwiseSqrt();
    const transfer::Vector state(
        Device::cpu(threads_),
        std::span(amplitudes.data(), static_cast<std::size_t>(amplitudes.size())));
    const DiagonalAverages own = ExpectationValues(model_, block.sector, state).diagonal();
    for (std::size_t i = 0; i < N; ++i) found.diagonal.sz[i] += weight * own.sz[i];
    for (std::size_t i = 0; i < N * N; ++i) found.diagonal.szsz[i] += weight * own.szsz[i];
    found.diagonal.abs_m += weight * own.abs_m;
    found.diagonal.m2 += weight * own.m2;
    found.diagonal.m4 += weight * own.m4;
  }
  found.energy = E0 + above;
  found.specific_heat = beta * beta * (square - above * above);
  double M = 0;
  for (const double spin : found.diagonal.sz) M += spin;
  found.susceptibility = (found.susceptibility - beta * M * M) / model_.sites;
  return found;
}

std::vector<TimeCorrelations> FullSpectrum::in_time(double beta,
                                                    const std::vector<double>& fractions) {
  if (fractions.empty()) return {};
  const double E0 = lowest(), scale = weight_sum(beta) * model_.sites;
  std::vector<TimeCorrelations> found(fractions.size());
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    Block& block = blocks_[n];
    const Block& other = blocks_[partner(n)];
    if (block.local.empty()) {
      block.local.resize(block.M_squared.size());
      for (int site = 0; site < model_.sites; ++site) {
        const std::vector<double> of_site = elements(n, site);
        for (std::size_t k = 0; k < of_site.size(); ++k) block.local[k] += of_site[k];
      }
    }
    for (std::size_t k = 0; k < fractions.size(); ++k) {
      const double tau = fractions[k] * beta;
      for (std::size_t b = 0; b < block.energies.size(); ++b)
        for (std::size_t a = 0; a < other.energies.size(); ++a) {
          const std::size_t place = b * other.energies.size() + a;
          const double weight =
              std::exp(-(beta - tau) * (other.energies[a] - E0) - tau * (block.energies[b] - E0)) /
              scale;
          found[k].total += weight * block.M_squared[place];
          found[k].local += weight * block.local[place];
        }
    }
  }
  return found;
}

double FullSpectrum::largest_block(const SpinModel& model) {
  double largest = 0;
  for (const Sector& sector : sectors_of(model))
    largest = std::max(largest, StateSpace::states_of(model.sites, sector));
  return largest;
}

double FullSpectrum::bytes(const SpinModel& model) {
  double kept = 0;
  for (const Sector& sector : sectors_of(model))
    kept += std::pow(StateSpace::states_of(model.sites, sector), 2);
  // Vectors, elements of M and of the sz of sites; a matrix, its vectors and a copy at work.
  return 8 * (3 * kept + 3 * std::pow(largest_block(model), 2));
}

}  // namespace larmor::quantum
