#pragma once
// Ranks that are threads of one process.

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor {

/// The messages that are sent and not yet fetched.
class MessageQueue {
 public:
  void send(int from, int to, const void* data, std::size_t bytes);
  /// Waits for a message. @throws OtherRankFailed once a rank has failed, InternalError for a
  /// message of another length
  void fetch(int from, int to, void* data, std::size_t bytes);
  /// Posts a message for which no rank waits.
  void post(int from, int to, const void* data, std::size_t bytes);
  /// @return the sender, or -1 if there is no message
  int receive_post(int to, void* data, std::size_t bytes);
  /// Ends all waits after a rank has failed.
  void close();
  /// Were all sent messages fetched?
  bool is_empty() const;

 private:
  using Payload = std::vector<char>;
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<Payload>> waiting_;  ///< by (from, to)
  std::map<int, std::deque<std::pair<int, Payload>>> posted_;   ///< by receiver: (sender, message)
  bool is_closed_ = false;
};

/// One rank as a thread.
class ThreadRank final : public MessagePassing {
 public:
  ThreadRank(MessageQueue& queue, int rank, int size) : queue_(queue), rank_(rank), size_(size) {}

  /// Bytes sent by `exchange` since the last call of this function.
  std::size_t bytes_sent() { return std::exchange(bytes_sent_, 0); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int rank_on_node() const override { return rank_; }
  int size_on_node() const override { return size_; }
  const char* library() const override { return "threads"; }

  void send(const void* data, std::size_t bytes, int to) override;
  void receive(void* data, std::size_t bytes, int from) override;
  void exchange(const Message* out, int out_count, const Message* in, int in_count) override;
  void sum(double* numbers, std::size_t count) override;
  bool maximum(double* numbers, int count, double pause, bool (*go_on)(void*),
               void* context) override;
  void post(const void* data, std::size_t bytes, int to) override;
  int receive_post(void* data, std::size_t bytes) override;
  void abort(int exit_code) override;
  void finish() override {}

 private:
  MessageQueue& queue_;
  int rank_, size_;
  std::size_t bytes_sent_ = 0;
};

/// Runs work(thread) on `ranks` ranks concurrently, each in its own thread.
/// Rethrows the first exception. @throws InternalError for messages that no rank fetched
void on_thread_ranks(int ranks, const std::function<void(ThreadRank& thread)>& work);

}  // namespace larmor
