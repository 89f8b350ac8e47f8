#pragma once
// Ising and QUBO problems of files. docs/solve.md describes the formats.

#include <string>
#include <vector>

#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::io {

enum class ProblemFormat {
  bqm,      ///< dimod's BinaryQuadraticModel, as JSON or bytes
  coo,      ///< rows i j value: dimod's COOrdinate format, or plain lists of couplings
  qubo,     ///< qbsolv
  sparse,   ///< Biq Mac's quadratic 0-1 problems
  max_cut,  ///< rudy: Biq Mac's graphs, Gset
  study,    ///< a study of Ising spins, which `read_problem` does not read
};

/// The names that users give to the formats that `read_problem` reads, in the order of the
/// enumeration.
const std::vector<std::string>& problem_format_names();

struct ProblemFile {
  ProblemFormat format;
  ground_states::QuadraticProblem problem;
  std::vector<std::string> labels;  ///< of the variables, as JSON
  /// Are rows `i j J` taken as in a study, H = - sum J s s? Else J > 0 is antiferromagnetic.
  bool is_ferromagnetic = false;
  Index sample = 0;           ///< of a study
  bool is_maximised = false;  ///< is the largest value of the file's function sought?

  /// Is minus the cut of a graph what is minimised?
  bool is_cut() const { return format == ProblemFormat::max_cut; }
  bool is_study() const { return format == ProblemFormat::study; }
  /// Of the function that is sought the largest or least value of, where `problem` has this one.
  double value_told(double value) const { return is_maximised ? 0 - value : value; }
  std::string format_name() const;
  /// The meaning of J > 0 in a list of couplings of spins; empty: the file is none.
  std::string sign_words() const;
};

/// @param format one of the names; empty: by the ending of the file, and by its first row
/// @throws InputError naming file and line for a missing or malformed file, variables that do not
/// exist, couplings of a variable with itself, pairs given twice, numbers that are not finite,
/// wrong counts; MachineError if it cannot be read
/// @param ferromagnetic as ProblemFile has it; only lists of couplings of spins may be
ProblemFile read_problem(const std::string& path, const std::string& format,
                         bool ferromagnetic = false);

/// Of now on `problem` is minus the function of the file, or minus the cut.
void maximise(ProblemFile& file);

}  // namespace larmor::io
