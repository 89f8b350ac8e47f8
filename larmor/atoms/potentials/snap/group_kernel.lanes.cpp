#include "larmor/atoms/potentials/snap/group_kernel.hpp"

#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

NeighbourRotation<Pack> rotation_of_slot(const SnapView& view, const SnapGroup& group, int slot) {
  const double* numbers = group.neighbours + Index{slot} * slot_numbers * lane_count;
  const auto number = [&](int n) { return Pack::load(numbers + n * lane_count); };
  return neighbour_rotation<Pack>(view.rule, {number(3), number(4), number(5), number(6)},
                                  {number(0), number(1), number(2)});
}

void density_of_group(const SnapView& view, const SnapGroup& group) {
  const AtomWork place(view);
  Pack* work = reinterpret_cast<Pack*>(group.work);
  find_density(
      view, group.element->channel, group.first_slot,
      [&](int slot) { return rotation_of_slot(view, group, slot); }, work + place.half,
      work + place.full);
}

/// All but gradients; leaves Y in the work where gradients are wanted.
void find_energy(const SnapView& view, const SnapGroup& group) {
  const SnapElementView& element = *group.element;
  const AtomWork place(view);
  Pack* work = reinterpret_cast<Pack*>(group.work);
  Pack *half = work + place.half, *U = work + place.full, *B = work + place.components;
  density_of_group(view, group);
  const int components = view.channels * view.channels * view.channels * view.tables.components;
  if (!view.linear || group.components) find_components(view, element.zero, U, B);
  if (group.components)
    for (int n = 0; n < components; ++n) B[n].store(group.components + Index{n} * lane_count);
  Pack energy(element.constant);
  if (view.linear) {
    // Components are cubic in U: 3 E = <U, dE/dU>.
    find_adjoint(view, element.product, U, half);
    Pack cubic(0.0);
    for (int channel = 0; channel < view.channels; ++channel)
      cubic = cubic + contracted<Pack>(view.tables, U + Index{channel} * view.tables.full * 2,
                                       half + Index{channel} * view.tables.half * 2);
    energy = energy + Pack(1.0 / 3.0) * cubic;
  } else {
    Pack* slope = work + place.slope;
    energy = quadratic_energy<Pack>(element, components, B, slope);
    if (group.gradient) {
      find_product_coefficients<Pack>(view, slope, work + place.product);
      find_adjoint(view, work + place.product, U, half);
    }
  }
  energy.store(group.energy);
}

template <GradientMethod method>
void evaluate(const SnapView& view, const SnapGroup& group) {
  find_energy(view, group);
  if (!group.gradient) return;
  const AtomWork place(view);
  Pack* work = reinterpret_cast<Pack*>(group.work);
  find_gradients<method>(
      view, group.first_slot, [&](int slot) { return rotation_of_slot(view, group, slot); },
      work + place.half, work + place.folded,
      [&](int slot, const Vec3<Pack>& gradient) {
        double* to = group.gradient + Index{slot} * 3 * lane_count;
        gradient.x.store(to);
        gradient.y.store(to + lane_count);
        gradient.z.store(to + 2 * lane_count);
      });
}

}  // namespace

extern const GroupKernels group_kernels_of_set;
const GroupKernels group_kernels_of_set{density_of_group, evaluate<GradientMethod::derivatives>,
                                        evaluate<GradientMethod::generators>};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
