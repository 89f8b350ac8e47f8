// Rooms: study
#include "larmor/study/models/spins/system/textures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "larmor/spins/observables/topology.hpp"
#include "larmor/study/models/spins/system/initial.hpp"
#include "test_system.hpp"

namespace larmor::study::textures_tests {
namespace {

using testing_support::TestSystem;

constexpr double pi = std::numbers::pi;

std::vector<Vec3<double>> directions(const std::string& text, int threads = 1) {
  const SystemTables tables = parse_system(text, "test");
  return initial_directions(tables.initial, {build_geometry(tables), tables, threads});
}

double charge(const std::string& text) {
  TestSystem system(text);
  system.state.set_all(directions(text));
  return spins::topological_charge(lattice::triangulate_layers(system.geometry), system.state)[0];
}

/// The energy per site of the texture that the text describes.
double energy(const std::string& text) {
  TestSystem system(text);
  system.state.set_all(directions(text));
  return spins::energy_per_site(system.model, system.state)[0];
}

std::string lattice(const std::string& type, const std::string& size,
                    const std::string& periodic = "true") {
  return "[lattice]\ntype='" + type + "'\nsize=" + size + "\nperiodic=" + periodic + "\n";
}

std::string initial(const std::string& keys) { return "[initial]\n" + keys; }

const std::string film = lattice("square", "[40,40]");

TEST(Textures, ASkyrmionHasTheChargeMinusOneAndItsAntiskyrmionPlusOne) {
  for (const std::string helicity : {"'0 deg'", "'90 deg'", "'200 deg'", "'auto'"}) {
    const std::string keys = "radius=6\nhelicity=" + helicity;
    EXPECT_NEAR(charge(film + initial("state='skyrmion'\n" + keys)), -1, 1e-9);
    EXPECT_NEAR(charge(film + initial("state='antiskyrmion'\n" + keys)), 1, 1e-9);
    EXPECT_NEAR(charge(film + initial("state='skyrmion'\nwinding=2\n" + keys)), -2, 1e-9);
  }
  EXPECT_NEAR(charge(film + initial("state='skyrmion'\nradius=6\ndirection=[0,0,-1]")), 1, 1e-9);
}

TEST(Textures, TheSurroundingsOfASkyrmionPointAsTheFieldDoes) {
  const std::string skyrmion = initial("state='skyrmion'\nradius=6");
  EXPECT_NEAR(charge(film + "[field]\nB=[0,0,0.2]\n" + skyrmion), -1, 1e-9);
  EXPECT_NEAR(charge(film + "[field]\nB=[0.5,0,-0.2]\n" + skyrmion), 1, 1e-9);
  EXPECT_NEAR(charge(film + "[field]\nB=[0,0,-0.2]\n" + skyrmion + "\ndirection=[0,0,1]"), -1,
              1e-9);
}

TEST(Textures, ASkyrmionLatticeHasOneChargeForEachOfItsCells) {
  const std::string type = "state='skyrmion-lattice'\n";
  const std::string rhombus = lattice("triangular", "[24,24]");
  EXPECT_NEAR(charge(rhombus + initial(type + "period=12")), -4, 1e-9);
  EXPECT_NEAR(charge(rhombus + initial(type + "period=8")), -9, 1e-9);
  EXPECT_NEAR(charge(rhombus + initial(type + "period=12\nwinding=-1")), 4, 1e-9);
  EXPECT_NEAR(charge(rhombus + initial(type + "period=12\ndirection=[0,0,-1]")), 4, 1e-9);
  // The lattice of skyrmions is turned by 30 degrees, and 24 = 2 sqrt(3) a.
  EXPECT_NEAR(charge(rhombus + initial(type + "period=6.9282\norientation='30 deg'")), -12, 1e-9);
  // A square of 48 x 42 sites holds 4 x 4 cells of a strained lattice, of 12 x 10.5 instead of 12 x
  // 10.39.
  EXPECT_NEAR(charge(lattice("square", "[48,42]") + initial(type + "period=12")), -16, 1e-9);
}

TEST(Textures, ASkyrmionLatticeRepeatsAfterItsPeriod) {
  const auto e = directions(lattice("triangular", "[24,24]") +
                            initial("state='skyrmion-lattice'\nperiod=12\ncentre=[0,0,0]"));
  for (std::size_t y = 0; y < 24; ++y)
    for (std::size_t x = 0; x < 24; ++x) {
      const Vec3<double> a = e[x + 24 * y];
      EXPECT_LT(length(a - e[(x + 12) % 24 + 24 * y]), 1e-12);
      EXPECT_LT(length(a - e[x + 24 * ((y + 12) % 24)]), 1e-12);
    }
  EXPECT_NEAR(e[0].z, -1, 1e-12);
}

TEST(Textures, ASkyrmionLatticeHasNoSeamWhereAPeriodicLatticeCloses) {
  const auto e =
      directions(lattice("square", "[53,47]") + initial("state='skyrmion-lattice'\nperiod=12"));
  double inside = 0, across = 0;
  for (std::size_t y = 0; y < 47; ++y)
    for (std::size_t x = 0; x < 53; ++x) {
      const Vec3<double> a = e[x + 53 * y];
      const double right = length(a - e[(x + 1) % 53 + 53 * y]);
      const double above = length(a - e[x + 53 * ((y + 1) % 47)]);
      (x == 52 ? across : inside) = std::max(x == 52 ? across : inside, right);
      (y == 46 ? across : inside) = std::max(y == 46 ? across : inside, above);
    }
  EXPECT_LT(across, 1.01 * inside);
}

TEST(Textures, AVortexHasHalfTheChargeOfItsCore) {
  const std::string disc = lattice("square", "[41,41]", "false");
  const std::string type = "state='vortex'\nwidth=3\n";
  EXPECT_NEAR(charge(disc + initial(type)), 0.5, 1e-3);
  EXPECT_NEAR(charge(disc + initial(type + "direction=[0,0,-1]")), -0.5, 1e-3);
  EXPECT_NEAR(charge(disc + initial(type + "winding=-1")), -0.5, 1e-3);
  EXPECT_NEAR(charge(disc + "[field]\nB=[0,0,-1]\n" + initial(type)), -0.5, 1e-3);
}

TEST(Textures, HelicityNinetyCirclesCounterclockwise) {
  const auto e =
      directions(lattice("square", "[41,41]", "false") +
                 initial("state='vortex'\nwidth=1\nhelicity='90 deg'"));  // centre at [20, 20]
  EXPECT_NEAR(e[35 + 41 * 20].y, 1, 1e-6);
  EXPECT_NEAR(e[20 + 41 * 35].x, -1, 1e-6);
}

/// The Dzyaloshinskii-Moriya interaction of a film, and the helicity that it prefers.
struct Preference {
  const char* name;
  std::string system;
  std::optional<double> degrees;

  friend void PrintTo(const Preference& tested, std::ostream* out) { *out << tested.name; }
};

std::string dmi(const std::string& keys) { return "[[dmi]]\n" + keys + "\n"; }

class HelicityOfDmi : public testing::TestWithParam<Preference> {};

TEST_P(HelicityOfDmi, IsThatOfTheLowestEnergy) {
  const Preference& tested = GetParam();
  const std::string begin = tested.system + "[[exchange]]\nshell=1\nJ=1\n";
  for (const std::string up : {"1", "-1"}) {
    const std::string skyrmion =
        begin + initial("state='skyrmion'\nradius=5\ndirection=[0,0," + up + "]\nhelicity=");
    const double found = energy(skyrmion + "'auto'");
    double highest = found;
    for (int degrees = 0; degrees < 360; degrees += 15) {
      const double other = energy(skyrmion + "'" + std::to_string(degrees) + " deg'");
      EXPECT_LT(found, other + 1e-12) << degrees << " deg, up " << up;
      highest = std::max(highest, other);
    }
    // The interaction distinguishes between the textures.
    EXPECT_GT(highest - found, 0.01);
    if (!tested.degrees) continue;
    // If a texture is turned over, it has the opposite preference.
    const double degrees = *tested.degrees + (up == "1" ? 0 : 180);
    EXPECT_NEAR(energy(skyrmion + "'" + std::to_string(degrees) + " deg'"), found, 1e-9);
  }
}

/// Bonds of `film` along a lattice vector, listed pair by pair, from its first `sites` sites.
std::string film_pairs(Index x, Index y, Index sites = 1600) {
  std::string pairs;
  for (Index site = 0; site < sites; ++site) {
    const Index to = (site % 40 + x) % 40 + 40 * ((site / 40 + y) % 40);
    pairs += "[" + std::to_string(site) + "," + std::to_string(to) + "],";
  }
  return "pairs=[" + pairs + "]";
}

INSTANTIATE_TEST_SUITE_P(
    Models, HelicityOfDmi,
    testing::Values(
        Preference{"interface", film + dmi("shell=1\nstrength=0.5\ndirection='interface'"), 180},
        Preference{"interface_negative",
                   film + dmi("shell=1\nstrength=-0.5\ndirection='interface'"), 0},
        Preference{"interface_second_shell",
                   film + dmi("shell=2\nstrength=-0.5\ndirection='interface'"), 0},
        Preference{"bulk", film + dmi("shell=1\nstrength=0.5"), 90},
        Preference{"bulk_negative", film + dmi("shell=1\nstrength=-0.5"), -90},
        Preference{
            "vectors",
            film + dmi("offset=[[1,0,0]]\nD=[0.3,0.3,0]") + dmi("offset=[[0,1,0]]\nD=[-0.3,0.3,0]"),
            135},
        Preference{"tensor",
                   film +
                       "[[exchange-tensor]]\noffset=[[1,0,0]]\nA=[[1,0,-0.5],[0,1,0],"
                       "[0.5,0,1]]\n[[exchange-tensor]]\noffset=[[0,1,0]]\nA=[[1,0,0],[0,1,-0.5],"
                       "[0,0.5,1]]\n",
                   180},
        Preference{"pairs",
                   film + dmi(film_pairs(1, 0) + "\nD=[0,-0.5,0]") +
                       dmi(film_pairs(0, 1) + "\nD=[0.5,0,0]"),
                   0},
        Preference{
            "triangular",
            lattice("triangular", "[40,40]") + dmi("shell=1\nstrength=0.5\ndirection='interface'"),
            180},
        Preference{"honeycomb", lattice("honeycomb", "[30,30]") + dmi("shell=1\nstrength=0.5"), 90},
        Preference{"alloy",
                   film + "[[alloy]]\nby='vacancy'\nfraction=0.1\n" +
                       dmi("shell=1\nstrength=0.5\ndirection='interface'"),
                   std::nullopt},
        Preference{"three_dimensions", lattice("sc", "[30,30,3]") + dmi("shell=1\nstrength=-0.5"),
                   -90}),
    testing_support::by_name);

TEST(Textures, AntiskyrmionsAndLatticesFollowTheInteractionToo) {
  // These D of bonds along x and y belong to the point group D2d. Antiskyrmions gain energy, and
  // skyrmions do not.
  const std::string twofold =
      film + dmi("offset=[[1,0,0]]\nD=[0.4,0,0]") + dmi("offset=[[0,1,0]]\nD=[0,-0.4,0]");
  const std::string antiskyrmion = initial("state='antiskyrmion'\nradius=5\nhelicity=");
  const double found = energy(twofold + antiskyrmion + "'auto'");
  EXPECT_NEAR(found, energy(twofold + antiskyrmion + "'90 deg'"), 1e-12);
  EXPECT_LT(found, energy(twofold + antiskyrmion + "'0 deg'") - 0.01);
  const std::string skyrmion = initial("state='skyrmion'\nradius=5\nhelicity=");
  EXPECT_EQ(directions(twofold + skyrmion + "'auto'"), directions(twofold + skyrmion + "0"));

  const std::string bulk = lattice("triangular", "[24,24]") + dmi("shell=1\nstrength=0.5");
  const std::string type = initial("state='skyrmion-lattice'\nperiod=12\nhelicity=");
  EXPECT_NEAR(energy(bulk + type + "'auto'"), energy(bulk + type + "'90 deg'"), 1e-12);
  EXPECT_LT(energy(bulk + type + "'auto'"), energy(bulk + type + "'-90 deg'") - 0.1);
}

TEST(Textures, WithoutDzyaloshinskiiMoriyaInteractionTheHelicityIsZero) {
  for (const std::string type :
       {"state='skyrmion'\nradius=5", "state='vortex'\nwidth=3", "state='hopfion'\nradius=3",
        "state='skyrmion-lattice'\nperiod=10"}) {
    const std::string text = lattice("sc", "[20,20,4]") + "[[exchange]]\nshell=1\nJ=1\n";
    EXPECT_EQ(directions(text + initial(type)), directions(text + initial(type + "\nhelicity=0")));
  }
}

TEST(Textures, TheHelicityIgnoresWhatDoesNotDependOnIt) {
  // D along z on the bonds of one side has equal energy at every angle, however strong it is.
  // Therefore the other, weak interaction determines the sense.
  const std::string weak = film + dmi("shell=1\nstrength=0.01");
  const std::string strong = weak + dmi(film_pairs(1, 0, 800) + "\nD=[0,0,5]");
  const std::string keys = initial("state='skyrmion'\nradius=5\nhelicity=");
  EXPECT_NEAR(energy(weak + keys + "'auto'"), energy(weak + keys + "'90 deg'"), 1e-12);
  const auto with = directions(strong + keys + "'auto'");
  const auto without = directions(weak + keys + "'auto'");
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_LT(length(with[i] - without[i]), 1e-9);
}

TEST(Textures, TheHelicityDoesNotDependOnTheThreads) {
  const std::string text = lattice("sc", "[40,40,8]") + "[[alloy]]\nby='vacancy'\nfraction=0.1\n" +
                           dmi("shell=1\nstrength=0.5") + initial("state='skyrmion'\nradius=5");
  EXPECT_EQ(directions(text, 1), directions(text, 3));
}

const std::string strip = lattice("square", "[60,3]", "[false,true]");
const std::string wall_keys = "state='domain-wall'\nwidth=4\nnormal=[1,0,0]\n";

/// The direction of the spin in the middle of the wall, half-way between two sites.
Vec3<double> inside(const std::string& system, const std::string& keys) {
  const auto e = directions(system + initial(wall_keys + keys));
  const Vec3<double> sum = e[29] + e[30];
  return (1 / length(sum)) * sum;
}

void expect_near(const Vec3<double>& e, const Vec3<double>& wanted) {
  EXPECT_LT(length(e - wanted), 1e-9) << e.x << " " << e.y << " " << e.z;
}

TEST(Textures, AWallTurnsAsTheInteractionWants) {
  const std::string bulk = dmi("shell=1\nstrength=0.3");
  const std::string interface = dmi("shell=1\nstrength=0.3\ndirection='interface'");
  expect_near(inside(strip + bulk, ""), {0, -1, 0});
  expect_near(inside(strip + bulk, "wall='bloch'"), {0, -1, 0});
  expect_near(inside(strip + interface, ""), {1, 0, 0});
  expect_near(inside(strip + interface, "wall='neel'"), {1, 0, 0});
  expect_near(inside(strip + interface, "direction=[0,0,-1]"), {-1, 0, 0});
  // For every wall, the opposite sense of rotation costs energy.
  for (const std::string& model : {bulk, interface}) {
    const std::string text = strip + model + initial(wall_keys);
    const double found = energy(text);
    for (int degrees = 0; degrees < 360; degrees += 15) {
      const double a = degrees * pi / 180;
      EXPECT_LT(found, energy(text + "inside=[" + std::to_string(std::cos(a)) + "," +
                              std::to_string(std::sin(a)) + ",0]\n") +
                           1e-12)
          << degrees;
    }
  }
}

TEST(Textures, AWallWithoutInteractionIsTheOneAskedFor) {
  expect_near(inside(strip, ""), {1, 0, 0});
  expect_near(inside(strip, "wall='neel'"), {1, 0, 0});
  expect_near(inside(strip, "wall='bloch'"), {0, -1, 0});
  expect_near(inside(strip, "inside=[0,1,1]"), {0, 1, 0});
  // The interaction prefers the other kind of wall, so it does not determine the sense of this
  // wall.
  expect_near(inside(strip + dmi("shell=1\nstrength=0.3"), "wall='neel'"), {1, 0, 0});
}

/// The Hopf index H = (1 / 16 pi^2) int A.B, with B_i = eps_ijk e.(d_j e x d_k e) / 2 and curl A =
/// B. The gauge is A_z = 0, where A_x = int B_y dz and A_y = - int B_x dz from below. Derivatives
/// are differences.
double hopf_index(const std::vector<Vec3<double>>& e, Index n) {
  const auto at = [&](Index x, Index y, Index z) {
    return e[static_cast<std::size_t>(x + n * (y + n * z))];
  };
  const auto B = [&](Index x, Index y, Index z) {
    const Vec3<double> m = at(x, y, z);
    const Vec3<double> dx = 0.5 * (at(x + 1, y, z) - at(x - 1, y, z));
    const Vec3<double> dy = 0.5 * (at(x, y + 1, z) - at(x, y - 1, z));
    const Vec3<double> dz = 0.5 * (at(x, y, z + 1) - at(x, y, z - 1));
    return Vec3<double>{dot(m, cross(dy, dz)), dot(m, cross(dz, dx)), dot(m, cross(dx, dy))};
  };
  double sum = 0;
  for (Index y = 1; y < n - 1; ++y)
    for (Index x = 1; x < n - 1; ++x) {
      Vec3<double> A{0, 0, 0};
      for (Index z = 1; z < n - 1; ++z) {
        const Vec3<double> b = B(x, y, z);
        // The integrand at the midpoint of the step.
        A += 0.5 * Vec3<double>{b.y, -b.x, 0};
        sum += dot(A, b);
        A += 0.5 * Vec3<double>{b.y, -b.x, 0};
      }
    }
  return sum / (16 * pi * pi);
}

TEST(Textures, AHopfionHasTheHopfIndexAskedFor) {
  const std::string cube = lattice("sc", "[64,64,64]");
  const std::string type = "state='hopfion'\nradius=14\nwidth=8\n";
  EXPECT_NEAR(hopf_index(directions(cube + initial(type)), 64), 1, 0.05);
  EXPECT_NEAR(hopf_index(directions(cube + initial(type + "hopf_index=-1")), 64), -1, 0.05);
  EXPECT_NEAR(hopf_index(directions(cube + initial(type + "hopf_index=2")), 64), 2, 0.1);
  EXPECT_NEAR(hopf_index(directions(cube + initial(type + "direction=[0,0,-1]")), 64), 1, 0.05);
  EXPECT_NEAR(hopf_index(directions(cube + initial(type + "helicity='70 deg'")), 64), 1, 0.05);
}

TEST(Textures, ARingOfTheRadiusOfAHopfionPointsAgainstItsSurroundings) {
  const auto e =
      directions(lattice("sc", "[41,41,41]", "false") + initial("state='hopfion'\nradius=10"));
  const auto at = [&](Index x, Index y, Index z) {
    return e[static_cast<std::size_t>(x + 41 * (y + 41 * z))];
  };
  expect_near(at(30, 20, 20), {0, 0, -1});
  expect_near(at(20, 10, 20), {0, 0, -1});
  expect_near(at(20, 20, 20), {0, 0, 1});
  EXPECT_GT(at(20, 20, 30).z, 0.99);
  EXPECT_GT(at(0, 0, 0).z, 0.99);
}

TEST(Textures, AHopfionFollowsTheInteraction) {
  const std::string bulk = lattice("sc", "[24,24,24]") + dmi("shell=1\nstrength=0.4");
  const std::string hopfion = initial("state='hopfion'\nradius=5\nhelicity=");
  const double found = energy(bulk + hopfion + "'auto'");
  double highest = found;
  for (int degrees = 0; degrees < 360; degrees += 30) {
    const double other = energy(bulk + hopfion + "'" + std::to_string(degrees) + " deg'");
    EXPECT_LT(found, other + 1e-12) << degrees;
    highest = std::max(highest, other);
  }
  EXPECT_GT(highest - found, 1e-3);
}

void expect_refused(const std::string& keys, const std::string& line, const std::string& word) {
  try {
    directions("[lattice]\ntype='square'\nsize=[20,20]\n[initial]\n" + keys);
    FAIL() << keys;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("test:" + line + ":"), std::string::npos)
        << error.what();
  }
}

TEST(Textures, KeysThatMakeNoTextureAreRefusedWhereTheyStand) {
  expect_refused("state='skyrmion'", "4", "radius");
  expect_refused("state='skyrmion'\nradius=3\nhelicity='atuo'", "7", "helicity");
  expect_refused("state='skyrmion'\nradius=3\ndirection=[1,0,0]", "7", "along z");
  expect_refused("state='skyrmion'\nradius=3\nperiod=9", "7", "skyrmion-lattice");
  expect_refused("state='antiskyrmion'\nradius=3\nwinding=1", "7", "winding");
  expect_refused("state='skyrmion-lattice'", "4", "period");
  expect_refused("state='skyrmion-lattice'\nperiod=-4", "6", "period");
  expect_refused("state='skyrmion-lattice'\nperiod=50", "6", "period");
  expect_refused("state='skyrmion-lattice'\nperiod=9\nwinding=2", "7", "winding");
  expect_refused("state='skyrmion-lattice'\nperiod=9\nradius=2", "7", "radius");
  expect_refused("state='hopfion'", "4", "radius");
  expect_refused("state='hopfion'\nradius=3\nhopf_index=0", "7", "Hopf");
  expect_refused("state='vortex'\nwidth=3\nhopf_index=1", "7", "hopfion");
  expect_refused("state='domain-wall'\nwidth=3\nnormal=[1,0,0]\nwall='blch'", "8", "bloch");
  expect_refused("state='domain-wall'\nwidth=3\nnormal=[1,0,0]\nwall='neel'\ninside=[0,1,0]", "8",
                 "inside");
  expect_refused("state='domain-wall'\nwidth=3\nnormal=[0,0,1]\nwall='bloch'", "8", "inside");
  expect_refused("state='vortex'\nwidth=3\nwall='neel'", "7", "domain-wall");
}

}  // namespace
}  // namespace larmor::study::textures_tests
