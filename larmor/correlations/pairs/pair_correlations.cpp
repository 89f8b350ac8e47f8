#include "larmor/correlations/pairs/pair_correlations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::correlations::real_space {
namespace {

bool has_structure(const PairCorrelationsSettings& s) { return s.structure && s.q.size() > 0; }
bool has_spin_glass(const PairCorrelationsSettings& s) { return s.spin_glass && s.q.size() > 0; }

/// Does any result need sums over all pairs?
bool has_pair_sums(const PairCorrelationsSettings& s) {
  return has_spin_glass(s) || s.bins > 0 || s.displacement || s.groups > 0 || s.distribution;
}

double over(double sum, double pairs) {
  return pairs > 0 ? sum / pairs : std::numeric_limits<double>::quiet_NaN();
}

/// Centres vectors of the replicas as SpinMatrix does. Replicas that are left out become zero.
/// Connected correlations subtract the mean. @param vectors (replica, 3)
template <class Number>
std::vector<Number> kept(const Number* vectors, Index replicas, bool connected,
                         const LeftOut& left_out) {
  std::vector<Number> all(vectors, vectors + 3 * replicas);
  for (Index a = 0; a < 3; ++a) {
    Number mean = 0;
    for (Index m = 0; connected && m < replicas; ++m)
      if (!left_out.holds(m)) mean += vectors[3 * m + a];
    mean /= static_cast<double>(replicas - left_out.count);
    for (Index m = 0; m < replicas; ++m) {
      Number& x = all[static_cast<std::size_t>(3 * m + a)];
      x = left_out.holds(m) ? Number(0) : x - mean;
    }
  }
  return all;
}

/// Sums of the spins of each group, (group, replica, 3).
std::vector<double> sums_of_groups(const StridedVectors& spins, int threads,
                                   const std::vector<std::int32_t>& group, Index groups) {
  std::vector<double> sums(static_cast<std::size_t>(groups * spins.replicas * 3));
  parallel_for(threads, spins.replicas, [&](Index replica) {
    for (std::size_t n = 0; n < group.size(); ++n) {
      if (group[n] < 0) continue;
      const Vec3<double> e = spins.load(replica, static_cast<Index>(n));
      double* sum = sums.data() + 3 * (group[n] * spins.replicas + replica);
      sum[0] += e.x;
      sum[1] += e.y;
      sum[2] += e.z;
    }
  });
  return sums;
}

}  // namespace

PairCorrelations::PairCorrelations(const lattice::Geometry& geometry,
                                   const PairCorrelationsSettings& settings,
                                   const spins::SpinState& state)
    : settings_(settings),
      sites_(state.layout().spins()),
      replicas_(state.layout().replicas),
      device_(state.device()),
      multiply_adds_(multiply_adds(geometry, settings, replicas_)) {
  if (replicas_ < 2 && (settings.connected || has_pair_sums(settings)))
    throw InputError("connected correlations and squares of correlations need two replicas or more",
                     "set replicas = 2 or more");
  if (replicas_ < least_replicas(settings.connected) && has_pair_sums(settings))
    throw InputError("squares of connected correlations need three replicas or more",
                     "set replicas = 3 or more");
  for (Index n = 0; n < sites_; ++n) {
    const Index site = state.canonical()[static_cast<std::size_t>(n)];
    site_.push_back(site);
    position_.push_back(geometry.position(site));
    if (settings.groups > 0) group_.push_back(settings.group[static_cast<std::size_t>(site)]);
  }
  if (has_structure(settings))
    transform_.emplace(geometry, settings.q, Method::automatic, replicas_);
  if (!has_pair_sums(settings)) return;

  spins_.emplace(state, MatrixOf::spins);
  matrix_.emplace(state, settings.connected ? MatrixOf::centred : MatrixOf::spins);
  quadrupoles_.emplace(state,
                       settings.connected ? MatrixOf::centred_quadrupoles : MatrixOf::quadrupoles);
  PairSettings plain = sums_over(*matrix_), of_one = sums_over(*quadrupoles_);
  // These bounds follow from the Cauchy-Schwarz inequality. The squares of a site's vectors over
  // all replicas sum to at most M, also if replicas are left out or the mean is subtracted. The
  // square of a quadrupole is (e.e)^2, which is at most 1. A centred spin has a length of at most
  // 2, so (e.e)^2 <= 4 e.e, and the sum is at most 4 M.
  const auto largest_of_all = static_cast<double>(replicas_);
  plain.largest = largest_of_all;
  of_one.largest = settings.connected ? 4 * largest_of_all : largest_of_all;
  PairSettings square = plain;
  square.squared = true;
  const auto sums_of = [&](const PairSettings& all, const PairReduction& reduction) {
    return Sums{make_pair_sums(device_, all, reduction),
                make_pair_sums(device_, of_one, reduction)};
  };
  if (has_spin_glass(settings))
    spin_glass_ = sums_of(square, FourierTerms{settings.q.cartesian, position_});
  if (settings.bins > 0) {
    const std::vector<Vec3<double>> periods = lattice::periods_of(geometry);
    distance_ = sums_of(plain, ByDistance{position_, {settings.width, settings.bins, periods}});
  }
  if (settings.displacement) {
    std::vector<lattice::SiteIndex> site;
    for (Index n = 0; n < sites_; ++n)
      site.push_back(geometry.decode(state.canonical()[static_cast<std::size_t>(n)]));
    displacement_ = sums_of(plain, ByDisplacement{site, *settings.displacement});
  }
  if (settings.groups > 0) {
    groups_square_ = sums_of(square, BetweenGroups{group_, settings.groups});
    std::vector<double> members(static_cast<std::size_t>(settings.groups));
    for (const std::int32_t g : group_)
      if (g >= 0) members[static_cast<std::size_t>(g)] += 1;
    for (const double a : members)
      for (const double b : members) pairs_of_groups_.push_back(a * b);
  }
}

double PairCorrelations::bytes(const lattice::Geometry& geometry,
                               const PairCorrelationsSettings& settings, Index replicas,
                               const Device& device) {
  const Index sites = geometry.spins(), K = 3 * replicas;
  // The bytes of sums over products of spins, and over products of quadrupoles.
  const auto sums = [&](Index wave_vectors, Index bins) {
    const auto of = [&](Index numbers) {
      return pair_sums_bytes(device, {sites, numbers, wave_vectors, bins, true},
                             settings.precision);
    };
    return of(K) + of(2 * K);
  };
  double bytes = 0;
  if (has_structure(settings))
    bytes += StateAmplitudes::bytes(geometry, settings.q, Method::automatic, replicas, device);
  if (has_pair_sums(settings)) bytes += 8.0 * static_cast<double>(sites * K * 4);
  if (has_spin_glass(settings)) bytes += sums(settings.q.size(), 0);
  if (has_structure(settings) && settings.precision != PairPrecision::full)
    bytes += pair_sums_bytes(device, {sites, K, 1, 0, true}, settings.precision);
  // On a GPU, C, C^2 and the number of pairs are three separate sums.
  const auto by_bins = [&](Index bins) {
    if (device.backend != Backend::cuda) return sums(0, 3 * bins);
    return 2 * sums(0, bins) + 2 * pair_sums_bytes(device, {sites, 1, 0, bins}, settings.precision);
  };
  if (settings.bins > 0) bytes += by_bins(settings.bins);
  if (settings.displacement) bytes += by_bins(settings.displacement->bins());
  if (settings.groups > 0) bytes += sums(0, settings.groups * settings.groups);
  if (settings.distribution)
    bytes += pair_sums_bytes(device, {sites, K, 0, totals_of(*settings.distribution), true},
                             settings.precision);
  return bytes;
}

double PairCorrelations::host_bytes(const lattice::Geometry& geometry,
                                    const PairCorrelationsSettings& settings, Index replicas) {
  double bytes = 0;
  if (has_structure(settings)) bytes += 96.0 * static_cast<double>(settings.q.size() * replicas);
  if (settings.groups > 0) bytes += 24.0 * static_cast<double>(geometry.sites() * replicas);
  if (has_pair_sums(settings)) bytes += 32.0 * static_cast<double>(geometry.spins());
  return bytes;
}

void PairCorrelations::copy_spins(const spins::SpinState& state) {
  if (spins_) spins_->fill(state);
  if (transform_) {
    const std::vector<double> numbers = transform_->transform(state).take();
    const auto* first = reinterpret_cast<const std::complex<double>*>(numbers.data());
    amplitude_.assign(first, first + numbers.size() / 2);
  }
  if (settings_.groups > 0)
    sum_of_group_ = sums_of_groups(state.vectors(), device_.threads, group_, settings_.groups);
}

double PairCorrelations::norm(const LeftOut& left_out) const {
  return static_cast<double>(replicas_ - left_out.count - (settings_.connected ? 1 : 0));
}

/// C^2, computed from the square of a sum over configurations and from the sum of squares.
double PairCorrelations::square(double of_sum, double sum_of_squares,
                                const LeftOut& left_out) const {
  const auto M = static_cast<double>(replicas_ - left_out.count);
  return settings_.connected ? (of_sum - M / (M - 1) * sum_of_squares) / ((M - 1) * (M - 2))
                             : (of_sum - sum_of_squares) / (M * (M - 1));
}

std::vector<PairCorrelations::Sums*> PairCorrelations::kinds() {
  std::vector<Sums*> kinds;
  for (Sums* sums : {&spin_glass_, &distance_, &displacement_, &groups_square_})
    if (sums->of_all) kinds.push_back(sums);
  return kinds;
}

PairCorrelations::Totals PairCorrelations::totals(const Sums& sums) {
  return {sums.of_all->totals().take(), sums.of_one->totals().take()};
}

double PairCorrelations::multiply_adds(const lattice::Geometry& geometry,
                                       const PairCorrelationsSettings& settings, Index replicas) {
  // Spins have K = 3 M numbers, and quadrupoles have K = 6 M. The distribution needs no
  // quadrupoles.
  const auto numbers = static_cast<double>(3 * replicas);
  const Index kinds = (has_spin_glass(settings) ? 1 : 0) + (settings.bins > 0 ? 1 : 0) +
                      (settings.displacement ? 1 : 0) + (settings.groups > 0 ? 1 : 0);
  const auto sites = static_cast<double>(geometry.spins());
  return sites * sites * numbers * static_cast<double>(3 * kinds + (settings.distribution ? 1 : 0));
}

Index PairCorrelations::share_count() const {
  const int ranks = settings_.ranks == nullptr ? 1 : settings_.ranks->share().count;
  return shares_of_pair_sums(device_, sites_, multiply_adds_ / ranks, ranks);
}

PairSettings PairCorrelations::sums_over(const SpinMatrix& matrix) const {
  PairSettings sums;
  sums.sites = sites_;
  sums.numbers = matrix.numbers();
  sums.precision = settings_.precision;
  sums.ranks = settings_.ranks;
  return sums;
}

void PairCorrelations::prepare_precision_check() {
  largest_sum_.reset();
  const bool split = settings_.precision != PairPrecision::full;
  if (!split || !has_structure(settings_) || left_out_.count > 0) return;
  const std::vector<double> exact = structure(left_out_);
  const auto largest = std::max_element(exact.begin(), exact.end()) - exact.begin();
  const PairSettings plain = sums_over(*matrix_);
  const std::span q(settings_.q.cartesian.data() + largest, 1);
  largest_sum_ = make_pair_sums(device_, plain, FourierTerms{q, position_});
  largest_sum_->set_both(matrix_->data());
}

std::optional<double> PairCorrelations::precision_error(const std::vector<double>& structure) {
  // If all replicas are equal, connected correlations are zero within rounding and have no relative
  // error.
  constexpr double vanishing = 1e-20;
  const double exact = *std::max_element(structure.begin(), structure.end());
  const double found =
      largest_sum_->totals().take()[0] / (norm(left_out_) * static_cast<double>(sites_));
  if (!(exact > vanishing)) return std::nullopt;
  return std::abs(found - exact) / exact;
}

/// Makes the sum of the distribution. This is repeated for each jackknife sum, because bins scale
/// with the norm, and the norm depends on `left_out_`.
void PairCorrelations::prepare_distribution() {
  distribution_.reset();
  if (!settings_.distribution) return;
  const PairSettings plain = sums_over(*matrix_);
  distribution_ =
      make_pair_sums(device_, plain, ByValue{settings_.distribution->scaled(norm(left_out_))});
  distribution_->set_both(matrix_->data());
}

void PairCorrelations::finish_distribution(PairCorrelationsValues& values) const {
  const std::vector<double> totals = distribution_->totals().take();
  const Index counts = counts_of(*settings_.distribution);
  values.distribution.assign(totals.begin(), totals.begin() + counts);
  const ExtremePairs extremes = ExtremePairs::load(totals.data() + counts);
  for (const ExtremePair& pair : {extremes.largest, extremes.smallest}) {
    if (pair.row < 0) {
      values.extremes.insert(values.extremes.end(), {over(0, 0), -1, -1});
      continue;
    }
    const auto [first, second] = std::minmax(site_[static_cast<std::size_t>(pair.row)],
                                             site_[static_cast<std::size_t>(pair.column)]);
    values.extremes.insert(
        values.extremes.end(),
        {pair.c / norm(left_out_), static_cast<double>(first), static_cast<double>(second)});
  }
}

void PairCorrelations::begin(const LeftOut& left_out) {
  const Region region("correlations of pairs");
  left_out_ = left_out;
  if (!spins_) return;
  matrix_->fill(*spins_, left_out);
  quadrupoles_->fill(*spins_, left_out);
  for (const Sums* sums : kinds()) {
    sums->of_all->set_both(matrix_->data());
    sums->of_one->set_both(quadrupoles_->data());
  }
  prepare_distribution();
  prepare_precision_check();
}

void PairCorrelations::add(const RowShare& share) {
  const Region region("correlations of pairs");
  for (const Sums* sums : kinds()) {
    sums->of_all->add(share);
    sums->of_one->add(share);
  }
  if (distribution_) distribution_->add(share);
  if (largest_sum_) largest_sum_->add(share);
}

std::vector<double> PairCorrelations::structure(const LeftOut& left_out) const {
  std::vector<double> values(static_cast<std::size_t>(settings_.q.size()));
  const double scale = 1 / (norm(left_out) * static_cast<double>(sites_));
  parallel_for(device_.threads, settings_.q.size(), [&](Index q) {
    double sum = 0;
    for (const std::complex<double>& a :
         kept(amplitude_.data() + 3 * replicas_ * q, replicas_, settings_.connected, left_out))
      sum += std::norm(a);
    values[static_cast<std::size_t>(q)] = scale * sum;
  });
  return values;
}

std::vector<double> PairCorrelations::groups(const LeftOut& left_out) const {
  std::vector<std::vector<double>> sums;
  for (Index g = 0; g < settings_.groups; ++g)
    sums.push_back(
        kept(sum_of_group_.data() + 3 * replicas_ * g, replicas_, settings_.connected, left_out));
  std::vector<double> values;
  for (const std::vector<double>& a : sums)
    for (const std::vector<double>& b : sums) {
      double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
      values.push_back(over(sum, norm(left_out) * pairs_of_groups_[values.size()]));
    }
  return values;
}

void PairCorrelations::finish_bins(const Sums& sums, std::vector<double>& mean,
                                   std::vector<double>& mean_square,
                                   std::vector<double>& pairs) const {
  if (!sums.of_all) return;
  const Totals sum = totals(sums);
  for (std::size_t n = 0; n < sum.of_all.size(); n += 3) {
    pairs.push_back(sum.of_all[n + 2]);
    mean.push_back(over(sum.of_all[n], norm(left_out_) * pairs.back()));
    mean_square.push_back(over(square(sum.of_all[n + 1], sum.of_one[n], left_out_), pairs.back()));
  }
}

PairCorrelationsValues PairCorrelations::finish() {
  const Region region("correlations of pairs");
  PairCorrelationsValues values;
  const LeftOut& left_out = left_out_;
  if (transform_) values.structure = structure(left_out);
  if (settings_.groups > 0) values.groups = groups(left_out);
  if (largest_sum_) values.precision_error = precision_error(values.structure);
  if (spin_glass_.of_all) {
    const Totals sum = totals(spin_glass_);
    for (std::size_t n = 0; n < sum.of_all.size(); n += 2)
      values.spin_glass.push_back(square(sum.of_all[n], sum.of_one[n], left_out) /
                                  static_cast<double>(sites_));
  }
  finish_bins(distance_, values.mean, values.mean_square, values.pairs);
  finish_bins(displacement_, values.displaced_mean, values.displaced_square,
              values.displaced_pairs);
  if (distribution_) finish_distribution(values);
  if (groups_square_.of_all) {
    const Totals sum = totals(groups_square_);
    for (std::size_t n = 0; n < sum.of_all.size(); ++n)
      values.groups_square.push_back(
          over(square(sum.of_all[n], sum.of_one[n], left_out), pairs_of_groups_[n]));
  }
  return values;
}

}  // namespace larmor::correlations::real_space
