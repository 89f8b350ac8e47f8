#include "larmor/spins/htst/lowest_modes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/maths/philox.hpp"

namespace larmor::spins {
namespace {

constexpr Index vectors_of_block = 4, most_blocks = 60;
/// Number of blocks to try for modes that are optional.
constexpr Index enough_blocks = 4;
/// Tolerances of |H v - lambda v|, in units of the mean diagonal of H. The error of an eigenvalue
/// is quadratic in the tolerance.
constexpr double tolerance = 1e-11, loose_tolerance = 1e-5;

/// Numbers between -1 and 1 that depend only on their position in the vector and on `which`.
Eigen::VectorXd start_vector(Index size, Index which) {
  const RandomKey key{1, static_cast<std::uint64_t>(which), Stream::perturbation};
  Eigen::VectorXd v(size);
  for (Index i = 0; i < size; ++i) {
    const auto random = philox(key, static_cast<std::uint64_t>(i), std::uint64_t{0});
    v[i] = 1 - 2 * uniform_52<double>(random.w[0], random.w[1]);
  }
  return v;
}

class BlockLanczos {
 public:
  BlockLanczos(const SparseMatrix& H, const SparseFactorisation& inverse, double shift)
      : H_(H), inverse_(inverse), shift_(shift), scale_(mean_diagonal(H)) {}

  std::vector<Mode> lowest(Index near, Index further);

 private:
  void add_block();
  bool add_vector(Eigen::VectorXd v);
  std::vector<Mode> modes(Index above) const;
  Index converged(const std::vector<Mode>& modes, Index strictly) const;

  const SparseMatrix& H_;
  const SparseFactorisation& inverse_;
  double shift_, scale_;
  std::vector<Eigen::VectorXd> basis_, image_;  ///< orthonormal vectors; inverse times vectors
};

/// Orthogonalises `v` to the basis and appends it.
/// @return was `v` linearly independent?
bool BlockLanczos::add_vector(Eigen::VectorXd v) {
  constexpr double nothing_new = 1e-10;
  v.normalize();
  // The second pass removes the rounding error of the first.
  for (int time = 0; time < 2; ++time) {
    for (const Eigen::VectorXd& b : basis_) v -= b.dot(v) * b;
    if (time == 0 && v.norm() < nothing_new) return false;
    v.normalize();
  }
  basis_.push_back(std::move(v));
  return true;
}

void BlockLanczos::add_block() {
  const auto known = static_cast<Index>(basis_.size());
  const Index most = std::min(known + vectors_of_block, H_.size);
  // The new block has the images of the last block under the inverse. If these images are linearly
  // dependent, random vectors complete the block.
  for (std::size_t n = basis_.size() - std::min(basis_.size(), std::size_t{vectors_of_block});
       n < static_cast<std::size_t>(known) && static_cast<Index>(basis_.size()) < most; ++n)
    add_vector(image_[n]);
  for (Index draw = known; static_cast<Index>(basis_.size()) < most; ++draw)
    add_vector(start_vector(H_.size, draw));
  std::vector<double> block;
  for (auto n = static_cast<std::size_t>(known); n < basis_.size(); ++n)
    block.insert(block.end(), basis_[n].data(), basis_[n].data() + H_.size);
  block = inverse_.solve(std::move(block));
  for (auto n = static_cast<std::size_t>(known); n < basis_.size(); ++n)
    image_.push_back(Eigen::Map<const Eigen::VectorXd>(
        block.data() + (static_cast<Index>(n) - known) * H_.size, H_.size));
}

/// The best approximations of modes within the basis.
/// @param above largest number of modes above the shift
std::vector<Mode> BlockLanczos::modes(Index above) const {
  const auto m = static_cast<Eigen::Index>(basis_.size());
  Eigen::MatrixXd inside(m, m);
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      inside(i, j) = inside(j, i) =
          basis_[static_cast<std::size_t>(i)].dot(image_[static_cast<std::size_t>(j)]);
  const Eigensystem<Eigen::MatrixXd> solved = eigensystem(inside);
  // 1 / (lambda - shift) is negative below the shift, and largest directly above it.
  std::vector<Mode> found;
  const auto take = [&](Eigen::Index n) {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(H_.size);
    for (Eigen::Index i = 0; i < m; ++i)
      v += solved.vectors(i, n) * basis_[static_cast<std::size_t>(i)];
    v.normalize();
    Mode mode{0, {v.data(), v.data() + v.size()}};
    mode.value = scalar_product(mode.vector, product(H_, mode.vector));
    found.push_back(std::move(mode));
  };
  for (Eigen::Index n = 0; n < std::min<Eigen::Index>(m, inverse_.negative_eigenvalues()); ++n)
    if (solved.values[n] < 0) take(n);
  for (Eigen::Index n = m - 1; n >= std::max<Eigen::Index>(0, m - above); --n)
    if (solved.values[n] > 0) take(n);
  std::sort(found.begin(), found.end(),
            [](const Mode& a, const Mode& b) { return a.value < b.value; });
  return found;
}

/// Number of leading modes that have converged.
/// @param strictly number of modes that need full precision
Index BlockLanczos::converged(const std::vector<Mode>& modes, Index strictly) const {
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const std::vector<double> image = product(H_, modes[n].vector);
    double squared = 0;
    for (std::size_t i = 0; i < image.size(); ++i)
      squared += std::pow(image[i] - modes[n].value * modes[n].vector[i], 2);
    const double allowed = static_cast<Index>(n) < strictly ? tolerance : loose_tolerance;
    if (std::sqrt(squared) > allowed * scale_) return static_cast<Index>(n);
  }
  return static_cast<Index>(modes.size());
}

std::vector<Mode> BlockLanczos::lowest(Index near, Index further) {
  const Index below = inverse_.negative_eigenvalues();
  const Index needed = below + near, wanted = std::min(needed + further, H_.size);
  for (Index block = 0; block < most_blocks; ++block) {
    add_block();
    if (static_cast<Index>(basis_.size()) < wanted) continue;
    std::vector<Mode> found = modes(wanted - below);
    if (static_cast<Index>(found.size()) < wanted) continue;
    const Index good = converged(found, needed);
    if (good == wanted || (good >= needed && block + 1 >= enough_blocks)) {
      found.erase(found.begin() + good, found.end());
      return found;
    }
  }
  throw UnphysicalError(
      "the lowest eigenvalues of the energy's second derivatives have not "
      "converged");
}

}  // namespace

std::vector<Mode> lowest_modes(const SparseMatrix& H, const SparseFactorisation& inverse,
                               double shift, Index near, Index further) {
  return BlockLanczos(H, inverse, shift).lowest(near, further);
}

}  // namespace larmor::spins
