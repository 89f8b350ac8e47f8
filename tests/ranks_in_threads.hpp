#pragma once
// Several ranks as threads of one process, which count what they send.

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor::testing_support {

/// Where messages lie until they are fetched.
class PostOffice {
 public:
  void post(int from, int to, const void* data, std::size_t bytes) {
    const auto* first = static_cast<const char*>(data);
    const std::lock_guard lock(guard_);
    waiting_[{from, to}].emplace_back(first, first + bytes);
    changed_.notify_all();
  }
  /// @throws std::runtime_error once a rank has failed, or for a message of another length
  void fetch(int from, int to, void* data, std::size_t bytes) {
    std::unique_lock lock(guard_);
    std::deque<std::vector<char>>& letters = waiting_[{from, to}];
    changed_.wait(lock, [&] { return is_closed_ || !letters.empty(); });
    if (letters.empty()) throw std::runtime_error("another rank has failed");
    const std::vector<char> letter = std::move(letters.front());
    letters.pop_front();
    if (letter.size() != bytes) throw std::runtime_error("a message of another length came");
    std::memcpy(data, letter.data(), bytes);
  }
  void close() {
    const std::lock_guard lock(guard_);
    is_closed_ = true;
    changed_.notify_all();
  }
  bool is_empty() const {
    for (const auto& [of, letters] : waiting_)
      if (!letters.empty()) return false;
    return true;
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<std::vector<char>>> waiting_;
  bool is_closed_ = false;
};

class ThreadOfRanks final : public MessagePassing {
 public:
  ThreadOfRanks(PostOffice& office, int rank, int size)
      : office_(office), rank_(rank), size_(size) {}

  /// By `exchange` since this was asked for last.
  std::size_t bytes_sent() { return std::exchange(bytes_sent_, 0); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int rank_on_node() const override { return rank_; }
  int size_on_node() const override { return size_; }
  const char* library() const override { return "threads"; }

  void send(const void* data, std::size_t bytes, int to) override {
    office_.post(rank_, to, data, bytes);
  }
  void receive(void* data, std::size_t bytes, int from) override {
    office_.fetch(from, rank_, data, bytes);
  }
  void exchange(const Message* out, int out_count, const Message* in, int in_count) override {
    for (int n = 0; n < out_count; ++n) {
      send(out[n].data, out[n].bytes, out[n].rank);
      bytes_sent_ += out[n].bytes;
    }
    for (int n = 0; n < in_count; ++n) receive(in[n].data, in[n].bytes, in[n].rank);
  }
  void sum(double* numbers, std::size_t count) override {
    combine(numbers, count, [](double a, double b) { return a + b; });
  }
  bool maximum(double* numbers, int count, double, bool (*)(void*), void*) override {
    combine(numbers, static_cast<std::size_t>(count),
            [](double a, double b) { return a > b ? a : b; });
    return true;
  }
  // Ranks that share a lattice post nothing.
  void post(const void*, std::size_t, int) override { throw std::logic_error("a rank posts"); }
  int take_post(void*, std::size_t) override { return -1; }
  void abort(int) override { office_.close(); }
  void finish() override {}

 private:
  template <class Combine>
  void combine(double* numbers, std::size_t count, const Combine& both) {
    const std::size_t bytes = count * sizeof(double);
    if (rank_ > 0) {
      send(numbers, bytes, 0);
      return receive(numbers, bytes, 0);
    }
    std::vector<double> other(count);
    for (int rank = 1; rank < size_; ++rank) {
      receive(other.data(), bytes, rank);
      for (std::size_t n = 0; n < count; ++n) numbers[n] = both(numbers[n], other[n]);
    }
    for (int rank = 1; rank < size_; ++rank) send(numbers, bytes, rank);
  }

  PostOffice& office_;
  int rank_, size_;
  std::size_t bytes_sent_ = 0;
};

/// work(world, thread) on so many ranks at once. @throws what the first that fails throws
template <class Work>
void on_ranks(int ranks, const Work& work) {
  PostOffice office;
  std::mutex guard;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ThreadOfRanks thread(office, rank, ranks);
        work(Communicator(thread), thread);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
        office.close();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  if (!office.is_empty()) throw std::runtime_error("messages were sent that nobody fetched");
}

}  // namespace larmor::testing_support
