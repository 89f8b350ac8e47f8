#include "larmor/atoms/potentials/snap/component_gradients.hpp"

#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/atoms/potentials/snap/group_slots.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using Real = GroupReal;

/// Sums dB/dU of all components, for the density of one channel. @param Y (element, 2)
void find_component_adjoints(const SnapView& view, const ComponentPlanView& plan, int channel,
                             Real* U, Real* Y) {
  const SnapTablesView& t = view.tables;
  const int layers = t.twojmax + 1;
  for (int n = 0; n < 2 * plan.most_elements; ++n) Y[n] = Real(0.0);
  const int* place_of = plan.place + Index{channel} * plan.components * layers;
  visit_products(
      view, U, [&](int k, int l, int triple, int j, int mb, int ma, const Complex<Real>& Z) {
        const ProductShare* share =
            view.share +
            shares_of_product *
                (Index{(k * view.channels + l) * view.channels + channel} * t.triples + triple);
        for (int s = 0; s < shares_of_product; ++s, ++share) {
          if (share->factor == 0) continue;
          const int place = place_of[share->component * layers + j] + mb * (j + 1) + ma;
          Real* y = Y + 2 * Index{place};
          y[0] = y[0] + Real(share->factor) * Z.re;
          y[1] = y[1] + Real(share->factor) * Z.im;
        }
      });
}

/// The generators applied to one layer, with the weights of a sum over the half.
/// @param Y (element of the layer, 2) @param folded (element of the layer, 4, 2)
void fold_layer(const SnapTablesView& t, int j, const Real* Y, Real* folded) {
  for (int mb = 0; 2 * mb <= j; ++mb, Y += 2 * (j + 1), folded += 8 * (j + 1)) {
    const bool is_middle = j == 2 * mb;
    const int size = is_middle ? mb : j;
    Complex<Real> y[most_twojmax + 1];
    for (int ma = 0; ma <= size; ++ma) {
      const Real scale((is_middle ? 1.0 : 2.0) * t.norm[t.row_start[j][mb] + ma]);
      y[ma] = {scale * Y[2 * ma], scale * Y[2 * ma + 1]};
      if (is_middle && ma < mb) y[j - ma] = mirrored(ma + mb, y[ma]);
    }
    for (int ma = 0; ma <= size; ++ma) {
      Complex<Real> generated[4];
      apply_generators(j, ma, y[ma > 0 ? ma - 1 : 0], y[ma], y[ma < j ? ma + 1 : j], generated);
      const Real weight(is_middle && ma < mb ? 2.0 : 1.0);
      for (int p = 0; p < 4; ++p) {
        folded[8 * ma + 2 * p] = weight * generated[p].re;
        folded[8 * ma + 2 * p + 1] = weight * generated[p].im;
      }
    }
  }
}

/// Gradients of all components for some neighbours of one channel. @param v (element, neighbour, 2)
template <int count>
void gradients_of_neighbours(const SnapView& view, const SnapGroup& group,
                             const ComponentPlanView& plan, int channel, int slot,
                             const Real* folded, Real* v, double* gradient) {
  const SnapTablesView& t = view.tables;
  NeighbourRotation<Real> neighbour[count];
  CayleyKlein<Real> g[count];
  for (int c = 0; c < count; ++c) {
    neighbour[c] = rotation_of_slot<Real>(view, group, slot + c);
    g[c] = cayley_klein(neighbour[c]);
  }
  walk_rows(t.twojmax, g, [&](int n, const Elements<count, Real>& e) {
    for (int c = 0; c < count; ++c) {
      v[2 * (n * count + c)] = e.v[c].re;
      v[2 * (n * count + c) + 1] = e.v[c].im;
    }
  });
  const int* first_layer = plan.first_layer + Index{channel} * (plan.components + 1);
  for (int component = 0; component < plan.components; ++component) {
    Real sum[count][4];
    for (int c = 0; c < count; ++c)
      for (int p = 0; p < 4; ++p) sum[c][p] = Real(0.0);
    for (int n = first_layer[component]; n < first_layer[component + 1]; ++n) {
      const auto [j, place] = plan.layer[n];
      const Real* y = folded + 8 * Index{place};
      for (int mb = 0; 2 * mb <= j; ++mb, y += 8 * (j + 1)) {
        const Real* element = v + 2 * Index{t.row_start[j][mb]} * count;
        const int size = j == 2 * mb ? mb : j;
        for (int ma = 0; ma <= size; ++ma, element += 2 * count)
          for (int p = 0; p < 4; ++p) {
            const Real re = y[8 * ma + 2 * p], im = y[8 * ma + 2 * p + 1];
            for (int c = 0; c < count; ++c)
              sum[c][p] = sum[c][p] + re * element[2 * c] + im * element[2 * c + 1];
          }
      }
    }
    for (int c = 0; c < count; ++c) {
      const Vec3<Real> slope =
          gradient_of(neighbour[c], sum[c][0], {-sum[c][3], -sum[c][2], sum[c][1]});
      double* to = gradient + (Index{slot + c} * plan.components + component) * 3 * lane_count;
      store(slope.x, to);
      store(slope.y, to + lane_count);
      store(slope.z, to + 2 * lane_count);
    }
  }
}

void gradients_of_lanes(const SnapView& view, const SnapGroup& group, const ComponentPlanView& plan,
                        double* work, double* gradient) {
  const SnapTablesView& t = view.tables;
  const AtomWork place(view);
  Real* atom = reinterpret_cast<Real*>(group.work);
  Real *U = atom + place.full, *Y = reinterpret_cast<Real*>(work);
  Real *folded = Y + 2 * Index{plan.most_elements}, *v = folded + 8 * Index{plan.most_elements};
  find_density(
      view, group.element->channel, group.first_slot,
      [&](int slot) { return rotation_of_slot<Real>(view, group, slot); }, atom + place.half, U);
  for (int channel = 0; channel < view.channels; ++channel) {
    const int end = group.first_slot[channel + 1];
    int slot = group.first_slot[channel];
    if (slot == end) continue;
    find_component_adjoints(view, plan, channel, U, Y);
    const int* first_layer = plan.first_layer + Index{channel} * (plan.components + 1);
    for (int n = first_layer[0]; n < first_layer[plan.components]; ++n) {
      const auto [j, first] = plan.layer[n];
      fold_layer(t, j, Y + 2 * Index{first}, folded + 8 * Index{first});
    }
    for (; slot + 4 <= end; slot += 4)
      gradients_of_neighbours<4>(view, group, plan, channel, slot, folded, v, gradient);
    for (; slot < end; ++slot)
      gradients_of_neighbours<1>(view, group, plan, channel, slot, folded, v, gradient);
  }
}

void gradients_of_group(const SnapView& view, const SnapGroup& group, const ComponentPlanView& plan,
                        double* work, double* gradient) {
  for (int lane = 0; lane < lane_count; lane += atoms_at_once) {
    SnapGroup lanes = group;
    lanes.neighbours += lane;
    gradients_of_lanes(view, lanes, plan, work, gradient + lane);
  }
}

}  // namespace

const ComponentKernels component_kernels_table{gradients_of_group};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
