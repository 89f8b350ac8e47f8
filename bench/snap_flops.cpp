#include "bench/snap_system.hpp"
#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/atoms/potentials/snap/energy_function.hpp"
#include "larmor/atoms/potentials/snap/pair_shapes.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms::snap;

/// A number whose operations are counted.
struct Counted {
  static inline thread_local Index operations = 0;
  double value = 0;

  Counted() = default;
  explicit Counted(double number) : value(number) {}

  static Counted found(double number) {
    ++operations;
    return Counted(number);
  }
  friend Counted operator+(Counted x, Counted y) { return found(x.value + y.value); }
  friend Counted operator-(Counted x, Counted y) { return found(x.value - y.value); }
  friend Counted operator*(Counted x, Counted y) { return found(x.value * y.value); }
  // A change of sign is not counted, because it is part of the next operation.
  friend Counted operator-(Counted x) { return Counted(-x.value); }
};

NeighbourRotation<Counted> counted(const NeighbourRotation<double>& g) {
  const auto number = [](double x) { return Counted(x); };
  return {{number(g.direction.x), number(g.direction.y), number(g.direction.z)},
          number(g.inverse_distance),
          number(g.cosine),
          number(g.sine),
          number(g.rate),
          number(g.weight),
          number(g.weight_slope)};
}

}  // namespace

double least_snap_flops(const SnapPotential& potential, int neighbours) {
  const SnapTables tables(potential.parameters.twojmax);
  const EnergyFunction energy(potential, tables);
  const std::vector<double> product = energy.of_products(energy.linear(0));
  SnapView view{};
  view.tables = tables.view();
  view.rule = rotation_rule(potential.parameters);
  view.channels = 1;
  view.self_in_all = view.linear = true;
  const PairShape<double> shape = pair_shape(potential, 0, 0);
  const NeighbourRotation<Counted> neighbour =
      counted(neighbour_rotation(view.rule, shape, {0.3 * shape.cutoff, 0.4 * shape.cutoff, 0}));
  const AtomWork place(view);
  std::vector<Counted> work(static_cast<std::size_t>(place.size));
  Counted *Y = work.data() + place.half, *U = work.data() + place.full;
  const int first_slot[2] = {0, neighbours};
  const auto rotation = [&](int) { return neighbour; };
  Counted::operations = 0;
  find_density(view, 0, first_slot, rotation, Y, U);
  find_adjoint(view, product.data(), U, Y);
  find_gradients<GradientMethod::generators>(
      view, first_slot, rotation, Y, work.data() + place.folded, [](int, const Vec3<Counted>&) {});
  return static_cast<double>(Counted::operations);
}

}  // namespace larmor::bench
