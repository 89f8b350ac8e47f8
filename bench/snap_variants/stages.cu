// One kernel for each stage, as in the source (variants.hpp): U, Y, dU, dU.Y and forces.

#include "bench/snap_variants/kernels.cuh"
#include "bench/snap_variants/methods.hpp"
#include "larmor/atoms/potentials/snap/products.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms::snap;

__global__ void __launch_bounds__(snap_variant_threads)
    itself_kernel(const SnapVariantView view, VariantArray<double> U) {
  VariantWork work;
  if (find_work(view, 1, work)) add_itself(view, U.at(work.atom));
}

/// Adds w f u of a neighbour to whole matrices. @param U (atom, full, 2)
__global__ void __launch_bounds__(snap_variant_threads)
    whole_density_kernel(const SnapVariantView view, VariantArray<double> U) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const Strided<double> of_atom = U.at(work.atom);
  visit_weighted(view, rotation_of(view, work.atom, work.item),
                 [&](int n, const Complex<double>& u) {
                   visit_images(view.place[n], u, [&](int to, const Complex<double>& image) {
                     atomicAdd(&of_atom[2 * to], image.re);
                     atomicAdd(&of_atom[2 * to + 1], image.im);
                   });
                 });
}

/// Adds w f v of a neighbour to the halves. @param sum (atom, half, 2)
__global__ void __launch_bounds__(snap_variant_threads)
    half_density_kernel(const SnapVariantView view, VariantArray<double> sum) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const Strided<double> of_atom = sum.at(work.atom);
  const NeighbourRotation<double> g = rotation_of(view, work.atom, work.item);
  const CayleyKlein<double> of_one[1] = {cayley_klein(g)};
  walk_rows(view.tables.twojmax, of_one, [&](int n, const Elements<1, double>& e) {
    atomicAdd(&of_atom[2 * n], g.weight * e.v[0].re);
    atomicAdd(&of_atom[2 * n + 1], g.weight * e.v[0].im);
  });
}

/// Completes the halves to whole matrices. @param U (atom, full, 2)
__global__ void __launch_bounds__(snap_variant_threads)
    whole_kernel(const SnapVariantView view, VariantArray<double> sum, VariantArray<double> U) {
  VariantWork work;
  if (find_work(view, 1, work))
    make_whole<double>(view.tables, 1.0, sum.at(work.atom), U.at(work.atom));
}

/// One thread per element of a product. @param Y (atom, half, 2)
__global__ void __launch_bounds__(snap_variant_threads)
    adjoint_kernel(const SnapVariantView view, VariantArray<double> U, VariantArray<double> Y) {
  VariantWork work;
  if (!find_work(view, view.entries, work)) return;
  const ProductEntry e = view.entry[work.item];
  const Complex<double> z =
      view.coefficient[e.triple] * product_of(view.tables, e, U.at(work.atom));
  const int to = view.tables.row_start[e.j][e.mb] + e.ma;
  const Strided<double> of_atom = Y.at(work.atom);
  atomicAdd(&of_atom[2 * to], z.re);
  atomicAdd(&of_atom[2 * to + 1], z.im);
}

/// Forms the products of elements of two layers once, with one thread for each pair of layers.
__global__ void __launch_bounds__(snap_variant_threads)
    shared_adjoint_kernel(const SnapVariantView view, VariantArray<double> U,
                          VariantArray<double> Y) {
  VariantWork work;
  if (!find_work(view, view.tables.pairs, work)) return;
  const Strided<double> of_U = U.at(work.atom), of_atom = Y.at(work.atom);
  products_of_pair<double>(view.tables, work.item, of_U, of_U, true,
                           [&](int triple, int j, int mb, int ma, const Complex<double>& Z) {
                             const double c = view.coefficient[triple];
                             const int to = view.tables.row_start[j][mb] + ma;
                             atomicAdd(&of_atom[2 * to], c * Z.re);
                             atomicAdd(&of_atom[2 * to + 1], c * Z.im);
                           });
}

/// @param dU (pair, full or half, 3, 2)
__global__ void __launch_bounds__(snap_variant_threads)
    slopes_kernel(const SnapVariantView view, bool half, VariantArray<double> dU) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const Strided<double> of_pair = dU.at(work.atom, work.item);
  const auto store = [&](int to, int c, const Complex<double>& d) {
    of_pair[2 * (3 * to + c)] = d.re;
    of_pair[2 * (3 * to + c) + 1] = d.im;
  };
  visit_slopes(view, rotation_of(view, work.atom, work.item),
               [&](int n, int c, const Complex<double>& d) {
                 if (half)
                   store(n, c, d);
                 else
                   visit_images(view.place[n], d,
                                [&](int to, const Complex<double>& image) { store(to, c, image); });
               });
}

/// @param gradient dE_i/dr_ij (pair, 3)
__global__ void __launch_bounds__(snap_variant_threads)
    contraction_kernel(const SnapVariantView view, bool half, VariantArray<double> dU,
                       VariantArray<double> Y, VariantArray<double> gradient) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const Strided<double> of_pair = dU.at(work.atom, work.item), y = Y.at(work.atom);
  double sum[3] = {0, 0, 0};
  for (int n = 0; n < view.tables.half; ++n) {
    const HalfPlace& place = view.place[n];
    const int from = half ? n : place.here;
    const double re = weight_of(place) * y[2 * n], im = weight_of(place) * y[2 * n + 1];
    for (int c = 0; c < 3; ++c)
      sum[c] += of_pair[2 * (3 * from + c)] * re + of_pair[2 * (3 * from + c) + 1] * im;
  }
  for (int c = 0; c < 3; ++c) gradient.at(work.atom, work.item)[c] = sum[c];
}

/// @param folded (atom, half, 2), or with generators (atom, half, 4, 2)
__global__ void __launch_bounds__(snap_variant_threads)
    fold_kernel(const SnapVariantView view, bool generators, VariantArray<double> Y,
                VariantArray<double> folded) {
  VariantWork work;
  if (!find_work(view, 1, work)) return;
  if (generators)
    fold_with_generators<double>(view.tables, Y.at(work.atom), folded.at(work.atom));
  else
    fold<double>(view.tables, Y.at(work.atom), folded.at(work.atom));
}

__global__ void __launch_bounds__(snap_variant_threads)
    fused_kernel(const SnapVariantView view, VariantArray<double> folded,
                 VariantArray<double> gradient) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const Vec3<double> g = gradient_by_derivatives(
      view.tables, rotation_of(view, work.atom, work.item), folded.at(work.atom));
  const Strided<double> to = gradient.at(work.atom, work.item);
  to[0] = g.x;
  to[1] = g.y;
  to[2] = g.z;
}

__global__ void __launch_bounds__(snap_variant_threads)
    generators_kernel(const SnapVariantView view, VariantArray<double> folded,
                      VariantArray<double> gradient) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const NeighbourRotation<double> of_one[1] = {rotation_of(view, work.atom, work.item)};
  Vec3<double> g[1];
  gradients_by_generators(view.tables, of_one, folded.at(work.atom), g);
  const Strided<double> to = gradient.at(work.atom, work.item);
  to[0] = g[0].x;
  to[1] = g[0].y;
  to[2] = g[0].z;
}

__global__ void __launch_bounds__(snap_variant_threads)
    scatter_kernel(const SnapVariantView view, VariantArray<double> gradient, double* forces) {
  VariantWork work;
  if (!find_pair_work(view, work)) return;
  const Strided<double> from = gradient.at(work.atom, work.item);
  add_to_both(view, work, {from[0], from[1], from[2]}, forces);
}

class SnapStages : public SnapVariantForces {
 public:
  SnapStages(const Device& device, const SnapVariantSteps& steps, const SnapPotential& potential,
             const atoms::NeighbourRows& rows)
      : SnapVariantForces(device, potential, rows, steps.atom_fastest), steps_(steps) {
    const SnapTablesView& t = view().tables;
    U_ = of_atoms(U_array_, 2 * t.full);
    Y_ = of_atoms(Y_array_, 2 * t.half);
    gradient_ = of_pairs(gradient_array_, 3);
    if (steps.half) sum_ = of_atoms(sum_array_, 2 * t.half);
    if (steps.fused)
      folded_ = of_atoms(folded_array_, (steps.generators ? 8 : 2) * t.half);
    else
      dU_ = of_pairs(dU_array_, 6 * (steps.half ? t.half : t.full));
    parts_ = {{"U", [this] { launch_density(); }}, {"Y", [this] { launch_adjoint(); }}};
    if (steps.fused) {
      parts_.push_back({"dU.Y", [this] { launch_fused(); }});
    } else {
      parts_.push_back({"dU", [this] {
                          launch_for(view().slots, "SNAP, dU", slopes_kernel, view(), steps_.half,
                                     dU_);
                        }});
      parts_.push_back({"dU.Y", [this] {
                          launch_for(view().slots, "SNAP, dU.Y", contraction_kernel, view(),
                                     steps_.half, dU_, Y_, gradient_);
                        }});
    }
    parts_.push_back({"forces", [this] { launch_forces(); }});
  }

 private:
  void launch_density() {
    if (steps_.half) {
      clear(sum_array_);
      launch_for(view().slots, "SNAP, U", half_density_kernel, view(), sum_);
      launch_for(1, "SNAP, whole U", whole_kernel, view(), sum_, U_);
    } else {
      clear(U_array_);
      launch_for(1, "SNAP, U of an atom itself", itself_kernel, view(), U_);
      launch_for(view().slots, "SNAP, U", whole_density_kernel, view(), U_);
    }
  }
  void launch_adjoint() {
    clear(Y_array_);
    if (steps_.shared_products)
      launch_for(view().tables.pairs, "SNAP, Y", shared_adjoint_kernel, view(), U_, Y_);
    else
      launch_for(view().entries, "SNAP, Y", adjoint_kernel, view(), U_, Y_);
  }
  void launch_fused() {
    launch_for(1, "SNAP, folded Y", fold_kernel, view(), steps_.generators, Y_, folded_);
    launch_for(view().slots, "SNAP, dU.Y", steps_.generators ? generators_kernel : fused_kernel,
               view(), folded_, gradient_);
  }
  void launch_forces() {
    if (steps_.generators) {
      gather(gradient_);
    } else {
      clear(forces_);
      launch_for(view().slots, "SNAP, forces", scatter_kernel, view(), gradient_, forces_.data());
    }
  }

  SnapVariantSteps steps_;
  Array<double> U_array_, Y_array_, gradient_array_, sum_array_, folded_array_, dU_array_;
  VariantArray<double> U_{}, Y_{}, gradient_{}, sum_{}, folded_{}, dU_{};
};

}  // namespace

std::unique_ptr<SnapVariantMethod> make_snap_stages(const Device& device,
                                                    const SnapVariantSteps& steps,
                                                    const SnapPotential& potential,
                                                    const atoms::NeighbourRows& rows) {
  return std::make_unique<SnapStages>(device, steps, potential, rows);
}

}  // namespace larmor::bench
