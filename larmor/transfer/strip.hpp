#pragma once
// An Ising strip of equal rows, infinitely long, and a strip of given rows with free ends.
//
//   - beta f = ln |lambda_0| / L per site,   1 / xi = ln |lambda_0 / lambda_1|
//
// The two largest eigenvalues of equal sign under a flip of all spins give the correlation length
// of even observables such as the energy; the largest odd one gives that of the spins.

#include <optional>

#include "larmor/transfer/lanczos.hpp"
#include "larmor/transfer/row_averages.hpp"
#include "larmor/transfer/transfer_matrix.hpp"

namespace larmor::transfer {

struct Level {
  double ln_value;  ///< ln |lambda|; NaN if rounding hides lambda, below 1e-10 of the largest
  bool is_negative;
  double residual;  ///< relative to the largest eigenvalue of the sector
};

/// The eigenvalues of one sector, found product by product.
class StripSpectrum {
 public:
  /// @param world ranks that share the vectors, if VectorSpace::can_share; null: one rank
  StripSpectrum(const Device& device, const RowModel& model, Sector sector,
                const LanczosSettings& settings, const Communicator* world = nullptr);
  // The search refers to the matrix.
  StripSpectrum(const StripSpectrum&) = delete;
  StripSpectrum& operator=(const StripSpectrum&) = delete;

  /// @return true: all are found
  bool step() { return lanczos_.step(); }
  double residual() const { return lanczos_.residual(); }
  Index products() const { return lanczos_.products(); }
  /// The largest first.
  std::vector<Level> levels() const;
  /// Averages in the state of the largest one, of the sector `all` or `even`.
  RowAverages averages();

  /// Bytes of one of some ranks.
  static double bytes(const RowModel& model, Sector sector, const LanczosSettings& settings,
                      int ranks = 1);

 private:
  RowModel model_;
  SiteBits bits_;
  std::unique_ptr<VectorSpace> space_;
  std::shared_ptr<const RowWeights> weights_;
  Index wanted_;
  TransferMatrix matrix_;
  Lanczos lanczos_;
};

/// ln Z of a strip of given rows with free ends, row by row:
/// Z = 1^T D_N X_(N-1) ... X_1 D_1 1.
class StripProduct {
 public:
  /// @param all the bonds of all rows @param first the first row
  StripProduct(const Device& device, const RowModel& all, const RowModel& first);

  /// Adds the next row. @param K_next couplings of the last row to it
  void add(const RowModel& row, const std::vector<double>& K_next);
  /// ln Z of the rows so far.
  double ln_Z() const;
  static double bytes(const RowModel& all);

 private:
  /// 1^T D^(1/2) v of the last row.
  double closing_sum() const;

  SiteBits bits_;
  VectorSpace space_;
  std::shared_ptr<const RowWeights> last_;
  Vector v_, next_;
  double ln_scale_ = 0;
};

/// Lyapunov exponents of a strip whose rows differ: the growth rates of orthogonal vectors, in
/// units of 1 / row. The first even and odd ones give a typical correlation length. G. Benettin et
/// al., Meccanica 15, 9 (1980).
class LyapunovExponents {
 public:
  /// @param all the bonds of all rows @param first the first row
  /// @param count at most the number of states of the sector
  LyapunovExponents(const Device& device, const RowModel& all, const RowModel& first, Sector sector,
                    Index count);

  /// Adds the next row. @param K_next couplings of the last row to it
  void add(const RowModel& row, const std::vector<double>& K_next);
  /// The largest first.
  std::vector<double> values() const;
  static double bytes(const RowModel& all, Sector sector, Index count);

 private:
  /// Makes the vectors orthogonal. @return ln of their lengths before they were normalised
  std::vector<double> orthonormalise();

  SiteBits bits_;
  VectorSpace space_;
  std::shared_ptr<const RowWeights> last_;
  std::vector<Vector> v_;
  Vector next_;
  std::vector<double> ln_growth_;
  Index rows_ = 0;
};

}  // namespace larmor::transfer
