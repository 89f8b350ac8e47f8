#include "larmor/transfer/vectors.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/ordered_sum.hpp"
#include "larmor/transfer/vector_kernels.hpp"

namespace larmor::transfer {
namespace {

#if defined(LARMOR_HAS_CUDA)
bool is_on_gpu(const Vector& w) { return w.device().backend == Backend::cuda; }
#endif

/// Calls body(first, last) for blocks of the elements.
template <class Body>
void for_blocks(const Vector& w, const Body& body) {
  parallel_for(w.device().threads, sum_blocks_of(w.size()), [&](Index block) {
    body(block * sites_of_sum_block, std::min(w.size(), (block + 1) * sites_of_sum_block));
  });
}

/// Sums over the own parts of a space (sum, part). @param sum_of (sum, first, last) -> double
template <class SumOf>
std::vector<double> part_sums(const VectorSpace& space, const Vector& w, Index sums,
                              const SumOf& sum_of) {
  const Index blocks = sum_blocks_of(w.size());
  std::vector<double> partial(static_cast<std::size_t>(sums * blocks));
  for_blocks(w, [&](Index first, Index last) {
    for (Index n = 0; n < sums; ++n)
      partial[static_cast<std::size_t>(n * blocks + first / sites_of_sum_block)] =
          sum_of(n, first, last);
  });
  const Index parts = space.own_parts(), each = blocks / parts;
  std::vector<double> totals;
  for (Index place = 0; place < sums * parts; ++place)
    totals.push_back(tree_sum(
        each, [&](Index n) { return partial[static_cast<std::size_t>(place * each + n)]; }));
  return totals;
}

double sum_of_products(const Vector& a, const Vector& b, Index first, Index last) {
  return vector_kernels().product(a.data() + first, b.data() + first, last - first);
}

}  // namespace

std::vector<double> dots(const VectorSpace& space, const Vector& w,
                         std::span<const Vector* const> vectors) {
  if (vectors.empty()) return {};
#if defined(LARMOR_HAS_CUDA)
  if (is_on_gpu(w)) return space.totals(detail::dots_on_gpu(space, w, vectors));
#endif
  return space.totals(
      part_sums(space, w, std::ssize(vectors), [&](Index n, Index first, Index last) {
        return sum_of_products(w, *vectors[static_cast<std::size_t>(n)], first, last);
      }));
}

double square(const VectorSpace& space, const Vector& w) {
  const Vector* const self[] = {&w};
  return dots(space, w, self).front();
}

double subtract_and_square(const VectorSpace& space, Vector& w, double factor,
                           std::span<const double> coefficients,
                           std::span<const Vector* const> vectors) {
#if defined(LARMOR_HAS_CUDA)
  if (is_on_gpu(w))
    return space.totals(detail::subtract_and_square_on_gpu(space, w, factor, coefficients, vectors))
        .front();
#endif
  double* const to = w.data();
  return space
      .totals(part_sums(space, w, 1,
                        [&](Index, Index first, Index last) {
                          if (factor != 1) vector_kernels().scale(to + first, factor, last - first);
                          for (std::size_t n = 0; n < vectors.size(); ++n)
                            vector_kernels().subtract(to + first, coefficients[n],
                                                      vectors[n]->data() + first, last - first);
                          return sum_of_products(w, w, first, last);
                        }))
      .front();
}

std::vector<double> dots(const Vector& w, std::span<const Vector* const> vectors) {
  return dots(VectorSpace(w.device(), w.size()), w, vectors);
}

double norm(const Vector& w) { return std::sqrt(square(VectorSpace(w.device(), w.size()), w)); }

void randomise(Vector& w, const RandomKey& key) {
  randomise(VectorSpace(w.device(), w.size()), w, key);
}

void subtract(Vector& w, std::span<const double> coefficients,
              std::span<const Vector* const> vectors) {
  if (vectors.empty()) return;
#if defined(LARMOR_HAS_CUDA)
  if (is_on_gpu(w)) return detail::subtract_on_gpu(w, coefficients, vectors);
#endif
  double* const to = w.data();
  for_blocks(w, [&](Index first, Index last) {
    for (std::size_t n = 0; n < vectors.size(); ++n) {
      vector_kernels().subtract(to + first, coefficients[n], vectors[n]->data() + first,
                                last - first);
    }
  });
}

void scale(Vector& w, double factor) {
#if defined(LARMOR_HAS_CUDA)
  if (is_on_gpu(w)) return detail::scale_on_gpu(w, factor);
#endif
  double* const to = w.data();
  for_blocks(w, [&](Index first, Index last) {
    vector_kernels().scale(to + first, factor, last - first);
  });
}

void copy(const Vector& from, Vector& to) {
  copy_within(to.device(), to.data(), from.data(),
              static_cast<std::size_t>(from.size()) * sizeof(double));
}

void rotate(std::span<Vector* const> vectors, std::span<const double> rotation, Index columns) {
#if defined(LARMOR_HAS_CUDA)
  if (is_on_gpu(*vectors.front())) return detail::rotate_on_gpu(vectors, rotation, columns);
#endif
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

void randomise(const VectorSpace& space, Vector& w, const RandomKey& key) {
#if defined(LARMOR_HAS_CUDA)
  if (is_on_gpu(w)) return detail::randomise_on_gpu(w, key, space.first());
#endif
  double* const to = w.data();
  for_blocks(w, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) to[i] = random_element(key, space.first() + i);
  });
}

}  // namespace larmor::transfer
