#pragma once
// Choice of the systems of a benchmark by name.

#include <string>
#include <utility>
#include <vector>

namespace larmor::bench {

class BenchChoice {
 public:
  /// @param only substring of the names; empty: all
  explicit BenchChoice(std::string only) : only_(std::move(only)) {}

  /// Whether a system, or a part of its line, is chosen. Called for every system before its
  /// measurement.
  bool wants(const std::string& system);
  /// @throws InputError with a list of the names if no name was chosen
  void require_one() const;

 private:
  std::string only_;
  std::vector<std::string> offered_;
  bool any_ = false;
};

}  // namespace larmor::bench
