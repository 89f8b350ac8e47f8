#include "larmor/quantum/krylov_chain.hpp"

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::quantum {
namespace {

/// A vector that shrinks to this fraction lies in the space of the others.
constexpr double exhausted_chain = 1e-13;

}  // namespace

KrylovChain::KrylovChain(const Device& device, const Hamiltonian& H,
                         const std::vector<Vector>* excluded)
    : H_(H),
      space_(device, H.states()),
      excluded_(excluded),
      last_(device, H.states()),
      present_(device, H.states()),
      next_(device, H.states()) {}

void KrylovChain::begin(const std::function<void(Vector&)>& fill) {
  fill(present_);
  exclude(present_);
  transfer::scale(present_, 1 / std::sqrt(transfer::square(space_, present_)));
  // The second time removes the rounding errors of the first one.
  exclude(present_);
  position_ = 0;
}

void KrylovChain::forget() {
  diagonal_.clear();
  off_diagonal_.clear();
}

void KrylovChain::exclude(Vector& v) const {
  if (excluded_ == nullptr || excluded_->empty()) return;
  std::vector<const Vector*> vectors;
  for (const Vector& vector : *excluded_) vectors.push_back(&vector);
  transfer::subtract(v, transfer::dots(space_, v, vectors), vectors);
}

double KrylovChain::length_of(Index k) const {
  return k == 0 ? 1 : off_diagonal_[static_cast<std::size_t>(k - 1)];
}

double KrylovChain::subtract_neighbours() {
  const double factor = 1 / length_of(position_);
  std::vector<double> coefficients{factor * diagonal_[static_cast<std::size_t>(position_)]};
  std::vector<const Vector*> vectors{&present_};
  if (position_ > 0) {
    coefficients.push_back(length_of(position_) / length_of(position_ - 1));
    vectors.push_back(&last_);
  }
  double square = transfer::subtract_and_square(space_, next_, factor, coefficients, vectors);
  if (excluded_ != nullptr && !excluded_->empty()) {
    exclude(next_);
    square = transfer::square(space_, next_);
  }
  return std::sqrt(square);
}

void KrylovChain::move_on() {
  std::swap(last_, present_);
  std::swap(present_, next_);
  ++position_;
}

bool KrylovChain::extend() {
  H_.multiply(present_, next_);
  const Vector* const self[] = {&present_};
  diagonal_.push_back(transfer::dots(space_, next_, self).front() * factor() * factor());
  last_length_ = subtract_neighbours();
  const double before =
      std::abs(diagonal_.back()) + (off_diagonal_.empty() ? 0 : std::abs(off_diagonal_.back()));
  const Index excluded = excluded_ == nullptr ? 0 : std::ssize(*excluded_);
  if (last_length_ <= exhausted_chain * before || length() + excluded == H_.states()) {
    last_length_ = 0;
    return false;
  }
  off_diagonal_.push_back(last_length_);
  move_on();
  return true;
}

void KrylovChain::repeat() {
  H_.multiply(present_, next_);
  subtract_neighbours();
  move_on();
}

RitzValues KrylovChain::ritz_values() const {
  const auto system = eigensystem_of_tridiagonal(
      Eigen::Map<const Eigen::VectorXd>(diagonal_.data(), length()),
      Eigen::Map<const Eigen::VectorXd>(off_diagonal_.data(), length() - 1));
  if (!system.converged) throw InternalError("a tridiagonal matrix has no converged eigenvalues");
  return {{system.values.begin(), system.values.end()},
          {system.vectors.data(), system.vectors.data() + system.vectors.size()}};
}

Vector& KrylovChain::product(const Vector& v) {
  H_.multiply(v, next_);
  return next_;
}

}  // namespace larmor::quantum
