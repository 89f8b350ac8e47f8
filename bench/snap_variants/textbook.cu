// One kernel with a thread per atom, as SNAP was written for CPUs (A. P. Thompson et al., J.
// Comput. Phys. 285, 316 (2015)). The adjoint method has Y in place of Z (arXiv:2011.12875).

#include "bench/snap_variants/kernels.cuh"
#include "bench/snap_variants/methods.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms::snap;

/// Working memory for one atom.
struct TextbookWork {
  VariantArray<double> U;   ///< (full, 2)
  VariantArray<double> dU;  ///< one neighbour (full, 3, 2)
  VariantArray<double> Z;   ///< (entry, 2); in the adjoint method Y (half, 2)
  VariantArray<double> dB;  ///< (component, 3)
};

__device__ void find_density(const SnapVariantView& view, Index atom, Strided<double> U) {
  for (int n = 0; n < 2 * view.tables.full; ++n) U[n] = 0;
  add_itself(view, U);
  for (int slot = 0; slot < view.count[atom]; ++slot)
    visit_weighted(view, rotation_of(view, atom, slot), [&](int n, const Complex<double>& u) {
      visit_images(view.place[n], u, [&](int to, const Complex<double>& image) {
        U[2 * to] += image.re;
        U[2 * to + 1] += image.im;
      });
    });
}

__device__ void find_slopes(const SnapVariantView& view, const NeighbourRotation<double>& g,
                            Strided<double> dU) {
  visit_slopes(view, g, [&](int n, int c, const Complex<double>& d) {
    visit_images(view.place[n], d, [&](int to, const Complex<double>& image) {
      dU[2 * (3 * to + c)] = image.re;
      dU[2 * (3 * to + c) + 1] = image.im;
    });
  });
}

/// sum[c] += factor <dU_j / dr_c, Z>. @param Z half of layer j, which begins at `first`
__device__ void add_contracted(const SnapVariantView& view, int j, double factor,
                               Strided<double> dU, Strided<double> Z, int first, double (&sum)[3]) {
  for (int mb = 0; 2 * mb <= j; ++mb)
    for (int ma = 0; ma <= (2 * mb == j ? mb : j); ++ma, ++first) {
      const int full = view.tables.layer_start[j] + mb * (j + 1) + ma;
      const double weight = (2 * mb == j && 2 * ma == j ? 1 : 2) * factor;
      for (int c = 0; c < 3; ++c)
        sum[c] += weight * (dU[2 * (3 * full + c)] * Z[2 * first] +
                            dU[2 * (3 * full + c) + 1] * Z[2 * first + 1]);
    }
}

__global__ void __launch_bounds__(snap_variant_threads)
    baseline_kernel(const SnapVariantView view, const TextbookWork work, double* forces) {
  VariantWork task;
  if (!find_work(view, 1, task)) return;
  const Strided<double> U = work.U.at(task.atom), dU = work.dU.at(task.atom),
                        Z = work.Z.at(task.atom), dB = work.dB.at(task.atom);
  find_density(view, task.atom, U);
  for (int n = 0; n < view.entries; ++n) {
    const Complex<double> z = product_of(view.tables, view.entry[n], U);
    Z[2 * n] = z.re;
    Z[2 * n + 1] = z.im;
  }
  for (int slot = 0; slot < view.count[task.atom]; ++slot) {
    find_slopes(view, rotation_of(view, task.atom, slot), dU);
    for (int k = 0; k < view.tables.components; ++k) {
      const ComponentShares& shares = view.shares[k];
      double slope[3] = {0, 0, 0};
      for (int s = 0; s < 3; ++s)
        add_contracted(view, shares.j[s], shares.factor[s], dU, Z,
                       view.first_entry[shares.triple[s]], slope);
      for (int c = 0; c < 3; ++c) dB[3 * k + c] = slope[c];
    }
    double gradient[3] = {0, 0, 0};
    for (int k = 0; k < view.tables.components; ++k)
      for (int c = 0; c < 3; ++c) gradient[c] += view.beta[k] * dB[3 * k + c];
    add_to_both(view, {task.atom, slot}, gradient, forces);
  }
}

__global__ void __launch_bounds__(snap_variant_threads)
    adjoint_kernel(const SnapVariantView view, const TextbookWork work, double* forces) {
  VariantWork task;
  if (!find_work(view, 1, task)) return;
  const SnapTablesView& t = view.tables;
  const Strided<double> U = work.U.at(task.atom), dU = work.dU.at(task.atom),
                        Y = work.Z.at(task.atom);
  find_density(view, task.atom, U);
  for (int n = 0; n < 2 * t.half; ++n) Y[n] = 0;
  for (int n = 0; n < view.entries; ++n) {
    const ProductEntry& e = view.entry[n];
    const Complex<double> z = view.coefficient[e.triple] * product_of(t, e, U);
    const int to = t.row_start[e.j][e.mb] + e.ma;
    Y[2 * to] += z.re;
    Y[2 * to + 1] += z.im;
  }
  for (int slot = 0; slot < view.count[task.atom]; ++slot) {
    find_slopes(view, rotation_of(view, task.atom, slot), dU);
    double gradient[3] = {0, 0, 0};
    for (int n = 0; n < t.half; ++n) {
      const HalfPlace& place = view.place[n];
      for (int c = 0; c < 3; ++c)
        gradient[c] += weight_of(place) * (dU[2 * (3 * place.here + c)] * Y[2 * n] +
                                           dU[2 * (3 * place.here + c) + 1] * Y[2 * n + 1]);
    }
    add_to_both(view, {task.atom, slot}, gradient, forces);
  }
}

class SnapTextbook : public SnapVariantForces {
 public:
  SnapTextbook(const Device& device, bool adjoint, const SnapPotential& potential,
               const atoms::NeighbourRows& rows)
      : SnapVariantForces(device, potential, rows, false) {
    const SnapTablesView& t = view().tables;
    work_ = {of_atoms(U_, 2 * t.full), of_atoms(dU_, 6 * t.full),
             of_atoms(Z_, 2 * (adjoint ? t.half : view().entries)),
             of_atoms(dB_, adjoint ? 0 : 3 * t.components)};
    parts_ = {{"all", [this, adjoint] {
                 clear(forces_);
                 launch_for(1, adjoint ? "SNAP, adjoint" : "SNAP, baseline",
                            adjoint ? adjoint_kernel : baseline_kernel, view(), work_,
                            forces_.data());
               }}};
  }

 private:
  Array<double> U_, dU_, Z_, dB_;
  TextbookWork work_{};
};

}  // namespace

std::unique_ptr<SnapVariantMethod> make_snap_textbook(const Device& device,
                                                      const SnapVariantSteps& steps,
                                                      const SnapPotential& potential,
                                                      const atoms::NeighbourRows& rows) {
  return std::make_unique<SnapTextbook>(device, steps.adjoint, potential, rows);
}

}  // namespace larmor::bench
