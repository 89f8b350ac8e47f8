// Studies that another program runs chunk by chunk: their bits, and the arrays that it reads.
// Rooms: study

#include "larmor/study/run/live_session.hpp"

#include <gtest/gtest.h>

#include "larmor/core/maths/vectors.hpp"
#include "study_test.hpp"

using namespace larmor;
using namespace larmor::study;

namespace {

const std::string system_of_spins = R"(
[lattice]
type = "square"
size = [6, 4]
moment = 1.5
[[exchange]]
J = 1.0
shell = 1
[[dmi]]
shell = 1
strength = 0.3
direction = "interface"
[[anisotropy]]
K = 0.4
axis = [0, 1, 0]
[field]
B = [0.1, 0.2, 0.3]
[initial]
state = "random"
)";
const std::string stages = R"(
[[stage]]
kind = "monte-carlo"
temperature = 0.6
thermalisation = 20
sweeps = 45
[[stage]]
kind = "dynamics"
timestep = 0.01
steps = 130
temperature = 0.3
damping = 0.1
measure = [{ what = "energy", every = 6 }, { what = "magnetisation", every = 9 }]
keep_configurations = 9
)";

class LiveSessions : public testing_support::StudyTest {
 protected:
  Study spins(Index replicas) const {
    return study_of("seed = 3\nreplicas = " + std::to_string(replicas) + "\n",
                    system_of_spins + stages);
  }
};

std::vector<double> numbers(LiveSession& session, const std::string& name) {
  return session.array(name).convert<double>();
}

Vec3<double> vector_at(const std::vector<double>& numbers, Index n) {
  const double* const p = numbers.data() + 3 * n;
  return {p[0], p[1], p[2]};
}

}  // namespace

TEST_F(LiveSessions, ChunksChangeNoBit) {
  for (const Index replicas : {1, 9}) {
    const Study study = spins(replicas);
    const io::ResultsReader whole = results_of(study);
    RunOptions options;
    options.output = path_of("chunks.h5");
    options.force = true;
    LiveSession session(study, options);
    while (!session.is_complete()) session.run(7, [] { return false; });
    const io::ResultsReader chunks(options.output);
    for (const char* name :
         {"01-monte-carlo/series/energy/value", "02-dynamics/series/energy/value",
          "02-dynamics/series/magnetisation/value", "02-dynamics/configuration"})
      EXPECT_EQ(chunks.read<double>(std::string("/stages/") + name),
                whole.read<double>(std::string("/stages/") + name))
          << name << ", " << replicas << " replicas";
  }
}

TEST_F(LiveSessions, FieldsAreDerivativesOfTheEnergyOfTheirSite) {
  for (const Index replicas : {1, 9}) {
    LiveSession session(spins(replicas), {});
    const std::vector<double> fields = numbers(session, "fields");
    std::vector<double> state = numbers(session, "spins");
    const io::Shape shape{replicas, 24, 3};
    for (const Index n : {Index{0}, Index{7}, 24 * replicas - 1}) {
      const Vec3<double> e = vector_at(state, n);
      const Vec3<double> across = unit_vector(cross(e, Vec3<double>{0.3, -0.5, 0.8}));
      constexpr double angle = 1e-4;
      double energy[2];
      for (const int side : {0, 1}) {
        const double turn = side == 0 ? angle : -angle;
        std::vector<double> turned = state;
        double* const to = turned.data() + 3 * n;
        to[0] = std::cos(turn) * e.x + std::sin(turn) * across.x;
        to[1] = std::cos(turn) * e.y + std::sin(turn) * across.y;
        to[2] = std::cos(turn) * e.z + std::sin(turn) * across.z;
        session.set_array("spins", turned, shape);
        energy[side] = numbers(session, "energies")[static_cast<std::size_t>(n / 24)];
      }
      EXPECT_NEAR(dot(vector_at(fields, n), across), -(energy[0] - energy[1]) / (2 * angle), 1e-6);
    }
  }
}

TEST_F(LiveSessions, TorquesAreSpinsTimesFields) {
  LiveSession session(spins(2), {});
  const std::vector<double> state = numbers(session, "spins"), fields = numbers(session, "fields");
  const std::vector<double> torques = numbers(session, "torques");
  for (Index n = 0; n < 48; ++n)
    EXPECT_LT(length(vector_at(torques, n) - cross(vector_at(state, n), vector_at(fields, n))),
              1e-14);
}
