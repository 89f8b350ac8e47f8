// The module that links MPI; see larmor/core/ranks/message_passing.hpp.

#include "larmor/core/ranks/message_passing.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <string>
#include <thread>
#include <vector>

namespace larmor {
namespace {

/// Largest message in bytes: MPI counts bytes in an int.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr int tag = 1;
constexpr int tag_of_posts = 2;

template <class Body>
void for_each_block(std::size_t bytes, const Body& body) {
  for (std::size_t begin = 0; begin < bytes; begin += most_bytes)
    body(begin, static_cast<int>(std::min(most_bytes, bytes - begin)));
}

class Mpi final : public MessagePassing {
 public:
  Mpi() {
    // Other threads build tables and measure, and only one thread calls MPI.
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank_on_node_);
    MPI_Comm_size(node, &size_on_node_);
    MPI_Comm_free(&node);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    library_.assign(version, static_cast<std::size_t>(length));
    library_.resize(std::min(library_.find_first_of(",\n"), library_.size()));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int rank_on_node() const override { return rank_on_node_; }
  int size_on_node() const override { return size_on_node_; }
  const char* library() const override { return library_.c_str(); }

  void send(const void* data, std::size_t bytes, int to) override {
    for_each_block(bytes, [&](std::size_t begin, int count) {
      MPI_Send(static_cast<const char*>(data) + begin, count, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    });
  }
  void receive(void* data, std::size_t bytes, int from) override {
    for_each_block(bytes, [&](std::size_t begin, int count) {
      MPI_Recv(static_cast<char*>(data) + begin, count, MPI_BYTE, from, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    });
  }
  void exchange(const Message* out, int out_count, const Message* in, int in_count) override {
    std::vector<MPI_Request> requests;
    for (int n = 0; n < in_count; ++n)
      for_each_block(in[n].bytes, [&](std::size_t begin, int count) {
        MPI_Irecv(static_cast<char*>(in[n].data) + begin, count, MPI_BYTE, in[n].rank, tag,
                  MPI_COMM_WORLD, &requests.emplace_back());
      });
    for (int n = 0; n < out_count; ++n)
      for_each_block(out[n].bytes, [&](std::size_t begin, int count) {
        MPI_Isend(static_cast<const char*>(out[n].data) + begin, count, MPI_BYTE, out[n].rank, tag,
                  MPI_COMM_WORLD, &requests.emplace_back());
      });
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
  void sum(double* numbers, std::size_t count) override {
    for (std::size_t begin = 0; begin < count; begin += most_bytes / sizeof(double))
      MPI_Allreduce(MPI_IN_PLACE, numbers + begin,
                    static_cast<int>(std::min(most_bytes / sizeof(double), count - begin)),
                    MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  bool maximum(double* numbers, int count, double pause, bool (*go_on)(void*),
               void* context) override {
    using Clock = std::chrono::steady_clock;
    MPI_Request request = MPI_REQUEST_NULL;
    // The numbers are copied to a member, because the caller may stop waiting before the reduction
    // ends.
    std::copy(numbers, numbers + count, maxima_);
    MPI_Iallreduce(MPI_IN_PLACE, maxima_, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
    auto last = Clock::now();
    for (int tries = 0;; ++tries) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done) {
        std::copy(maxima_, maxima_ + count, numbers);
        return true;
      }
      // A rank that waits long releases the processor.
      if (tries > 1000) std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (std::chrono::duration<double>(Clock::now() - last).count() < pause) continue;
      if (!go_on(context)) return false;
      last = Clock::now();
    }
  }

  void post(const void* data, std::size_t bytes, int to) override {
    posts_.remove_if([](Posted& posted) {
      int done = 0;
      MPI_Test(&posted.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
    const char* const begin = static_cast<const char*>(data);
    Posted& posted = posts_.emplace_back(std::vector<char>(begin, begin + bytes));
    MPI_Isend(posted.data.data(), static_cast<int>(bytes), MPI_BYTE, to, tag_of_posts,
              MPI_COMM_WORLD, &posted.request);
  }
  int receive_post(void* data, std::size_t bytes) override {
    int here = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag_of_posts, MPI_COMM_WORLD, &here, &status);
    if (!here) return -1;
    MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, status.MPI_SOURCE, tag_of_posts,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return status.MPI_SOURCE;
  }

  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }
  void finish() override { MPI_Finalize(); }

 private:
  int rank_ = 0, size_ = 1, rank_on_node_ = 0, size_on_node_ = 1;
  std::string library_;
  double maxima_[most_maxima] = {};

  /// A message that is being sent. Its memory must persist until the end of the transfer.
  struct Posted {
    std::vector<char> data;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::list<Posted> posts_;
};

}  // namespace
}  // namespace larmor

extern "C" larmor::MessagePassing* larmor_start_message_passing() {
  static larmor::Mpi mpi;
  return &mpi;
}
