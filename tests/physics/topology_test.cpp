// Rooms: lattice, spins
#include "larmor/spins/observables/topology.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "larmor/study/models/spins/system/initial.hpp"
#include "test_system.hpp"

namespace larmor::spins::topology_tests {
namespace {

using testing_support::TestSystem;

/// The exchange makes the storage order of the sites differ from the canonical order.
TestSystem layer(const std::string& type, bool periodic, Index replicas = 1, int threads = 1) {
  return TestSystem("[lattice]\ntype='" + type + "'\nsize=[24,24]\nperiodic=" +
                        (periodic ? "true" : "false") + "\n[[exchange]]\nshell=1\nJ=1\n",
                    replicas, threads);
}

std::vector<double> charges(const TestSystem& system) {
  return LayerCharge(lattice::triangulate_layers(system.geometry), system.state)
      .measure(system.state)
      .take();
}

/// Spins e(r), with r from the middle of the layer. If `vorticity` is 1, e turns with the polar
/// angle, and if it is -1, against it. The soliton of A. A. Belavin and A. M. Polyakov, JETP Lett.
/// 22 (1975) 245, has tan(theta / 2) = R / r, so its core points down.
std::vector<Vec3<double>> soliton(const lattice::Geometry& g, double R, int vorticity,
                                  double helicity) {
  const Vec3<double> middle = 0.5 * (static_cast<double>(g.size[0]) * g.crystal.cell[0] +
                                     static_cast<double>(g.size[1]) * g.crystal.cell[1]) +
                              Vec3<double>{0.21, 0.13, 0};
  std::vector<Vec3<double>> e;
  for (Index site = 0; site < g.sites(); ++site) {
    const Vec3<double> r = g.position(site) - middle;
    const double theta = 2 * std::atan2(R, std::hypot(r.x, r.y));
    const double phi = vorticity * std::atan2(r.y, r.x) + helicity;
    e.push_back(
        {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
  }
  return e;
}

/// The rotation by three Euler angles in radians.
Mat3<double> rotation(double a, double b, double c) {
  const auto about_z = [](double t) {
    return Mat3<double>{{{std::cos(t), -std::sin(t), 0}, {std::sin(t), std::cos(t), 0}, {0, 0, 1}}};
  };
  const auto product = [](const Mat3<double>& m, const Mat3<double>& n) {
    const Mat3<double> columns = n.transposed();
    return Mat3<double>{{m * columns.row[0], m * columns.row[1], m * columns.row[2]}}.transposed();
  };
  const Mat3<double> about_x{
      {{1, 0, 0}, {0, std::cos(b), -std::sin(b)}, {0, std::sin(b), std::cos(b)}}};
  return product(about_z(a), product(about_x, about_z(c)));
}

class TopologicalCharge : public testing::TestWithParam<const char*> {};

TEST_P(TopologicalCharge, SkyrmionWithCoreDownIsMinusOneAndItsAntiskyrmionPlusOne) {
  TestSystem system = layer(GetParam(), true);
  for (const double helicity : {0.0, std::numbers::pi / 2, 2.1}) {
    system.state.set_all(soliton(system.geometry, 3, 1, helicity));
    EXPECT_NEAR(charges(system)[0], -1, 1e-10);
    system.state.set_all(soliton(system.geometry, 3, -1, helicity));
    EXPECT_NEAR(charges(system)[0], 1, 1e-10);
  }
}

TEST_P(TopologicalCharge, OpenLayersLackTheTailBeyondTheirEdge) {
  TestSystem system = layer(GetParam(), false);
  constexpr double R = 3;
  // A disc of radius r about the core holds r^2 / (r^2 + R^2) of the charge. The layer contains a
  // disc of radius 8.5 and lies within a disc of radius 22.
  for (const int vorticity : {1, -1}) {
    system.state.set_all(soliton(system.geometry, R, vorticity, 0.4));
    const double Q = -vorticity * charges(system)[0];
    EXPECT_GT(Q, 8.5 * 8.5 / (8.5 * 8.5 + R * R));
    EXPECT_LT(Q, 22.0 * 22.0 / (22.0 * 22.0 + R * R));
  }
  // If the edge is exactly uniform, the charge is complete.
  std::vector<Vec3<double>> e = soliton(system.geometry, R, 1, 0.4);
  for (Index site = 0; site < system.geometry.sites(); ++site) {
    const auto cell = system.geometry.decode(site).cell;
    if (cell[0] == 0 || cell[1] == 0 || cell[0] == 23 || cell[1] == 23)
      e[static_cast<std::size_t>(site)] = {0, 0, 1};
  }
  system.state.set_all(e);
  EXPECT_NEAR(charges(system)[0], -1, 1e-10);
}

TEST_P(TopologicalCharge, SpiralsAndUniformStatesHaveNone) {
  TestSystem system = layer(GetParam(), true);
  EXPECT_EQ(charges(system)[0], 0);
  const study::SystemTables no_terms;
  study::InitialTable spiral;
  spiral.state = "spiral";
  spiral.direction = {0, 1, 0};
  for (const Vec3<double>& normal : {Vec3<double>{0, 0, 1}, Vec3<double>{1, 0, 0}}) {
    spiral.normal = normal;
    // In the second state, the spins of a triangle are at 120 degrees on a great circle.
    for (const Vec3<double>& q :
         {Vec3<double>{1.0 / 12, 1.0 / 24, 0}, Vec3<double>{1.0 / 3, 1.0 / 3, 0}}) {
      spiral.q = q;
      system.state.set_all(study::initial_directions(spiral, {system.geometry, no_terms}));
      EXPECT_NEAR(charges(system)[0], 0, 1e-12);
    }
  }
}

TEST_P(TopologicalCharge, RandomSpinsOnAPeriodicLayerHaveAWholeCharge) {
  TestSystem system = layer(GetParam(), true, 9);
  system.state.randomise(5);
  double largest = 0;
  for (const double Q : charges(system)) {
    EXPECT_NEAR(Q, std::round(Q), 1e-10);
    largest = std::max(largest, std::abs(Q));
  }
  EXPECT_GT(largest, 0.5);
}

TEST_P(TopologicalCharge, MirroredSpinsHaveTheOppositeCharge) {
  TestSystem system = layer(GetParam(), false);
  system.state.randomise(6);
  const double Q = charges(system)[0];
  ASSERT_GT(std::abs(Q), 0.1);
  std::vector<Vec3<double>> e = system.state.configuration(0);
  for (Vec3<double>& spin : e) spin.x = -spin.x;
  system.state.set_all(e);
  EXPECT_NEAR(charges(system)[0], -Q, 1e-10);
}

TEST_P(TopologicalCharge, RotatingAllSpinsChangesNothing) {
  TestSystem system = layer(GetParam(), false);
  system.state.randomise(7);
  const double Q = charges(system)[0];
  std::vector<Vec3<double>> e = system.state.configuration(0);
  const Mat3<double> turned = rotation(0.3, 1.1, -2.5);
  for (Vec3<double>& spin : e) spin = turned * spin;
  system.state.set_all(e);
  EXPECT_NEAR(charges(system)[0], Q, 1e-10);
}

TEST_P(TopologicalCharge, LayoutAndThreadsChangeNoBit) {
  TestSystem one = layer(GetParam(), false, 1), nine = layer(GetParam(), false, 9),
             threads = layer(GetParam(), false, 9, 2);
  nine.state.randomise(8);
  threads.state.randomise(8);
  const std::vector<double> Q = charges(nine);
  ASSERT_EQ(Q.size(), 9U);
  EXPECT_EQ(charges(threads), Q);
  // A GPU sums one replica in another order than it sums several replicas.
  const double rounding = one.state.device().backend == Backend::cpu ? 0 : 1e-12;
  for (Index replica = 0; replica < 9; ++replica) {
    one.state.set_all(nine.state.configuration(replica));
    EXPECT_NEAR(charges(one)[0], Q[static_cast<std::size_t>(replica)], rounding);
  }
}

TEST_P(TopologicalCharge, DensityAddsUpAndLiesAtTheCore) {
  TestSystem system = layer(GetParam(), true, 9);
  system.state.set_all(soliton(system.geometry, 3, 1, 0));
  const auto triangles = lattice::triangulate_layers(system.geometry);
  const std::vector<double> density = topological_charge_density(triangles, system.state, 8);
  ASSERT_EQ(density.size(), triangles.size());
  double total = 0, core = 0;
  for (std::size_t t = 0; t < density.size(); ++t) {
    total += density[t];
    const double z = system.state.configuration(8)[static_cast<std::size_t>(triangles[t][0])].z;
    if (z < 0) core += density[t];
  }
  EXPECT_NEAR(total, charges(system)[8], 1e-12);
  // Half of the sphere lies below its equator, so the core has half of the charge.
  EXPECT_NEAR(core, -0.5, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Lattices, TopologicalCharge,
                         testing::Values("square", "triangular", "honeycomb", "kagome"),
                         [](const auto& type) { return std::string(type.param); });

TEST(SolidAngle, OctantIsAnEighthOfTheSphere) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  EXPECT_NEAR(solid_angle(x, y, z), std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(solid_angle(y, x, z), -std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(solid_angle(x, x, y), 0);
  EXPECT_EQ(solid_angle(x, -x, y), 0);
}

TEST(SolidAngle, EquilateralTrianglesHaveTheirSphericalExcess) {
  for (const double z : {0.99, 0.6, 0.2, 0.01}) {
    const double rho = std::sqrt(1 - z * z);
    std::array<Vec3<double>, 3> e{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double phi = 2 * std::numbers::pi * static_cast<double>(k) / 3;
      e[k] = {rho * std::cos(phi), rho * std::sin(phi), z};
    }
    const double side = dot(e[0], e[1]);
    const double excess = 3 * std::acos(side / (1 + side)) - std::numbers::pi;
    EXPECT_NEAR(solid_angle(e[0], e[1], e[2]), excess, 1e-12);
    EXPECT_NEAR(solid_angle(-e[0], -e[1], -e[2]), -excess, 1e-12);
  }
}

TEST(TopologicalChargeOfLayers, EveryLayerCounts) {
  TestSystem system("[lattice]\ntype='sc'\nsize=[16,16,3]\n[[exchange]]\nshell=1\nJ=1\n");
  lattice::Geometry flat = system.geometry;
  flat.size[2] = 1;
  const std::vector<Vec3<double>> skyrmion = soliton(flat, 2, 1, 0);
  std::vector<Vec3<double>> e;
  for (int layer_index = 0; layer_index < 2; ++layer_index)
    e.insert(e.end(), skyrmion.begin(), skyrmion.end());
  e.resize(3 * skyrmion.size(), {0, 0, 1});
  system.state.set_all(e);
  EXPECT_NEAR(charges(system)[0], -2, 1e-10);
}

/// A honeycomb whose atoms are at two heights, in a cell five edges high.
std::string buckled(double low, double high, Index layers = 1) {
  return "[lattice]\ncell=[[1,0,0],[-0.5,0.8660254037844386,0],[0,0,5]]\n"
         "basis=[[0.3333333333333333,0.6666666666666666," +
         std::to_string(high) + "],[0.6666666666666666,0.3333333333333333," + std::to_string(low) +
         "]]\nsize=[14,14," + std::to_string(layers) + "]\nperiodic=[true,true," +
         (layers > 1 ? "true" : "false") + "]\n[[exchange]]\nshell=1\nJ=1\n";
}

double charge_of_a_skyrmion(const std::string& lattice,
                            std::optional<double> thickness = std::nullopt) {
  TestSystem system(lattice);
  system.state.set_all(soliton(system.geometry, 3, 1, 0));
  return LayerCharge(lattice::triangulate_layers(system.geometry, thickness), system.state)
      .measure(system.state)
      .take()[0];
}

TEST(TopologicalChargeOfLayers, ABuckledHoneycombIsOneLayer) {
  for (const double high : {0.0, 1e-7, 0.004, 0.04})
    EXPECT_NEAR(charge_of_a_skyrmion(buckled(0, high)), -1, 1e-10) << high;
  // Heights are below the cell, or on both sides of its upper end.
  EXPECT_NEAR(charge_of_a_skyrmion(buckled(-0.01, 0.01)), -1, 1e-10);
  EXPECT_NEAR(charge_of_a_skyrmion(buckled(0.99, 0.01, 2)), -2, 1e-10);
  EXPECT_NEAR(charge_of_a_skyrmion(buckled(0.01, 0.02, 3)), -3, 1e-10);
}

TEST(TopologicalChargeOfLayers, TheUserSaysHowThickALayerIs) {
  // Two atoms are 0.5 apart and have a bond of 0.76. They form two layers, unless layers may be so
  // thick.
  EXPECT_NEAR(charge_of_a_skyrmion(buckled(0, 0.1)), -2, 1e-10);
  EXPECT_NEAR(charge_of_a_skyrmion(buckled(0, 0.1), 0.6), -1, 1e-10);
  EXPECT_NEAR(charge_of_a_skyrmion(buckled(0, 0.04), 0.1), -2, 1e-10);
  for (const double thickness : {4.6, 6.0})
    EXPECT_THROW(charge_of_a_skyrmion(buckled(0, 0.1, 3), thickness), InputError) << thickness;
  const std::string sc = "[lattice]\ntype='sc'\nsize=[14,14,3]\n[[exchange]]\nshell=1\nJ=1\n";
  EXPECT_NEAR(charge_of_a_skyrmion(sc, 0.9), -3, 1e-10);
  EXPECT_THROW(charge_of_a_skyrmion(sc, 1.1), InputError);
}

TEST(TopologicalChargeOfLayers, LayersThatFollowOneAnotherStayApart) {
  // The cell has four heights. Sites of each layer lie above those of the second layer below it.
  // Nearest neighbours are 0.56 apart, and the step of 0.25 exceeds 0.4 of this distance.
  TestSystem stack(
      "[lattice]\ncell=[[1,0,0],[0,1,0],[0,0,1]]\n"
      "basis=[[0,0,0],[0.5,0,0.25],[0,0.5,0.5],[0.5,0.5,0.75]]\nsize=[14,14,1]\n"
      "[[exchange]]\nshell=1\nJ=1\n");
  stack.state.set_all(soliton(stack.geometry, 3, 1, 0));
  EXPECT_NEAR(charges(stack)[0], -4, 1e-10);
  // Steps of 0.2 would join all heights in one layer, so each height is a layer.
  TestSystem steps(
      "[lattice]\ncell=[[1,0,0],[0,1,0],[0,0,2]]\n"
      "basis=[[0,0,0],[0.5,0,0.1],[0,0.5,0.2],[0.5,0.5,0.3],[0,0,0.4]]\nsize=[14,14,1]\n"
      "periodic=[true,true,false]\n[[exchange]]\nshell=1\nJ=1\n");
  steps.state.set_all(soliton(steps.geometry, 3, 1, 0));
  EXPECT_NEAR(charges(steps)[0], -5, 1e-10);
}

}  // namespace
}  // namespace larmor::spins::topology_tests
