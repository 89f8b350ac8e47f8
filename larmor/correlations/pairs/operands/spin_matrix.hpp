#pragma once
// The spins of all replicas as a matrix whose products are correlations.

#include "larmor/core/device/array.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations::real_space {

/// Numbers of a replica at a site. spins: the three components. centred: the components minus their
/// means over replicas (Chen et al., Eq. 5). quadrupoles: xx, yy, zz and sqrt(2) times xy, xz, yz,
/// so that the product over one replica is (e.e')^2. centred_quadrupoles: quadrupoles of the
/// centred spins.
enum class MatrixOf { spins, centred, quadrupoles, centred_quadrupoles };

/// Replicas that a jackknife leaves out, from `first` on. Means do not include these replicas, and
/// their numbers are zero.
struct LeftOut {
  Index first = 0, count = 0;
  LARMOR_HD bool holds(Index replica) const { return replica >= first && replica < first + count; }
};

/// Matrix (site, numbers of replica 0, of replica 1, ...), double, on the device of the spins.
/// Sites are in storage order, without vacancies.
class SpinMatrix {
 public:
  SpinMatrix(const spins::SpinState& state, MatrixOf kind);
  /// Copies the current spins. Does not wait for a GPU.
  void fill(const spins::SpinState& state);
  /// Computes the matrix from a matrix of spins. Does not wait for a GPU.
  /// @param spins matrix of all replicas, MatrixOf::spins @param left_out replicas whose numbers
  /// become zero
  void fill(const SpinMatrix& spins, const LeftOut& left_out = {});

  const Device& device() const { return device_; }
  Index sites() const { return sites_; }
  Index numbers() const { return numbers_; }
  const double* data() const { return matrix_.data(); }
  std::vector<double> to_host() const { return matrix_.to_host(); }
  /// Copies numbers from the host, (site, numbers). @throws InternalError for another size
  void set(std::span<const double> numbers) { matrix_.copy_from(numbers); }

 private:
  Device device_;
  Index sites_, replicas_, numbers_;
  MatrixOf kind_;
  Array<double> matrix_;
};

namespace detail {

LARMOR_HD constexpr bool is_centred(MatrixOf kind) {
  return kind == MatrixOf::centred || kind == MatrixOf::centred_quadrupoles;
}

LARMOR_HD constexpr bool is_quadrupole(MatrixOf kind) {
  return kind == MatrixOf::quadrupoles || kind == MatrixOf::centred_quadrupoles;
}

LARMOR_HD constexpr int numbers_of_spin(MatrixOf kind) { return is_quadrupole(kind) ? 6 : 3; }

/// Writes the numbers of a spin. @param e spin, from which the mean is already subtracted if `kind`
/// is centred
LARMOR_HD inline void store_spin(MatrixOf kind, const Vec3<double>& e, double* numbers) {
  if (!is_quadrupole(kind)) {
    numbers[0] = e.x;
    numbers[1] = e.y;
    numbers[2] = e.z;
    return;
  }
  constexpr double root = 1.41421356237309504880;
  numbers[0] = e.x * e.x;
  numbers[1] = e.y * e.y;
  numbers[2] = e.z * e.z;
  numbers[3] = root * e.x * e.y;
  numbers[4] = root * e.x * e.z;
  numbers[5] = root * e.y * e.z;
}

/// Reads spins from a matrix of MatrixOf::spins.
struct SpinsOfMatrix {
  const double* matrix;
  Index replicas;
  LARMOR_HD Vec3<double> load(Index replica, Index site) const {
    const double* e = matrix + 3 * (site * replicas + replica);
    return {e[0], e[1], e[2]};
  }
};

#if defined(LARMOR_HAS_CUDA)
/// SpinMatrix::fill on a GPU.
void fill_on_gpu(const spins::SpinState& state, MatrixOf kind, double* matrix);
void fill_on_gpu(const Device& device, const SpinsOfMatrix& spins, Index sites, MatrixOf kind,
                 const LeftOut& left_out, double* matrix);
#endif

}  // namespace detail

}  // namespace larmor::correlations::real_space
