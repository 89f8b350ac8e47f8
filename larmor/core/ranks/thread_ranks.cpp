#include "larmor/core/ranks/thread_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>

namespace larmor {
namespace {

constexpr int code_of_failure = 1;

/// Combines the numbers of all ranks element by element on the root, then sends them to all ranks.
template <class Combine>
void combine(ThreadRank& thread, double* numbers, std::size_t count, const Combine& both) {
  const std::size_t bytes = count * sizeof(double);
  if (thread.rank() > 0) {
    thread.send(numbers, bytes, 0);
    return thread.receive(numbers, bytes, 0);
  }
  std::vector<double> other(count);
  for (int rank = 1; rank < thread.size(); ++rank) {
    thread.receive(other.data(), bytes, rank);
    for (std::size_t n = 0; n < count; ++n) numbers[n] = both(numbers[n], other[n]);
  }
  for (int rank = 1; rank < thread.size(); ++rank) thread.send(numbers, bytes, rank);
}

void require_length(std::size_t length, std::size_t bytes) {
  if (length != bytes) throw InternalError("a message has an unexpected length");
}

}  // namespace

void MessageQueue::send(int from, int to, const void* data, std::size_t bytes) {
  const auto* first = static_cast<const char*>(data);
  const std::lock_guard lock(guard_);
  waiting_[{from, to}].emplace_back(first, first + bytes);
  changed_.notify_all();
}

void MessageQueue::fetch(int from, int to, void* data, std::size_t bytes) {
  std::unique_lock lock(guard_);
  std::deque<Payload>& payloads = waiting_[{from, to}];
  changed_.wait(lock, [&] { return is_closed_ || !payloads.empty(); });
  if (payloads.empty()) throw OtherRankFailed(code_of_failure);
  const Payload payload = std::move(payloads.front());
  payloads.pop_front();
  require_length(payload.size(), bytes);
  std::memcpy(data, payload.data(), bytes);
}

void MessageQueue::post(int from, int to, const void* data, std::size_t bytes) {
  const auto* first = static_cast<const char*>(data);
  const std::lock_guard lock(guard_);
  posted_[to].emplace_back(from, Payload(first, first + bytes));
}

int MessageQueue::receive_post(int to, void* data, std::size_t bytes) {
  const std::lock_guard lock(guard_);
  // Receivers of posts poll, so a failure is thrown here.
  if (is_closed_) throw OtherRankFailed(code_of_failure);
  auto& payloads = posted_[to];
  if (payloads.empty()) return -1;
  const auto [from, payload] = std::move(payloads.front());
  payloads.pop_front();
  require_length(payload.size(), bytes);
  std::memcpy(data, payload.data(), bytes);
  return from;
}

void MessageQueue::close() {
  const std::lock_guard lock(guard_);
  is_closed_ = true;
  changed_.notify_all();
}

bool MessageQueue::is_empty() const {
  return std::all_of(waiting_.begin(), waiting_.end(),
                     [](const auto& entry) { return entry.second.empty(); });
}

void ThreadRank::send(const void* data, std::size_t bytes, int to) {
  queue_.send(rank_, to, data, bytes);
}

void ThreadRank::receive(void* data, std::size_t bytes, int from) {
  queue_.fetch(from, rank_, data, bytes);
}

void ThreadRank::exchange(const Message* out, int out_count, const Message* in, int in_count) {
  for (int n = 0; n < out_count; ++n) {
    send(out[n].data, out[n].bytes, out[n].rank);
    bytes_sent_ += out[n].bytes;
  }
  for (int n = 0; n < in_count; ++n) receive(in[n].data, in[n].bytes, in[n].rank);
}

void ThreadRank::sum(double* numbers, std::size_t count) {
  combine(*this, numbers, count, [](double a, double b) { return a + b; });
}

bool ThreadRank::maximum(double* numbers, int count, double, bool (*)(void*), void*) {
  combine(*this, numbers, static_cast<std::size_t>(count),
          [](double a, double b) { return a > b ? a : b; });
  return true;
}

void ThreadRank::post(const void* data, std::size_t bytes, int to) {
  queue_.post(rank_, to, data, bytes);
}

int ThreadRank::receive_post(void* data, std::size_t bytes) {
  return queue_.receive_post(rank_, data, bytes);
}

void ThreadRank::abort(int) { queue_.close(); }

void on_thread_ranks(int ranks, const std::function<void(ThreadRank& thread)>& work) {
  MessageQueue queue;
  std::mutex guard;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ThreadRank thread(queue, rank, ranks);
        work(thread);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
        queue.close();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  if (!queue.is_empty()) throw InternalError("messages were sent that no rank fetched");
}

}  // namespace larmor
