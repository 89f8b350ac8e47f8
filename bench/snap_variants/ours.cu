// The kernels of the program, larmor/atoms/potentials/snap/gpu_snap.hpp.

#include "bench/snap_variants/kernels.cuh"
#include "bench/snap_variants/methods.hpp"
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"

namespace larmor::bench {
namespace {

constexpr std::int32_t only_element[1] = {0};

class SnapOurs : public SnapVariantForces {
 public:
  SnapOurs(const Device& device, const atoms::snap::SnapPotential& potential,
           const atoms::NeighbourRows& rows)
      : SnapVariantForces(device, potential, rows, false),
        snap_(potential, only_element, device),
        type_(device, rows.atoms()),
        energy_(device, rows.atoms()),
        gradient_(of_pairs(gradient_array_, 3)) {
    static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
    parts_ = {{"dE/dr", [this] { evaluate(); }}, {"forces", [this] { gather(gradient_); }}};
  }

 private:
  void evaluate() {
    const auto* displacement = reinterpret_cast<const Vec3<double>*>(view().displacement.data);
    const atoms::GpuRowsView rows{view().atoms,          view().slots, view().count,
                                  view().neighbour.data, displacement, view().mirror.data};
    snap_.evaluate(rows, type_.data(), energy_.data(),
                   reinterpret_cast<Vec3<double>*>(gradient_.data), false,
                   larmor::cuda::stream(device_.ordinal));
  }

  atoms::snap::GpuSnap snap_;
  Array<std::int32_t> type_;  ///< all 0
  Array<double> energy_, gradient_array_;
  VariantArray<double> gradient_;
};

}  // namespace

std::unique_ptr<SnapVariantMethod> make_snap_ours(const Device& device, const SnapVariantSteps&,
                                                  const atoms::snap::SnapPotential& potential,
                                                  const atoms::NeighbourRows& rows) {
  return std::make_unique<SnapOurs>(device, potential, rows);
}

}  // namespace larmor::bench
