#include "larmor/transfer/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::transfer {
namespace {

/// A vector that shrinks to this fraction lies in the space of the others.
constexpr double exhausted = 1e-13;
/// A further search ends if its largest value is known this well and too small.
constexpr double well_known = 1e-3;
/// Values of a later search that differ less from a found one may be the same level.
constexpr double clearly_smaller = 1e-9;

/// Products carry rounding errors of this size, compared with the largest eigenvalue.
constexpr double least_residual = 1e-13;
/// A search ends if its products are this small, compared with the largest eigenvalue.
constexpr double noise = 1e-14;
/// Vectors with larger products are made orthogonal again.
constexpr double largest_overlap = 1e-11;

/// Vectors of a basis, without the one after it.
Index largest_basis(Index size, const LanczosSettings& settings) {
  return std::min(std::max(settings.basis, settings.wanted + 2), size);
}

}  // namespace

Lanczos::Lanczos(const VectorSpace& space, Operator& matrix, const LanczosSettings& settings)
    : space_(space), matrix_(matrix), settings_(settings) {
  settings_.wanted = std::min(settings_.wanted, space_.size());
  const Index basis = largest_basis(space_.size(), settings_);
  v_.resize(static_cast<std::size_t>(basis + 1));
  factor_.resize(v_.size());
  projected_.resize(static_cast<std::size_t>(basis * basis));
  begin();
}

double Lanczos::bytes(Index size, const LanczosSettings& settings) {
  const Index basis = largest_basis(size, settings);
  // Each further search may find one more copy of a level.
  const Index locked = settings.wanted == 1 && settings.is_first_simple ? 0 : 2 * settings.wanted;
  return 8 * static_cast<double>(size) * static_cast<double>(basis + 1 + locked);
}

double& Lanczos::projected(Index i, Index j) {
  const auto [low, high] = std::minmax(i, j);
  return projected_[static_cast<std::size_t>(high * (std::ssize(v_) - 1) + low)];
}

double Lanczos::projected(Index i, Index j) const {
  return const_cast<Lanczos&>(*this).projected(i, j);
}

void Lanczos::begin() {
  basis_ = std::min<Index>(std::ssize(v_) - 1, space_.size() - std::ssize(locked_));
  std::fill(projected_.begin(), projected_.end(), 0.0);
  next_ = kept_ = 0;
  for (Vector& vector : v_)
    if (vector.size() == 0) vector = space_.vector();
  randomise(space_, v_[0],
            {settings_.seed, static_cast<std::uint64_t>(searches_++), Stream::lanczos});
  // The second time removes the rounding errors of the first one.
  for (int again = 0; again < 2; ++again) orthogonalise(v_[0], 0);
  factor_[0] = 1 / std::sqrt(square(space_, v_[0]));
  overlaps_.assign(v_.size(), 0);
  overlaps_[0] = 1;
}

void Lanczos::orthogonalise(Vector& w, Index count) const {
  std::vector<const Vector*> others;
  std::vector<double> squares;
  for (Index i = 0; i < count; ++i) {
    others.push_back(&v_[static_cast<std::size_t>(i)]);
    squares.push_back(std::pow(factor_[static_cast<std::size_t>(i)], 2));
  }
  for (const Vector& vector : locked_) {
    others.push_back(&vector);
    squares.push_back(1);
  }
  std::vector<double> products = dots(space_, w, others);
  for (std::size_t n = 0; n < products.size(); ++n) products[n] *= squares[n];
  subtract(w, products, others);
}

Lanczos::Ritz Lanczos::ritz() const {
  const Index n = next_;
  Eigen::MatrixXd matrix(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) matrix(i, j) = projected(i, j);
  const auto system = eigensystem(matrix);
  std::vector<Index> by_size(static_cast<std::size_t>(n));
  std::iota(by_size.begin(), by_size.end(), Index{0});
  std::ranges::stable_sort(by_size, std::ranges::greater{},
                           [&](Index i) { return std::abs(system.values(i)); });
  Ritz ritz;
  ritz.vector.resize(static_cast<std::size_t>(n * n));
  for (Index column = 0; column < n; ++column) {
    const Index i = by_size[static_cast<std::size_t>(column)];
    ritz.value.push_back(system.values(i));
    for (Index row = 0; row < n; ++row)
      ritz.vector[static_cast<std::size_t>(row * n + column)] = system.vectors(row, i);
  }
  return ritz;
}

double Lanczos::residual_of(const Ritz& ritz, Index n) const {
  return beta_ * std::abs(ritz.vector[static_cast<std::size_t>((next_ - 1) * next_ + n)]);
}

double Lanczos::extend(Vector& w) {
  const Index k = next_;
  const Vector& v = v_[static_cast<std::size_t>(k)];
  const double factor = factor_[static_cast<std::size_t>(k)];
  const bool is_first = k == kept_;
  const Vector* const before = is_first ? nullptr : &v_[static_cast<std::size_t>(k - 1)];
  const double beta_before = is_first ? 0 : beta_ * factor_[static_cast<std::size_t>(k - 1)];
  const double alpha = factor * matrix_.multiply(v, factor, before, beta_before, w);
  ++products_;
  projected(k, k) = alpha;
  if (!is_first) projected(k, k - 1) = beta_;
  if (is_first && kept_ > 0) {
    std::vector<const Vector*> kept;
    std::vector<double> couplings;
    for (Index j = 0; j < kept_; ++j) {
      kept.push_back(&v_[static_cast<std::size_t>(j)]);
      couplings.push_back(projected(k, j) * factor_[static_cast<std::size_t>(j)]);
    }
    subtract(w, couplings, kept);
  }
  const double coefficient[] = {alpha * factor};
  const Vector* const vector[] = {&v};
  const double square_of_w = subtract_and_square(space_, w, 1, coefficient, vector);
  if (locked_.empty()) return square_of_w;
  orthogonalise(w, 0);
  return square(space_, w);
}

double Lanczos::estimate_overlaps() {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const Index k = next_;
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  double top = 0;
  for (Index j = 0; j <= k; ++j) top = std::max(top, std::abs(projected(j, j)) + beta_);
  std::vector<double> next(overlaps_.size());
  next[at(k)] = rounding * top / beta_;
  for (Index j = 0; j < k; ++j) {
    // The product of A q_j and q_k is the product of q_j and A q_k.
    double change = -projected(k, k) * overlaps_[at(j)];
    for (Index i = 0; i <= k; ++i) change += projected(i, j) * overlaps_[at(i)];
    change -= k == kept_ ? projected(k, j) : projected(k, k - 1) * overlaps_before_[at(j)];
    next[at(j)] = (change + std::copysign(2 * rounding * top, change)) / beta_;
  }
  double largest = 0;
  for (const double overlap : next) largest = std::max(largest, std::abs(overlap));
  overlaps_before_ = std::exchange(overlaps_, next);
  return largest;
}

bool Lanczos::step() {
  Vector& w = v_[static_cast<std::size_t>(next_ + 1)];
  const double beta_before = next_ == kept_ ? 0 : beta_;
  beta_ = std::sqrt(extend(w));
  if (!std::isfinite(beta_))
    throw UnphysicalError("a vector of the Lanczos method has numbers that are not finite");
  const double before = std::hypot(projected(next_, next_), beta_before, beta_);
  if (!found_.empty() && before <= noise * std::abs(found_[order().front()].value)) return true;
  bool is_exhausted = beta_ <= exhausted * before;
  if (!is_exhausted && estimate_overlaps() > largest_overlap) {
    orthogonalise(w, next_ + 1);
    beta_ = std::sqrt(square(space_, w));
    std::fill(overlaps_.begin(), overlaps_.end(), std::numeric_limits<double>::epsilon());
    is_exhausted = beta_ <= exhausted * before;
  }
  ++next_;
  is_exhausted = is_exhausted || next_ == space_.size() - std::ssize(locked_);
  if (is_exhausted)
    beta_ = 0;
  else
    factor_[static_cast<std::size_t>(next_)] = 1 / beta_;
  overlaps_[static_cast<std::size_t>(next_)] = 1;
  constexpr Index looks_every = 4;
  const bool is_full = next_ == basis_;
  if (!is_full && !is_exhausted && next_ % looks_every != 0) return false;
  const Ritz found = ritz();
  if (conclude(found, is_exhausted)) return true;
  if (next_ == basis_) restart(found);
  return false;
}

/// Locks pairs that have converged. @return true: no larger ones are left
bool Lanczos::conclude(const Ritz& ritz, bool is_exhausted) {
  const bool is_filled = std::ssize(found_) >= settings_.wanted;
  const double top = std::abs(ritz.value.front()), error = residual_of(ritz, 0);
  const double least =
      is_filled ? std::abs(found_[order()[static_cast<std::size_t>(settings_.wanted - 1)]].value)
                : 0;
  if (is_filled && error <= well_known * top && top + error < least * (1 - clearly_smaller))
    return true;
  Index need = found_.empty() ? settings_.wanted : 1;
  if (is_exhausted) need = std::min(need, next_);
  if (next_ < need) return false;
  const double largest = found_.empty() ? top : std::abs(found_[order().front()].value);
  residual_ = 0;
  for (Index n = 0; n < need; ++n) {
    const double own = std::abs(ritz.value[static_cast<std::size_t>(n)]);
    const double allowed = std::max(settings_.tolerance * own, least_residual * largest);
    residual_ = std::max(residual_, residual_of(ritz, n) / allowed);
  }
  if (!is_exhausted && residual_ > 1) return false;
  if (is_filled && top <= least * (1 + clearly_smaller)) return true;
  lock(ritz, need);
  if (std::ssize(locked_) == space_.size()) return true;
  if (settings_.wanted == 1 && settings_.is_first_simple) return true;
  begin();
  return false;
}

void Lanczos::rotate_basis(const Ritz& ritz, Index columns) {
  std::vector<Vector*> vectors;
  std::vector<double> rotation;
  for (Index row = 0; row < next_; ++row) {
    vectors.push_back(&v_[static_cast<std::size_t>(row)]);
    for (Index column = 0; column < columns; ++column)
      rotation.push_back(factor_[static_cast<std::size_t>(row)] *
                         ritz.vector[static_cast<std::size_t>(row * next_ + column)]);
  }
  rotate(vectors, rotation, columns);
  std::fill_n(factor_.begin(), columns, 1.0);
}

void Lanczos::lock(const Ritz& ritz, Index count) {
  for (Index n = 0; n < count; ++n)
    found_.push_back({ritz.value[static_cast<std::size_t>(n)], residual_of(ritz, n)});
  rotate_basis(ritz, count);
  // `begin` replaces the vectors of the basis.
  for (Index n = 0; n < count; ++n) locked_.push_back(std::move(v_[static_cast<std::size_t>(n)]));
}

/// Keeps the best half of the basis, and the vector after it.
void Lanczos::restart(const Ritz& ritz) {
  const Index need = found_.empty() ? settings_.wanted : 1;
  kept_ = std::min(need + (basis_ - need) / 2, basis_ - 1);
  const auto last = static_cast<std::size_t>(next_ - 1), kept = static_cast<std::size_t>(kept_);
  std::vector<double> overlaps(overlaps_.size());
  std::fill(projected_.begin(), projected_.end(), 0.0);
  for (std::size_t n = 0; n < kept; ++n) {
    const auto element = [&](std::size_t row) { return ritz.vector[row * (last + 1) + n]; };
    projected(static_cast<Index>(n), static_cast<Index>(n)) = ritz.value[n];
    projected(kept_, static_cast<Index>(n)) = beta_ * element(last);
    for (std::size_t row = 0; row <= last; ++row) overlaps[n] += element(row) * overlaps_[row];
  }
  rotate_basis(ritz, kept_);
  std::swap(v_[kept], v_[static_cast<std::size_t>(basis_)]);
  std::swap(factor_[kept], factor_[static_cast<std::size_t>(basis_)]);
  overlaps[kept] = 1;
  overlaps_ = std::move(overlaps);
  next_ = kept_;
}

std::vector<std::size_t> Lanczos::order() const {
  std::vector<std::size_t> order(found_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t n) { return std::abs(found_[n].value); });
  return order;
}

std::vector<EigenPair> Lanczos::pairs() const {
  std::vector<EigenPair> pairs;
  for (const std::size_t n : order())
    if (std::ssize(pairs) < settings_.wanted) pairs.push_back(found_[n]);
  return pairs;
}

}  // namespace larmor::transfer
