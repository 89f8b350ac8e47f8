#pragma once
// Signals that end a run after what it is doing.

#include <atomic>

namespace larmor::cli {

/// From now on SIGINT and SIGTERM are kept here: 0 until one comes. A second one of the same kind
/// ends the program at once. A file that may not grow is told like a full disk.
const std::atomic<int>& catch_signals();

}  // namespace larmor::cli
