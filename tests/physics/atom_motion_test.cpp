// Copies of atoms that move together have the bits of copies that move one by one.
// Rooms: parsplice, study

#include <gtest/gtest.h>

#include "larmor/parsplice/workers.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/atoms/system/atom_motion_together.hpp"

namespace larmor::atom_motion_tests {

using namespace larmor::study;
using parsplice::AdvanceRequest;
using parsplice::Configuration;

constexpr const char* crystal =
    "units = 'material'\nseed = 3\n[model]\nkind = 'atoms'\n[lattice]\ntype = 'bcc'\n"
    "size = [2, 2, 2]\nconstant = '2.9 Å'\nspecies = ['W']\n[atoms]\ntemperature = '900 K'\n"
    "[[zbl]]\ninner = '3.4 Å'\nouter = '4.2 Å'\n[[stage]]\nkind = 'md'\ntimestep = '1 fs'\n"
    "steps = 1\n";

class AtomMotionOfCopies : public testing::TestWithParam<double> {
 protected:
  const Study study = parse_study(crystal, "study.toml", ".");
  const AtomTables& tables = atom_tables(study);
  const AtomMotionKeys keys{GetParam(), 0.002, 0.1, 10};
  const Configuration first = [this] {
    Configuration numbers;
    for (const Vec3<double>& r : setup_of(tables).of(0).positions)
      numbers.insert(numbers.end(), {r.x, r.y, r.z});
    numbers.resize(2 * numbers.size(), 0);
    return numbers;
  }();
};

TEST_P(AtomMotionOfCopies, HasTheBitsOfOneCopy) {
  const AtomMotion one(tables, keys, first);
  const AtomMotionTogether together(tables, keys, first, Device::cpu(2));
  std::vector<Configuration> alone(5, one.reference(first)), many = alone;
  std::vector<RandomKey> key;
  for (std::uint64_t n = 0; n < alone.size(); ++n)
    key.push_back({100 + n, 0, Stream::segment_noise});
  std::vector<Index> steps_alone(alone.size(), 0);
  std::vector<std::vector<parsplice::StateLabel>> states(alone.size()), states_alone = states;
  Index calls = 0, changes = 0;
  for (; calls < 12; ++calls) {
    std::vector<AdvanceRequest> requests;
    for (std::size_t n = 0; n < many.size(); ++n) requests.push_back({many[n], 2, key[n]});
    const auto advances = together.advance_together(requests);
    for (std::size_t n = 0; n < many.size(); ++n) {
      key[n].step += static_cast<std::uint64_t>(advances[n].steps);
      states[n].push_back(advances[n].state);
      // The copy without others makes equally many steps, and may stop in between.
      RandomKey own = key[n];
      while (steps_alone[n] < static_cast<Index>(key[n].step)) {
        own.step = static_cast<std::uint64_t>(steps_alone[n]);
        const auto advance =
            one.advance(alone[n], static_cast<Index>(key[n].step) - steps_alone[n], own);
        steps_alone[n] += advance.steps;
        if (steps_alone[n] == static_cast<Index>(key[n].step))
          states_alone[n].push_back(advance.state);
      }
      ASSERT_EQ(many[n], alone[n]) << n << ", call " << calls << ", steps " << key[n].step;
    }
  }
  EXPECT_EQ(states, states_alone);
  for (const auto& of_copy : states)
    for (std::size_t n = 1; n < of_copy.size(); ++n) changes += of_copy[n] != of_copy[n - 1];
  if (GetParam() > 5000)
    EXPECT_GT(changes, 3);
  else
    EXPECT_EQ(changes, 0);
}

class AtomMotionAtLowTemperature : public AtomMotionOfCopies {};

TEST_P(AtomMotionAtLowTemperature, LanesSpliceTheTrajectoryOfThreads) {
  const AtomMotion one(tables, keys, first);
  const AtomMotionTogether together(tables, keys, first, Device::cpu(2));
  const parsplice::SegmentRule rule{
      .seed = 5, .segment_steps = 3, .correlation_steps = 2, .lanes = 4};
  parsplice::Splicing by_threads(one, rule, first, 30), by_lanes(together, rule, first, 30);
  parsplice::run_on_threads(by_threads, 2);
  const auto lanes = parsplice::make_workers(by_lanes, 4);
  while (!lanes->run_for(std::chrono::hours(1))) continue;
  EXPECT_EQ(by_lanes.trajectory().stays(), by_threads.trajectory().stays());
  EXPECT_GT(lanes->busy_seconds(), 0);
}

INSTANTIATE_TEST_SUITE_P(Temperatures, AtomMotionOfCopies, testing::Values(900.0, 60000.0),
                         [](const auto& tested) {
                           return tested.param > 5000 ? "that_change_states" : "that_stay";
                         });

INSTANTIATE_TEST_SUITE_P(Temperatures, AtomMotionAtLowTemperature, testing::Values(900.0),
                         [](const auto&) { return "that_stay"; });

}  // namespace larmor::atom_motion_tests
