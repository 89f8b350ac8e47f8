#include "cli/shared/signals.hpp"

#include <array>
#include <csignal>

#include "larmor/io/durable_file.hpp"

namespace larmor::cli {
namespace {

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> caught_signal{0};

void end_tidily(int signal) {
  io::remove_all_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void catch_signal(int signal) {
  caught_signal = signal;
  std::signal(signal, end_tidily);
}

void set_handlers(void (*handler)(int)) {
  for (const int signal : ending_signals)
    if (std::signal(signal, handler) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
}

}  // namespace

void end_tidily_on_signals() {
  set_handlers(end_tidily);
  std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<int>& catch_signals() {
  set_handlers(catch_signal);
  return caught_signal;
}

void end_on_sigterm() { std::signal(SIGTERM, end_tidily); }

}  // namespace larmor::cli
