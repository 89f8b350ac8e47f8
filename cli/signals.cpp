#include "cli/signals.hpp"

#include <csignal>

namespace larmor::cli {
namespace {

std::atomic<int> caught_signal{0};

void catch_signal(int signal) {
  caught_signal = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<int>& catch_signals() {
  std::signal(SIGINT, catch_signal);
  std::signal(SIGTERM, catch_signal);
  std::signal(SIGXFSZ, SIG_IGN);
  return caught_signal;
}

}  // namespace larmor::cli
