#pragma once
// The interface between a Communicator and MPI. Only a separate module uses MPI. The module is
// loaded if the program was started as one of several ranks. Without the module or MPI, only one
// rank is possible.

#include <cstddef>

namespace larmor {

struct Message {
  int rank;  ///< receiver or sender
  void* data;
  std::size_t bytes;
};

class MessagePassing {
 public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Rank and size among the ranks of one machine.
  virtual int rank_on_node() const = 0;
  virtual int size_on_node() const = 0;
  /// Name of the MPI library, one line.
  virtual const char* library() const = 0;

  virtual void send(const void* data, std::size_t bytes, int to) = 0;
  virtual void receive(void* data, std::size_t bytes, int from) = 0;
  /// Sends and receives all messages concurrently. Messages from one rank to another keep their
  /// order.
  virtual void exchange(const Message* out, int out_count, const Message* in, int in_count) = 0;
  virtual void sum(double* numbers, std::size_t count) = 0;
  /// The maximum over all ranks of each number, at most `most_maxima` numbers. Calls
  /// `go_on(context)` every `pause` seconds until all ranks have answered. Stops waiting if `go_on`
  /// returns false. @return whether all ranks have answered
  virtual bool maximum(double* numbers, int count, double pause, bool (*go_on)(void* context),
                       void* context) = 0;
  static constexpr int most_maxima = 8;
  /// Sends a small message for `receive_post`, without waiting on either side.
  virtual void post(const void* data, std::size_t bytes, int to) = 0;
  /// Takes the next message posted to this rank, of size `bytes`. @return the sender, or -1 if
  /// there is no message
  virtual int receive_post(void* data, std::size_t bytes) = 0;
  /// Ends all ranks.
  virtual void abort(int exit_code) = 0;
  /// The last call.
  virtual void finish() = 0;

 protected:
  ~MessagePassing() = default;
};

/// The function that the module exports. It returns the ranks of this process's world.
using StartMessagePassing = MessagePassing*();
inline constexpr const char* start_message_passing = "larmor_start_message_passing";

}  // namespace larmor
