#pragma once
// The spins of all replicas, as bits (time_words.hpp).

#include <span>
#include <vector>

#include "larmor/trotter/trotter_model.hpp"

namespace larmor::trotter {

/// The words of all groups in the memory of the host.
struct HostWords {
  const std::uint32_t* words;
  TimeWords time;
  Index sites;
  int lanes;

  /// Word w of a site is at [w * lanes].
  const std::uint32_t* line(Index group, Index site) const {
    return words + (group / lanes * sites + site) * time.words * lanes + group % lanes;
  }
};

/// Two groups that exchange the bits of a mask.
struct GroupPair {
  Index one, other;
  std::uint32_t mask;
};

class TrotterState {
 public:
  /// All spins are +1. @param model must outlive the state
  explicit TrotterState(const TrotterModel& model);

  /// Draws all spins. Lines of sites without a transverse field have equal slices.
  void randomise(std::uint64_t seed);
  /// Exchanges the spins of two replicas, which have equal numbers as copies of their instances.
  /// @throws InternalError for other replicas
  void exchange(Index replica, Index other);
  /// Exchanges bits of groups, on the device. @param pairs each group is in one pair at most
  void exchange(std::span<const GroupPair> pairs);

  /// FORMAT: (group, site, word) of all groups with replicas.
  std::vector<std::uint32_t> save() const;
  /// @throws InputError if the number of words differs, or if slices of a site without a
  /// transverse field differ
  void restore(std::span<const std::uint32_t> saved);

  const TrotterModel& model() const { return *model_; }
  std::uint32_t* data() { return words_.data(); }
  /// On a GPU, waits for all launches and copies the words.
  HostWords host_words();
  /// Takes back the words of host_words(), if they were changed there.
  void return_words();

  static double bytes(const TrotterModel& model);

 private:
  std::uint32_t* host_data();

  const TrotterModel* model_;
  Array<std::uint32_t> words_;
  std::vector<std::uint32_t> copy_;  ///< on the host, for a GPU
  Array<GroupPair> pairs_;           ///< for exchanges on a GPU, made when first needed
};

inline namespace LARMOR_ISA_NAMESPACE {

/// Exchanges the bits of one word. @param word number of the word in its group
LARMOR_INLINE void exchange_bits(const UpdateView& view, const GroupPair& pair, Index word) {
  std::uint32_t& one = view.spins[view.index_of(pair.one, 0, 0) + word * view.lanes];
  std::uint32_t& other = view.spins[view.index_of(pair.other, 0, 0) + word * view.lanes];
  const std::uint32_t different = (one ^ other) & pair.mask;
  one ^= different;
  other ^= different;
}

}  // namespace LARMOR_ISA_NAMESPACE

namespace detail {
/// @param pairs [count], on the GPU
void exchange_on_gpu(const Device& device, const UpdateView& view, const GroupPair* pairs,
                     Index count);
}  // namespace detail

}  // namespace larmor::trotter
