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
      excluded_(excluded),
      last_(device, H.states()),
      present_(device, H.states()),
      next_(device, H.states()) {}

void KrylovChain::begin(const std::function<void(Vector&)>& fill) {
  fill(present_);
  exclude(present_);
  transfer::scale(present_, 1 / transfer::norm(present_));
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
  transfer::subtract(v, transfer::dots(v, vectors), vectors);
}

void KrylovChain::subtract_neighbours() {
  std::vector<double> coefficients{diagonal_[static_cast<std::size_t>(position_)]};
  std::vector<const Vector*> vectors{&present_};
  if (position_ > 0) {
    coefficients.push_back(off_diagonal_[static_cast<std::size_t>(position_ - 1)]);
    vectors.push_back(&last_);
  }
  transfer::subtract(next_, coefficients, vectors);
  exclude(next_);
}

void KrylovChain::move_on(double length) {
  transfer::scale(next_, 1 / length);
  std::swap(last_, present_);
  std::swap(present_, next_);
  ++position_;
}

bool KrylovChain::extend() {
  H_.multiply(present_, next_);
  const Vector* const self[] = {&present_};
  diagonal_.push_back(transfer::dots(next_, self).front());
  subtract_neighbours();
  last_length_ = transfer::norm(next_);
  const double before =
      std::abs(diagonal_.back()) + (off_diagonal_.empty() ? 0 : std::abs(off_diagonal_.back()));
  const Index excluded = excluded_ == nullptr ? 0 : std::ssize(*excluded_);
  if (last_length_ <= exhausted_chain * before || length() + excluded == H_.states()) {
    last_length_ = 0;
    return false;
  }
  off_diagonal_.push_back(last_length_);
  move_on(last_length_);
  return true;
}

void KrylovChain::repeat() {
  H_.multiply(present_, next_);
  subtract_neighbours();
  move_on(off_diagonal_[static_cast<std::size_t>(position_)]);
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
