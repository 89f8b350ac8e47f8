#pragma once
// The screened repulsion of nuclei: J. F. Ziegler, J. P. Biersack, U. Littmark, The Stopping and
// Range of Ions in Matter (Pergamon, 1985),
//
//   E(r) = e^2/(4 pi eps0) Z_i Z_j / r * phi(r / a) + S(r),   a = 0.46850 / (Z_i^0.23 + Z_j^0.23),
//
// with phi a sum of four exponentials. S(r) is constant for r < inner. Between inner and outer it
// is the polynomial A/3 t^3 + B/4 t^4 + C with t = r - inner. Energy, force and the force's slope
// then vanish at `outer`. This is the form of LAMMPS's pair style zbl. e^2/(4 pi eps0) = 14.399645
// eV Angstrom, the constant of LAMMPS's metal units. Each pair counts once; half of it belongs to
// each of its atoms.

#include <cmath>
#include <span>
#include <vector>

#include "larmor/atoms/neighbours/pair_gradients.hpp"

namespace larmor::atoms {

/// The repulsion of two nuclei.
class ZblPair {
 public:
  /// @param Z_i, Z_j charges of the nuclei; need not be integers
  ZblPair(double Z_i, double Z_j, double inner, double outer);

  struct Value {
    double energy, slope;  ///< E(r), dE/dr
  };
  /// Zero at r >= outer.
  LARMOR_INLINE Value at(double r) const {
    if (!(r < outer_)) return {0, 0};
    const Bare nuclei = bare(r);
    const double t = r > inner_ ? r - inner_ : 0;
    return {nuclei.energy + t * t * t * (A_ / 3 + B_ / 4 * t) + C_,
            nuclei.slope + t * t * (A_ + B_ * t)};
  }

 private:
  struct Bare {
    double energy, slope, curvature;
  };
  LARMOR_INLINE Bare bare(double r) const {
    double sum = 0, first = 0, second = 0;
    for (std::size_t n = 0; n < decay_.size(); ++n) {
      const double term = strength_[n] * std::exp(-decay_[n] * r);
      sum += term;
      first -= decay_[n] * term;
      second += decay_[n] * decay_[n] * term;
    }
    const double energy = sum / r, slope = (first - energy) / r;
    return {energy, slope, (second - 2 * slope) / r};
  }

  double inner_, outer_;
  std::array<double, 4> decay_{}, strength_{};
  double A_ = 0, B_ = 0, C_ = 0;
};

/// The repulsion of atoms of several types.
class Zbl {
 public:
  struct Nuclei {
    std::int32_t type_i, type_j;  ///< from 0
    double Z_i, Z_j;
  };
  /// @param pairs pairs of types that repel each other. If a pair has several entries, the last one
  /// is used
  /// @throws InputError unless 0 < inner < outer, and all Z > 0
  Zbl(double inner, double outer, std::int32_t types, std::span<const Nuclei> pairs);

  /// This repulsion for another numbering of types.
  /// @param type_here type in this object for each type of the other numbering
  Zbl of_types(std::span<const std::int32_t> type_here) const;

  double cutoff() const { return outer_; }
  /// @param rows at least the pairs within `cutoff()` @param types types of the atoms, from 0
  PairGradients evaluate(const NeighbourRows& rows, std::span<const std::int32_t> types) const;

 private:
  friend class GpuZbl;

  double outer_;
  std::size_t types_;
  std::vector<ZblPair> pairs_;
  std::vector<std::int32_t> pair_of_types_;  ///< -1: none [types, types]
};

}  // namespace larmor::atoms
