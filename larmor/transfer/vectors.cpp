#include "larmor/transfer/vectors.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor::transfer {
namespace {

bool is_on_gpu(const Vector& w) { return w.device().backend == Backend::cuda; }

/// Calls body(first, last) for blocks of the elements.
template <class Body>
void for_blocks(const Vector& w, const Body& body) {
  parallel_for(w.device().threads, sum_blocks_of(w.size()), [&](Index block) {
    body(block * sites_of_sum_block, std::min(w.size(), (block + 1) * sites_of_sum_block));
  });
}

}  // namespace

std::vector<double> dots(const Vector& w, std::span<const Vector* const> vectors) {
  if (vectors.empty()) return {};
  if (is_on_gpu(w)) return detail::dots_on_gpu(w, vectors);
  const Index blocks = sum_blocks_of(w.size());
  std::vector<double> partial(vectors.size() * static_cast<std::size_t>(blocks));
  for_blocks(w, [&](Index first, Index last) {
    for (std::size_t n = 0; n < vectors.size(); ++n) {
      const double* const a = w.data();
      const double* const b = vectors[n]->data();
      partial[n * static_cast<std::size_t>(blocks) +
              static_cast<std::size_t>(first / sites_of_sum_block)] =
          tree_sum(last - first, [&](Index i) { return a[first + i] * b[first + i]; });
    }
  });
  std::vector<double> sums;
  for (std::size_t n = 0; n < vectors.size(); ++n)
    sums.push_back(tree_sum(blocks, [&](Index block) {
      return partial[n * static_cast<std::size_t>(blocks) + static_cast<std::size_t>(block)];
    }));
  return sums;
}

double norm(const Vector& w) {
  const Vector* const self[] = {&w};
  return std::sqrt(dots(w, self).front());
}

void subtract(Vector& w, std::span<const double> coefficients,
              std::span<const Vector* const> vectors) {
  if (vectors.empty()) return;
  if (is_on_gpu(w)) return detail::subtract_on_gpu(w, coefficients, vectors);
  double* const to = w.data();
  for_blocks(w, [&](Index first, Index last) {
    for (std::size_t n = 0; n < vectors.size(); ++n) {
      const double* const from = vectors[n]->data();
      const double c = coefficients[n];
      for (Index i = first; i < last; ++i) to[i] -= c * from[i];
    }
  });
}

void scale(Vector& w, double factor) {
  if (is_on_gpu(w)) return detail::scale_on_gpu(w, factor);
  double* const to = w.data();
  for_blocks(w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) to[i] *= factor;
  });
}

void copy(const Vector& from, Vector& to) {
  copy_bytes(to.device(), to.data(), from.device(), from.data(),
             static_cast<std::size_t>(from.size()) * sizeof(double));
}

void rotate(std::span<Vector* const> vectors, std::span<const double> rotation, Index columns) {
  if (is_on_gpu(*vectors.front())) return detail::rotate_on_gpu(vectors, rotation, columns);
  for_blocks(*vectors.front(), [&](Index first, Index last) {
    constexpr Index width = 64;
    std::vector<double> rows(vectors.size() * width);
    for (Index begin = first; begin < last; begin += width) {
      const Index count = std::min(width, last - begin);
      for (std::size_t n = 0; n < vectors.size(); ++n)
        std::copy_n(vectors[n]->data() + begin, count, rows.data() + n * width);
      for (Index column = 0; column < columns; ++column) {
        double* const to = vectors[static_cast<std::size_t>(column)]->data() + begin;
        std::fill_n(to, count, 0.0);
        for (std::size_t n = 0; n < vectors.size(); ++n) {
          const double y =
              rotation[n * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
          for (Index i = 0; i < count; ++i)
            to[i] += y * rows[n * width + static_cast<std::size_t>(i)];
        }
      }
    }
  });
}

void randomise(Vector& w, const RandomKey& key) {
  if (is_on_gpu(w)) return detail::randomise_on_gpu(w, key);
  double* const to = w.data();
  for_blocks(w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) to[i] = random_element(key, i);
  });
}

}  // namespace larmor::transfer
