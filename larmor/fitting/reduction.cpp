#include "larmor/fitting/reduction.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::fitting {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index chains = 16;

/// The triangle of a matrix, row by row; the matrix itself if it has fewer rows than columns.
std::vector<double> triangle_of(Eigen::MatrixXd& matrix) {
  const RowMajor R =
      matrix.rows() > matrix.cols() ? RowMajor(triangular_factor(matrix)) : RowMajor(matrix);
  return {R.data(), R.data() + R.size()};
}

Eigen::Map<const RowMajor> as_matrix(std::span<const double> numbers, Index columns) {
  return {numbers.data(), std::ssize(numbers) / columns, columns};
}

}  // namespace

Reduction::Reduction(Index columns)
    : columns_(columns),
      rows_of_block_(std::max<Index>(256, 4 * columns)),
      chains_(static_cast<std::size_t>(chains)) {}

void Reduction::append(std::span<const double> rows) {
  const auto block_size = static_cast<std::size_t>(rows_of_block_ * columns_);
  rows_ += std::ssize(rows) / columns_;
  while (!rows.empty()) {
    const std::size_t count = std::min(block_size - open_.size(), rows.size());
    open_.insert(open_.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    rows = rows.subspan(count);
    if (open_.size() < block_size) return;
    chains_[static_cast<std::size_t>(blocks_++ % chains)].waiting.push_back(std::move(open_));
    open_.clear();
  }
}

void Reduction::reduce_chain(Chain& chain) const {
  for (const std::vector<double>& block : chain.waiting) {
    const auto above = as_matrix(chain.triangle, columns_), below = as_matrix(block, columns_);
    Eigen::MatrixXd stacked(above.rows() + below.rows(), columns_);
    stacked << above, below;
    chain.triangle = triangle_of(stacked);
  }
  chain.waiting.clear();
}

void Reduction::reduce(std::span<Reduction> all, int threads) {
  std::vector<std::pair<const Reduction*, Chain*>> work;
  for (Reduction& reduction : all)
    for (Chain& chain : reduction.chains_)
      if (!chain.waiting.empty()) work.emplace_back(&reduction, &chain);
  parallel_for(threads, std::ssize(work), [&](Index n) {
    const auto& [reduction, chain] = work[static_cast<std::size_t>(n)];
    reduction->reduce_chain(*chain);
  });
}

Triangle Reduction::finish(int threads) {
  if (!open_.empty())
    chains_[static_cast<std::size_t>(blocks_++ % chains)].waiting.push_back(std::move(open_));
  reduce(std::span(this, 1), threads);
  std::vector<Triangle> parts;
  for (Chain& chain : chains_)
    if (!chain.triangle.empty()) parts.push_back({columns_, std::move(chain.triangle), 0});
  std::vector<WeightedTriangle> weighted;
  for (const Triangle& part : parts) weighted.push_back({&part, 1});
  Triangle whole = weighted.empty() ? Triangle{columns_, {}, 0} : joined(weighted);
  whole.rows_reduced = rows_;
  return whole;
}

Triangle joined(std::span<const WeightedTriangle> parts) {
  Triangle whole{parts[0].triangle->columns, {}, 0};
  for (const auto& [triangle, weight] : parts) {
    whole.rows_reduced += triangle->rows_reduced;
    const auto above = as_matrix(whole.numbers, whole.columns);
    const auto below = as_matrix(triangle->numbers, whole.columns);
    Eigen::MatrixXd stacked(above.rows() + below.rows(), whole.columns);
    stacked << above, weight * below;
    whole.numbers = triangle_of(stacked);
  }
  return whole;
}

}  // namespace larmor::fitting
