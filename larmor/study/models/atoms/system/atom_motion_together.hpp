#pragma once
// The motion of many copies of the atoms together, on a CPU or a GPU.
//
// The copies are replicas of one state, so a launch serves all of them. Each has its own random
// key. After some timesteps, some steps of L-BFGS relax all copies. If a copy then comes near the
// minimum of its state, it is in this state. The few others are relaxed to the end. BITS: the
// result of a copy does not depend on the others.

#include <map>

#include "larmor/study/models/atoms/system/atom_motion.hpp"

namespace larmor::study {

class AtomMotionTogether : public AtomMotion {
 public:
  /// @param device makes the dynamics and relaxes
  AtomMotionTogether(const AtomTables& tables, const AtomMotionKeys& keys,
                     std::span<const double> first, const Device& device);
  ~AtomMotionTogether() override;

  /// Enough copies for about 60,000 atoms.
  static Index usual_copies(Index atoms);

  Index calls_together() const override { return copies_; }
  parsplice::Advance advance(std::span<double> configuration, Index steps,
                             const RandomKey& key) const override;
  std::vector<parsplice::Advance> advance_together(
      std::span<const parsplice::AdvanceRequest> requests) const override;

 private:
  struct Copies;
  /// A copy of the atoms on its way.
  struct Traveller;

  /// Where relaxing structures came; neither: the steps did not suffice.
  struct Relaxed {
    bool is_at_home = false;
    std::optional<Found> minimum{};
  };

  Copies& copies_for(Index count) const;
  /// @param home minima at which the search ends; may be null [begin]
  std::vector<Relaxed> relaxed(std::span<const std::vector<Vec3<double>>> begin,
                               std::span<const Found* const> home, Index most_steps) const;
  /// Relaxes structures together. Threads relax those that need more steps.
  std::vector<Relaxed> fully_relaxed(std::span<const std::vector<Vec3<double>>> begin,
                                     std::span<const Found* const> home) const;
  std::vector<Traveller> begin(std::span<const parsplice::AdvanceRequest> requests) const;
  void load(std::span<const parsplice::AdvanceRequest> requests, Copies& copies) const;
  /// Relaxes structures until they come near their homes, or else to the end.
  std::vector<Relaxed> states_of(std::span<const std::vector<Vec3<double>>> begin,
                                 std::span<const Found* const> home) const;
  /// Ends the travellers that leave their states in this step, or for which it is the last one.
  void end_some(std::span<const parsplice::AdvanceRequest> requests, const Copies& copies,
                Index step, std::vector<Traveller>& travellers) const;

  Device device_;
  Index copies_;
  mutable std::map<Index, std::unique_ptr<Copies>> copies_of_count_;
  /// The minimum at which a call ended, by the seed of the noise of its segment. BITS: a segment
  /// uses only minima that the same segment found.
  mutable std::map<std::uint64_t, Found> home_of_segment_;
};

}  // namespace larmor::study
