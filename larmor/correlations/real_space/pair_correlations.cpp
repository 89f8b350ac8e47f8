#include "larmor/correlations/real_space/pair_correlations.hpp"

#include <limits>

#include "larmor/core/error.hpp"

namespace larmor::correlations::real_space {
namespace {

bool squares(const PairCorrelationsSettings& s) {
  return (s.spin_glass && s.q.size() > 0) || s.bins > 0;
}

bool squares_are_plain(const PairCorrelationsSettings& s) { return squares(s) && !s.connected; }

double over(double sum, double pairs) {
  return pairs > 0 ? sum / pairs : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

PairCorrelations::PairCorrelations(const lattice::Geometry& geometry,
                                   const PairCorrelationsSettings& settings,
                                   const spins::SpinState& state)
    : settings_(settings),
      sites_(state.layout().spins()),
      replicas_(state.layout().replicas),
      matrix_(state, settings.connected ? MatrixOf::centred : MatrixOf::spins) {
  if (replicas_ < 2 && (settings.connected || squares(settings)))
    throw InputError("connected correlations and squares of correlations need two replicas or more",
                     "set replicas = 2 or more");
  const Device& device = state.device();
  std::vector<Vec3<double>> position;
  std::vector<std::int32_t> group;
  for (Index n = 0; n < sites_; ++n) {
    const Index site = state.canonical()[static_cast<std::size_t>(n)];
    position.push_back(geometry.position(site));
    if (!settings.group.empty()) group.push_back(settings.group[static_cast<std::size_t>(site)]);
  }
  PairSettings plain;
  plain.sites = sites_;
  plain.numbers = matrix_.numbers();
  plain.precision = settings.precision;
  plain.ranks = settings.ranks;
  PairSettings square = plain, of_one = plain;
  square.squared = true;
  if (squares_are_plain(settings)) {
    quadrupoles_ = std::make_unique<SpinMatrix>(state, MatrixOf::quadrupoles);
    of_one.numbers = quadrupoles_->numbers();
  }
  const std::vector<Vec3<double>>& q = settings.q.cartesian;
  if (!q.empty() && settings.structure)
    structure_ = make_pair_fourier_sums(device, plain, q, position);
  if (!q.empty() && settings.spin_glass) {
    square_ = make_pair_fourier_sums(device, square, q, position);
    if (quadrupoles_) square_of_one_ = make_pair_fourier_sums(device, of_one, q, position);
  }
  // |sum_k a_k b_k| of unit vectors, centred or not: by Cauchy and Schwarz.
  const auto largest = static_cast<double>(replicas_);
  if (settings.bins > 0) {
    std::vector<Vec3<double>> periods;
    for (std::size_t d = 0; d < 3; ++d)
      if (geometry.periodic[d])
        periods.push_back(static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d]);
    const DistanceBins bins{settings.width, settings.bins, periods};
    distance_ = make_pair_distance_sums(device, plain, position, bins, largest);
    if (quadrupoles_)
      distance_of_one_ = make_pair_distance_sums(device, of_one, position, bins, largest);
  }
  if (settings.groups > 0) {
    groups_ = make_pair_group_sums(device, plain, group, settings.groups, largest);
    std::vector<double> members(static_cast<std::size_t>(settings.groups));
    for (const std::int32_t g : group) members[static_cast<std::size_t>(g)] += 1;
    for (const double a : members)
      for (const double b : members) pairs_of_groups_.push_back(a * b);
  }
}

double PairCorrelations::bytes(const lattice::Geometry& geometry,
                               const PairCorrelationsSettings& settings, Index replicas,
                               const Device& device) {
  const Index sites = geometry.spins(), K = 3 * replicas, Q = settings.q.size();
  const auto sums = [&](Index numbers, Index wave_vectors) {
    return pair_sums_bytes(device, sites, numbers, wave_vectors, settings.precision);
  };
  const Index kinds = squares_are_plain(settings) ? 3 : 1;
  double bytes = 8.0 * static_cast<double>(sites * K * kinds);
  if (Q > 0 && settings.structure) bytes += sums(K, Q);
  if (Q > 0 && settings.spin_glass) bytes += sums(K * kinds, 2 * Q);
  if (settings.bins > 0) bytes += 2 * sums(K * kinds, 0);
  if (settings.groups > 0) bytes += sums(K, 0);
  return bytes;
}

std::vector<double> PairCorrelations::totals(PairSums& sums, const SpinMatrix& matrix) const {
  sums.set_rows(matrix.data());
  sums.set_columns(matrix.data());
  return sums.totals().take();
}

PairCorrelationsValues PairCorrelations::operator()(const spins::SpinState& state,
                                                    const LeftOut& left_out) {
  matrix_.take(state, left_out);
  if (quadrupoles_) quadrupoles_->take(state, left_out);
  const auto M = static_cast<double>(replicas_ - left_out.count), N = static_cast<double>(sites_);
  const double norm = settings_.connected ? M - 1 : M;
  // From the square of a sum over configurations, and the sum of squares.
  const auto square = [&](double of_sum, double sum_of_squares) {
    return settings_.connected ? of_sum / (norm * norm) : (of_sum - sum_of_squares) / (M * (M - 1));
  };
  PairCorrelationsValues values;
  if (structure_) {
    const std::vector<double> sum = totals(*structure_, matrix_);
    for (std::size_t n = 0; n < sum.size(); n += 2) values.structure.push_back(sum[n] / (norm * N));
  }
  if (square_) {
    const std::vector<double> sum = totals(*square_, matrix_);
    const std::vector<double> of_one =
        square_of_one_ ? totals(*square_of_one_, *quadrupoles_) : std::vector<double>(sum.size());
    for (std::size_t n = 0; n < sum.size(); n += 2)
      values.spin_glass.push_back(square(sum[n], of_one[n]) / N);
  }
  if (distance_) {
    const std::vector<double> sum = totals(*distance_, matrix_);
    const std::vector<double> of_one = distance_of_one_ ? totals(*distance_of_one_, *quadrupoles_)
                                                        : std::vector<double>(sum.size());
    for (std::size_t n = 0; n < sum.size(); n += 3) {
      const double pairs = sum[n + 2];
      values.pairs.push_back(pairs);
      values.mean.push_back(over(sum[n], norm * pairs));
      values.mean_square.push_back(over(square(sum[n + 1], of_one[n]), pairs));
    }
  }
  if (groups_) {
    const std::vector<double> sum = totals(*groups_, matrix_);
    for (std::size_t n = 0; n < sum.size(); ++n)
      values.groups.push_back(over(sum[n], norm * pairs_of_groups_[n]));
  }
  return values;
}

}  // namespace larmor::correlations::real_space
