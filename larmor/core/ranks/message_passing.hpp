#pragma once
// What a Communicator asks of MPI. The only code that knows MPI is a module of its own, opened when
// the program was started as one of several ranks: a program without it, or a machine without MPI,
// runs everything on one rank.

#include <cstddef>

namespace larmor {

struct Message {
  int rank;  ///< where it goes to, or comes from
  void* data;
  std::size_t bytes;
};

class MessagePassing {
 public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Among the ranks of the same machine.
  virtual int rank_on_node() const = 0;
  virtual int size_on_node() const = 0;
  /// Of the MPI library, one line.
  virtual const char* library() const = 0;

  virtual void send(const void* data, std::size_t bytes, int to) = 0;
  virtual void receive(void* data, std::size_t bytes, int from) = 0;
  /// Sends and receives all at once; the messages from one rank to another keep their order.
  virtual void exchange(const Message* out, int out_count, const Message* in, int in_count) = 0;
  virtual void sum(double* numbers, std::size_t count) = 0;
  /// The largest of each number over all ranks, at most `most_maxima`. Every `pause` seconds
  /// without an answer it asks `go_on(context)`; false gives up. @return whether all have answered
  virtual bool maximum(double* numbers, int count, double pause, bool (*go_on)(void* context),
                       void* context) = 0;
  static constexpr int most_maxima = 8;
  /// Sends a small message that is looked for with `take_post`; nobody waits, neither here nor
  /// there.
  virtual void post(const void* data, std::size_t bytes, int to) = 0;
  /// Takes the next message posted to this rank, of `bytes`. @return who sent it; -1: none is here
  virtual int take_post(void* data, std::size_t bytes) = 0;
  /// Ends all ranks.
  virtual void abort(int exit_code) = 0;
  /// The last call.
  virtual void finish() = 0;

 protected:
  ~MessagePassing() = default;
};

/// What the module exports: the ranks that this process is one of.
using StartMessagePassing = MessagePassing*();
inline constexpr const char* start_message_passing = "larmor_start_message_passing";

}  // namespace larmor
