#pragma once
// SNAP in its first published form, for one atom. Matrices are whole, and all products Z are
// stored. The derivatives of the components follow from those of U by
//
//   dB_j1j2j = <dU_j, Z_j1j2j> + (j+1)/(j1+1) <dU_j1, Z_j j2 j1> + (j+1)/(j2+1) <dU_j2, Z_j j1 j2>.
//
// This method is slow. It is a reference for the other methods, and gives derivatives of
// descriptors. A. P. Thompson et al., J. Comput. Phys. 285, 316 (2015).

#include <complex>
#include <span>
#include <vector>

#include "larmor/atoms/potentials/snap/energy_function.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::atoms::snap {

struct BaselineNeighbour {
  Vec3<double> displacement;
  int element;
};

/// Stages of the computation for an atom, in order: U; Y, or all products Z; gradients.
enum class Stage { density, products, gradients };

class Baseline {
 public:
  Baseline(const SnapPotential& potential, const SnapTables& tables, const EnergyFunction& energy)
      : potential_(potential), tables_(tables), energy_(energy) {}

  struct Descriptors {
    std::vector<double> B;            ///< [components]
    std::vector<Vec3<double>> slope;  ///< dB/dr for the neighbours (neighbour, component)
  };
  /// @param neighbours neighbours within their cutoffs
  /// @param last last stage to compute; later results are 0
  Descriptors descriptors(int element, std::span<const BaselineNeighbour> neighbours,
                          Stage last = Stage::gradients) const;

  struct Result {
    double energy;
    std::vector<Vec3<double>> gradient;  ///< dE/dr for the neighbours
  };
  Result evaluate(int element, std::span<const BaselineNeighbour> neighbours,
                  Stage last = Stage::gradients) const;

 private:
  using Complex = std::complex<double>;
  using Matrices = std::vector<Complex>;  ///< all layers (full)
  using Matrix = std::vector<Complex>;    ///< one layer (j + 1, j + 1)

  struct NeighbourMatrices {
    int channel;
    Matrices u;     ///< w f u
    Matrices d[3];  ///< its derivatives
  };
  NeighbourMatrices matrices(int element, const BaselineNeighbour& neighbour) const;
  std::size_t place(int j, int mb, int ma) const {
    return static_cast<std::size_t>(tables_.view().layer_start[j] + mb * (j + 1) + ma);
  }
  /// Z_j1j2j from U_j1 and U_j2 of two channels.
  Matrix product(const Triple& t, const Matrices& first, const Matrices& second) const;
  /// <X_j, Z>
  double contraction(int j, const Matrices& X, const Matrix& Z) const;

  const SnapPotential& potential_;
  const SnapTables& tables_;
  const EnergyFunction& energy_;
};

}  // namespace larmor::atoms::snap
