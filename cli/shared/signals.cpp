#include "cli/shared/signals.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <utility>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/hdf5/hdf5_turn.hpp"

namespace larmor::cli {
namespace {

constexpr std::array stopping_signals{SIGINT, SIGTERM, SIGHUP};
constexpr std::array other_ending_signals{SIGQUIT, SIGPIPE,   SIGALRM, SIGUSR1,
                                          SIGUSR2, SIGVTALRM, SIGXCPU};

std::atomic<int> caught_signal{0};

void end_tidily(int signal) {
  io::remove_all_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr unsigned patience = 5;  // seconds
std::uint64_t turn_of_signal = 0, writes_of_signal = 0;

/// HDF5 may never return from a damaged file. Ends the program if it is in the same call, without
/// writes.
void end_if_stuck(int) {
  if (turn_of_signal == 0 || io::hdf5_turn_now() != turn_of_signal) return;
  const std::uint64_t writes = io::hdf5_writes_now();
  const bool is_within_one = writes % 2 != 0;
  if (std::exchange(writes_of_signal, writes) != writes || is_within_one) {
    ::alarm(patience);
    return;
  }
  io::remove_all_temporaries();
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

void catch_signal(int signal) {
  caught_signal = signal;
  std::signal(signal, end_tidily);
  turn_of_signal = io::hdf5_turn_now();
  if (turn_of_signal == 0) return;
  writes_of_signal = io::hdf5_writes_now();
  std::signal(SIGALRM, end_if_stuck);
  ::alarm(patience);
}

void set_handler(int signal, void (*handler)(int)) {
  const bool may_be_ignored = signal != SIGINT && signal != SIGTERM;
  if (std::signal(signal, handler) == SIG_IGN && may_be_ignored) std::signal(signal, SIG_IGN);
}

}  // namespace

void end_tidily_on_signals() {
  for (const int signal : stopping_signals) set_handler(signal, end_tidily);
  for (const int signal : other_ending_signals) set_handler(signal, end_tidily);
  std::signal(SIGXFSZ, SIG_IGN);
  io::tell_of_crashes_in_hdf5();
}

const std::atomic<int>& catch_signals() {
  for (const int signal : stopping_signals) set_handler(signal, catch_signal);
  return caught_signal;
}

void end_on_sigterm() { std::signal(SIGTERM, end_tidily); }

}  // namespace larmor::cli
