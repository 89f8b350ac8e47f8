#pragma once
// The ranks that run one study together: one process, or several started by `mpirun`. All ranks
// must make collective calls, in the same order.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/ranks/message_passing.hpp"

namespace larmor {

/// Thrown on the other ranks if one rank has failed. The failed rank reports the reason.
class OtherRankFailed : public Error {
 public:
  explicit OtherRankFailed(int code) : Error("another rank has failed"), code_(code) {}
  int exit_code() const noexcept override { return code_; }

 private:
  int code_;
};

/// A message from another rank, for which this rank does not wait.
struct Post {
  int rank = 0;  ///< the sender
  std::array<double, 2> numbers{};
};

/// The time to wait for other ranks after a request to stop. Schedulers wait longer before they
/// kill a process.
inline constexpr std::chrono::milliseconds answer_timeout{20000};
/// The error to throw if other ranks have not answered within `answer_timeout`.
MachineError others_do_not_answer();

class Communicator {
 public:
  /// One rank.
  Communicator() = default;
  /// The ranks that communicate by `passing`. Its `finish` is called at the end of this object.
  explicit Communicator(MessagePassing& passing) : mpi_(&passing) {}
  /// All ranks started with this process. @throws MachineError if there are several, but no MPI
  /// module
  static Communicator world();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&& other) noexcept;
  ~Communicator();

  int rank() const { return mpi_ ? mpi_->rank() : 0; }
  int size() const { return mpi_ ? mpi_->size() : 1; }
  int rank_on_node() const { return mpi_ ? mpi_->rank_on_node() : 0; }
  int size_on_node() const { return mpi_ ? mpi_->size_on_node() : 1; }
  bool is_root() const { return rank() == 0; }

  /// The numbers of every rank, in order of ranks, on the root; elsewhere empty.
  std::vector<std::vector<double>> gather(const std::vector<double>& own) const;
  /// Sends and receives all messages concurrently.
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in) const;
  /// Sum over ranks, in no particular order.
  void sum(double* numbers, std::size_t count) const;
  /// The maximum of each number over all ranks. If `*stop` requests a stop and other ranks do not
  /// answer, `waiting` is called soon, once.
  /// @param stop null if nothing can request a stop
  /// @throws MachineError if the other ranks have not answered after `answer_timeout`
  std::vector<double> maximum(std::vector<double> numbers, const std::atomic<int>* stop = nullptr,
                              const std::function<void()>& waiting = {}) const;
  bool all(bool own) const { return maximum({own ? 0.0 : 1.0})[0] == 0; }

  /// Posts numbers to another rank, which can take them later.
  void post(const std::array<double, 2>& numbers, int to) const;
  /// The next post for this rank; empty if there is none. The posts of one sender come in their
  /// order.
  std::optional<Post> receive_post() const;

  /// Does work that may throw on every rank. If it fails on any rank, all throw: the lowest failed
  /// rank its own error, all others OtherRankFailed.
  void together(const std::function<void()>& work) const;
  /// Do all ranks know of the failure that ends the program?
  bool failed_together() const { return failed_together_; }
  /// Ends all ranks at once, after a failure that other ranks do not know of.
  void abort(int exit_code) const;

 private:
  MessagePassing* mpi_ = nullptr;  ///< null for one rank
  mutable bool failed_together_ = false;
};

/// Number of ranks, from the environment of the launcher (`mpirun`); 1 without a launcher.
int started_ranks();
/// Rank of this process, from the environment of the launcher.
int started_rank();

/// Why ranks cannot communicate on this machine; empty if they can.
std::string message_passing_missing();

/// The lists of all ranks, in order of ranks, on every rank. The lists should be short; their
/// lengths may differ.
template <class T>
std::vector<T> all_gathered(const Communicator& world, std::vector<T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto ranks = static_cast<std::size_t>(world.size());
  const auto rank = static_cast<std::size_t>(world.rank());
  std::vector<double> counts(ranks);
  counts[rank] = static_cast<double>(own.size());
  world.sum(counts.data(), ranks);
  double count = 0;
  for (const double of_rank : counts) count += of_rank;
  std::vector<T> all(static_cast<std::size_t>(count));
  std::vector<Message> out, in;
  T* next = all.data();
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto here = static_cast<std::size_t>(counts[r]);
    if (r == rank) {
      std::copy(own.begin(), own.end(), next);
    } else {
      if (!own.empty()) out.push_back({static_cast<int>(r), own.data(), own.size() * sizeof(T)});
      if (here > 0) in.push_back({static_cast<int>(r), next, here * sizeof(T)});
    }
    next += here;
  }
  world.exchange(out, in);
  return all;
}

}  // namespace larmor
