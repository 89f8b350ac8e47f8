#pragma once
// Sums and products of long vectors. BITS: sums have the order of ordered_sum.hpp within each part
// of a VectorSpace, for any number of threads and ranks.

#include <span>
#include <vector>

#include "larmor/core/maths/philox.hpp"
#include "larmor/transfer/vector_space.hpp"

namespace larmor::transfer {

/// The products of w with some vectors of equal length. Waits for a GPU.
std::vector<double> dots(const VectorSpace& space, const Vector& w,
                         std::span<const Vector* const> vectors);
/// The product of w with itself.
double square(const VectorSpace& space, const Vector& w);
/// w -= sum_n coefficient[n] vectors[n].
void subtract(Vector& w, std::span<const double> coefficients,
              std::span<const Vector* const> vectors);
/// w = factor w - sum_n coefficient[n] vectors[n]. @return the product of the new w with itself
double subtract_and_square(const VectorSpace& space, Vector& w, double factor,
                           std::span<const double> coefficients,
                           std::span<const Vector* const> vectors);
void scale(Vector& w, double factor);
void copy(const Vector& from, Vector& to);
/// Replaces the first columns of the matrix of some vectors by its product with `rotation`.
/// @param rotation (vector, column), no more columns than vectors
void rotate(std::span<Vector* const> vectors, std::span<const double> rotation, Index columns);
/// Uniform random numbers in (-1, 1), functions of key and index.
void randomise(const VectorSpace& space, Vector& w, const RandomKey& key);

// These functions take vectors of which one rank has all numbers.

std::vector<double> dots(const Vector& w, std::span<const Vector* const> vectors);
double norm(const Vector& w);
void randomise(Vector& w, const RandomKey& key);

namespace detail {
/// @return sums over the own parts (vector, part)
std::vector<double> dots_on_gpu(const VectorSpace& space, const Vector& w,
                                std::span<const Vector* const> vectors);
/// @return sums over the own parts
std::vector<double> subtract_and_square_on_gpu(const VectorSpace& space, Vector& w, double factor,
                                               std::span<const double> coefficients,
                                               std::span<const Vector* const> vectors);
void subtract_on_gpu(Vector& w, std::span<const double> coefficients,
                     std::span<const Vector* const> vectors);
void scale_on_gpu(Vector& w, double factor);
void rotate_on_gpu(std::span<Vector* const> vectors, std::span<const double> rotation,
                   Index columns);
void randomise_on_gpu(Vector& w, const RandomKey& key, Index first);
}  // namespace detail

/// One random number of a vector.
LARMOR_INLINE double random_element(const RandomKey& key, Index i) {
  const auto words = philox(key, static_cast<std::uint64_t>(i), std::uint64_t{0});
  return 2 * uniform_52<double>(words.w[0], words.w[1]) - 1;
}

/// Vectors of a product of the matrix of vectors: enough for a basis of Lanczos.
inline constexpr Index most_vectors = 64;

}  // namespace larmor::transfer
