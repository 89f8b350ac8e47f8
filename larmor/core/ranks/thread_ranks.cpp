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
void combine(ThreadOfRanks& thread, double* numbers, std::size_t count, const Combine& both) {
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

void PostOffice::send(int from, int to, const void* data, std::size_t bytes) {
  const auto* first = static_cast<const char*>(data);
  const std::lock_guard lock(guard_);
  waiting_[{from, to}].emplace_back(first, first + bytes);
  changed_.notify_all();
}

void PostOffice::fetch(int from, int to, void* data, std::size_t bytes) {
  std::unique_lock lock(guard_);
  std::deque<Letter>& letters = waiting_[{from, to}];
  changed_.wait(lock, [&] { return is_closed_ || !letters.empty(); });
  if (letters.empty()) throw OtherRankFailed(code_of_failure);
  const Letter letter = std::move(letters.front());
  letters.pop_front();
  require_length(letter.size(), bytes);
  std::memcpy(data, letter.data(), bytes);
}

void PostOffice::post(int from, int to, const void* data, std::size_t bytes) {
  const auto* first = static_cast<const char*>(data);
  const std::lock_guard lock(guard_);
  posted_[to].emplace_back(from, Letter(first, first + bytes));
}

int PostOffice::take_post(int to, void* data, std::size_t bytes) {
  const std::lock_guard lock(guard_);
  // Receivers of posts poll, so a failure is thrown here.
  if (is_closed_) throw OtherRankFailed(code_of_failure);
  auto& letters = posted_[to];
  if (letters.empty()) return -1;
  const auto [from, letter] = std::move(letters.front());
  letters.pop_front();
  require_length(letter.size(), bytes);
  std::memcpy(data, letter.data(), bytes);
  return from;
}

void PostOffice::close() {
  const std::lock_guard lock(guard_);
  is_closed_ = true;
  changed_.notify_all();
}

bool PostOffice::is_empty() const {
  return std::all_of(waiting_.begin(), waiting_.end(),
                     [](const auto& of) { return of.second.empty(); });
}

void ThreadOfRanks::send(const void* data, std::size_t bytes, int to) {
  office_.send(rank_, to, data, bytes);
}

void ThreadOfRanks::receive(void* data, std::size_t bytes, int from) {
  office_.fetch(from, rank_, data, bytes);
}

void ThreadOfRanks::exchange(const Message* out, int out_count, const Message* in, int in_count) {
  for (int n = 0; n < out_count; ++n) {
    send(out[n].data, out[n].bytes, out[n].rank);
    bytes_sent_ += out[n].bytes;
  }
  for (int n = 0; n < in_count; ++n) receive(in[n].data, in[n].bytes, in[n].rank);
}

void ThreadOfRanks::sum(double* numbers, std::size_t count) {
  combine(*this, numbers, count, [](double a, double b) { return a + b; });
}

bool ThreadOfRanks::maximum(double* numbers, int count, double, bool (*)(void*), void*) {
  combine(*this, numbers, static_cast<std::size_t>(count),
          [](double a, double b) { return a > b ? a : b; });
  return true;
}

void ThreadOfRanks::post(const void* data, std::size_t bytes, int to) {
  office_.post(rank_, to, data, bytes);
}

int ThreadOfRanks::take_post(void* data, std::size_t bytes) {
  return office_.take_post(rank_, data, bytes);
}

void ThreadOfRanks::abort(int) { office_.close(); }

void on_thread_ranks(int ranks, const std::function<void(ThreadOfRanks& thread)>& work) {
  PostOffice office;
  std::mutex guard;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ThreadOfRanks thread(office, rank, ranks);
        work(thread);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
        office.close();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  if (!office.is_empty()) throw InternalError("messages were sent that no rank fetched");
}

}  // namespace larmor
