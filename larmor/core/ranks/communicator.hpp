#pragma once
// The ranks that run one study together: one process, or several that `mpirun` has started. Calls
// that several ranks take part in must be made by all of them, in the same order.

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/ranks/message_passing.hpp"

namespace larmor {

/// Another rank has failed and says why.
class OtherRankFailed : public Error {
 public:
  explicit OtherRankFailed(int code) : Error("another rank has failed"), code_(code) {}
  int exit_code() const noexcept override { return code_; }

 private:
  int code_;
};

/// What one rank tells another that does not wait for it.
struct Post {
  int rank = 0;  ///< who it came from
  std::array<double, 2> numbers{};
};

/// How long others may take to answer a process that was told to stop: less than whoever told it
/// waits before it kills.
inline constexpr std::chrono::milliseconds patience_with_others{20000};
/// What is to be thrown when they have not.
MachineError others_do_not_answer();

class Communicator {
 public:
  /// One rank.
  Communicator() = default;
  /// The ranks that talk by `passing`, which is finished with this.
  explicit Communicator(MessagePassing& passing) : mpi_(&passing) {}
  /// All ranks that this process was started with. @throws MachineError if there are several, and
  /// no module for MPI
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

  /// What every rank brings, rank after rank, on the root; nothing elsewhere.
  std::vector<std::vector<double>> gather(const std::vector<double>& own) const;
  /// Sends and receives all at once.
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in) const;
  /// Adds up, in no particular order.
  void sum(double* numbers, std::size_t count) const;
  /// The largest of each number over all ranks. Where others do not answer although this process
  /// was told to stop by `stop` (null: never), `waiting` is called soon, once.
  /// @throws MachineError when they still do not after `patience_with_others`
  std::vector<double> maximum(std::vector<double> numbers, const std::atomic<int>* stop = nullptr,
                              const std::function<void()>& waiting = {}) const;
  bool all(bool own) const { return maximum({own ? 0.0 : 1.0})[0] == 0; }

  /// Tells another rank, which looks for it when it has time.
  void post(const std::array<double, 2>& numbers, int to) const;
  /// The next of what others have posted to this rank, in the order of each; nothing: none is here.
  std::optional<Post> take_post() const;

  /// Work that may fail, on every rank; no rank goes on if it failed on one. The lowest of those
  /// ranks throws its own error, all others OtherRankFailed.
  void together(const std::function<void()>& work) const;
  /// Have all ranks heard of the failure that ends the program?
  bool failed_together() const { return failed_together_; }
  /// Ends all ranks at once, after a failure that the others do not know.
  void abort(int exit_code) const;

 private:
  MessagePassing* mpi_ = nullptr;  ///< null: one rank
  mutable bool failed_together_ = false;
};

/// The number of ranks that the starter of this process has said; 1: it was started by itself.
int started_ranks();
/// Which of them this process is, as the starter says.
int started_rank();

/// Can programs started as several ranks talk to each other here? Empty: yes; otherwise why not.
std::string message_passing_missing();

}  // namespace larmor
