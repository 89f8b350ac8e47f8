#include "larmor/atoms/potentials/snap/group_kernel.hpp"

#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/atoms/potentials/snap/group_slots.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using Real = GroupReal;

void density_of_group(const SnapView& view, const SnapGroup& group) {
  const AtomWork place(view);
  Real* work = reinterpret_cast<Real*>(group.work);
  find_density(
      view, group.element->channel, group.first_slot,
      [&](int slot) { return rotation_of_slot<Real>(view, group, slot); }, work + place.half,
      work + place.full);
}

/// Computes everything except gradients. Leaves Y in the work array if gradients are wanted.
void find_energy(const SnapView& view, const SnapGroup& group) {
  const SnapElementView& element = *group.element;
  const AtomWork place(view);
  Real* work = reinterpret_cast<Real*>(group.work);
  Real *half = work + place.half, *U = work + place.full, *B = work + place.components;
  density_of_group(view, group);
  const int components = view.channels * view.channels * view.channels * view.tables.components;
  if (!view.linear || group.components) find_components(view, element.zero, U, B);
  if (group.components)
    for (int n = 0; n < components; ++n) store(B[n], group.components + Index{n} * lane_count);
  Real energy(element.constant);
  if (view.linear) {
    // Components are cubic in U: 3 E = <U, dE/dU>.
    find_adjoint(view, element.product, U, half);
    Real cubic(0.0);
    for (int channel = 0; channel < view.channels; ++channel)
      cubic = cubic + contracted<Real>(view.tables, U + Index{channel} * view.tables.full * 2,
                                       half + Index{channel} * view.tables.half * 2);
    energy = energy + Real(1.0 / 3.0) * cubic;
  } else {
    Real* slope = work + place.slope;
    energy = quadratic_energy<Real>(element, components, B, slope);
    if (group.gradient) {
      find_product_coefficients<Real>(view, slope, work + place.product);
      find_adjoint(view, work + place.product, U, half);
    }
  }
  store(energy, group.energy);
}

template <GradientMethod method>
void evaluate(const SnapView& view, const SnapGroup& group) {
  find_energy(view, group);
  if (!group.gradient) return;
  const AtomWork place(view);
  Real* work = reinterpret_cast<Real*>(group.work);
  find_gradients<method>(
      view, group.first_slot, [&](int slot) { return rotation_of_slot<Real>(view, group, slot); },
      work + place.half, work + place.folded,
      [&](int slot, const Vec3<Real>& gradient) {
        double* to = group.gradient + Index{slot} * 3 * lane_count;
        store(gradient.x, to);
        store(gradient.y, to + lane_count);
        store(gradient.z, to + 2 * lane_count);
      });
}

/// Runs the kernel for all atoms of the group.
template <void (*kernel)(const SnapView&, const SnapGroup&)>
void for_group(const SnapView& view, const SnapGroup& group) {
  for (int lane = 0; lane < lane_count; lane += atoms_at_once) {
    SnapGroup lanes = group;
    lanes.neighbours += lane;
    lanes.energy += lane;
    if (lanes.components) lanes.components += lane;
    if (lanes.gradient) lanes.gradient += lane;
    kernel(view, lanes);
  }
}

}  // namespace

const GroupKernels group_kernels_table{for_group<density_of_group>,
                                       for_group<evaluate<GradientMethod::derivatives>>,
                                       for_group<evaluate<GradientMethod::generators>>};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
