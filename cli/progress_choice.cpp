#include "cli/progress_choice.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace larmor::cli {

ProgressMode progress_mode(const std::string& name) {
  if (name == "terminal") return ProgressMode::terminal;
  if (name == "plain") return ProgressMode::plain;
  if (name == "json") return ProgressMode::json;
  if (name == "quiet") return ProgressMode::quiet;
  return isatty(STDERR_FILENO) ? ProgressMode::terminal : ProgressMode::plain;
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace larmor::cli
