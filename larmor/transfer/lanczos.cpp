#include "larmor/transfer/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::transfer {
namespace {

/// A vector that shrinks to this fraction lies in the space of the others.
constexpr double exhausted = 1e-13;
/// A further search ends if its largest value is known this well and too small.
constexpr double well_known = 1e-3;
/// Values of a later search that differ less from a found one may be the same level.
constexpr double clearly_smaller = 1e-9;

/// Vectors of a basis, without the one after it.
Index largest_basis(Index size, const LanczosSettings& settings) {
  return std::min(std::max(settings.basis, settings.wanted + 3), size);
}

}  // namespace

Lanczos::Lanczos(const Device& device, Index size,
                 std::function<void(const Vector&, Vector&)> multiply,
                 const LanczosSettings& settings)
    : multiply_(std::move(multiply)), settings_(settings), size_(size) {
  settings_.wanted = std::min(settings_.wanted, size);
  const Index basis = largest_basis(size, settings_);
  for (Index n = 0; n < basis + 1; ++n) v_.emplace_back(device, size);
  projected_.resize(static_cast<std::size_t>(basis * basis));
  begin();
}

double Lanczos::bytes(Index size, const LanczosSettings& settings) {
  const Index basis = largest_basis(size, settings);
  // One more level may be found by each further search.
  return 8 * static_cast<double>(size) * static_cast<double>(basis + 1 + settings.wanted + 2);
}

void Lanczos::begin() {
  basis_ = std::min<Index>(std::ssize(v_) - 1, size_ - std::ssize(locked_));
  std::fill(projected_.begin(), projected_.end(), 0.0);
  next_ = 0;
  randomise(v_[0], {settings_.seed, static_cast<std::uint64_t>(searches_++), Stream::lanczos});
  orthogonalise(v_[0], 0);
  scale(v_[0], 1 / norm(v_[0]));
}

std::vector<double> Lanczos::orthogonalise(Vector& w, Index count) const {
  std::vector<const Vector*> others;
  for (Index i = 0; i < count; ++i) others.push_back(&v_[static_cast<std::size_t>(i)]);
  for (const Vector& vector : locked_) others.push_back(&vector);
  std::vector<double> sums(others.size());
  // The second time removes the rounding errors of the first one.
  for (int again = 0; again < 2; ++again) {
    const std::vector<double> products = dots(w, others);
    subtract(w, products, others);
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += products[n];
  }
  return sums;
}

Lanczos::Ritz Lanczos::ritz() const {
  const Index n = next_, stride = std::ssize(v_) - 1;
  Eigen::MatrixXd matrix(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      matrix(i, j) = projected_[static_cast<std::size_t>(std::max(i, j) * stride + std::min(i, j))];
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

bool Lanczos::step() {
  Vector& w = v_[static_cast<std::size_t>(next_ + 1)];
  multiply_(v_[static_cast<std::size_t>(next_)], w);
  ++products_;
  const double before = norm(w);
  const std::vector<double> sums = orthogonalise(w, next_ + 1);
  const Index stride = std::ssize(v_) - 1;
  std::copy_n(sums.begin(), next_ + 1, projected_.begin() + next_ * stride);
  beta_ = norm(w);
  ++next_;
  const bool is_exhausted = next_ == size_ - std::ssize(locked_) || beta_ <= exhausted * before;
  if (is_exhausted)
    beta_ = 0;
  else
    scale(w, 1 / beta_);
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
  for (Index n = 0; n < need; ++n)
    residual_ = std::max(residual_, residual_of(ritz, n) / (settings_.tolerance * largest));
  if (!is_exhausted && residual_ > 1) return false;
  if (is_filled && top <= least * (1 + clearly_smaller)) return true;
  lock(ritz, need);
  if (std::ssize(locked_) == size_) return true;
  begin();
  return false;
}

void Lanczos::rotate_basis(const Ritz& ritz, Index columns) {
  std::vector<Vector*> vectors;
  std::vector<double> rotation;
  for (Index row = 0; row < next_; ++row) {
    vectors.push_back(&v_[static_cast<std::size_t>(row)]);
    const auto first = ritz.vector.begin() + row * next_;
    rotation.insert(rotation.end(), first, first + columns);
  }
  rotate(vectors, rotation, columns);
}

void Lanczos::lock(const Ritz& ritz, Index count) {
  for (Index n = 0; n < count; ++n)
    found_.push_back({ritz.value[static_cast<std::size_t>(n)], residual_of(ritz, n)});
  rotate_basis(ritz, count);
  for (Index n = 0; n < count; ++n) {
    const Vector& vector = v_[static_cast<std::size_t>(n)];
    Vector kept(vector.device(), size_);
    copy(vector, kept);
    locked_.push_back(std::move(kept));
  }
}

/// Keeps the best half of the basis, and the vector after it.
void Lanczos::restart(const Ritz& ritz) {
  const Index need = found_.empty() ? settings_.wanted : 1;
  const Index keep = std::min(need + (basis_ - need) / 2, basis_ - 1);
  rotate_basis(ritz, keep);
  std::swap(v_[static_cast<std::size_t>(keep)], v_[static_cast<std::size_t>(basis_)]);
  const Index stride = std::ssize(v_) - 1;
  std::fill(projected_.begin(), projected_.end(), 0.0);
  for (Index n = 0; n < keep; ++n)
    projected_[static_cast<std::size_t>(n * stride + n)] = ritz.value[static_cast<std::size_t>(n)];
  next_ = keep;
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
