#pragma once
// Which systems of a benchmark were asked for.

#include <string>
#include <utility>
#include <vector>

namespace larmor::bench {

class BenchChoice {
 public:
  /// @param only part of the names of those asked for; empty: all
  explicit BenchChoice(std::string only) : only_(std::move(only)) {}

  /// Is a system, or anything of its line, among them? Asked of every one before it is measured.
  bool wants(const std::string& system);
  /// @throws InputError, naming what was offered, when nothing of it was asked for
  void require_one() const;

 private:
  std::string only_;
  std::vector<std::string> offered_;
  bool any_ = false;
};

}  // namespace larmor::bench
