#include "larmor/fitting/reduction.hpp"

#include <algorithm>
#include <utility>

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

void Reduction::add_block(Block block) {
  chains_[static_cast<std::size_t>(blocks_++ % chains)].waiting.push_back(std::move(block));
}

void Reduction::append(std::span<const double> rows, std::span<const double> weight) {
  const auto width = static_cast<std::size_t>(columns_);
  const auto rows_of_block = static_cast<std::size_t>(rows_of_block_);
  std::size_t left = rows.size() / width;
  rows_ += static_cast<Index>(left);
  while (left > 0) {
    const std::size_t count = std::min(rows_of_block - open_.size() / width, left);
    const auto some = rows.first(count * width);
    const auto of_some = weight.first(weight.empty() ? 0 : count);
    if (count == rows_of_block) {
      add_block({{}, some, of_some});
    } else {
      for (std::size_t n = 0; n < count; ++n)
        for (std::size_t column = 0; column < width; ++column)
          open_.push_back(some[n * width + column] * (weight.empty() ? 1 : of_some[n]));
      if (open_.size() == rows_of_block * width) add_block({std::exchange(open_, {}), {}, {}});
    }
    rows = rows.subspan(some.size());
    weight = weight.subspan(of_some.size());
    left -= count;
  }
}

void Reduction::reduce_chain(Chain& chain) const {
  for (const Block& block : chain.waiting) {
    const auto above = as_matrix(chain.triangle, columns_),
               below = as_matrix(block.owned.empty() ? block.rows : block.owned, columns_);
    Eigen::MatrixXd stacked(above.rows() + below.rows(), columns_);
    stacked.topRows(above.rows()) = above;
    if (block.weight.empty())
      stacked.bottomRows(below.rows()) = below;
    else
      stacked.bottomRows(below.rows()) =
          Eigen::Map<const Eigen::VectorXd>(block.weight.data(), below.rows()).asDiagonal() * below;
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
  if (!open_.empty()) add_block({std::exchange(open_, {}), {}, {}});
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
