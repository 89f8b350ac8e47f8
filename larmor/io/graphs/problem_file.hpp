#pragma once
// Ising and QUBO problems from files. docs/solve.md describes the formats.

#include <string>
#include <string_view>
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

/// The names of the formats that `read_problem` reads, in the order of the enumeration.
const std::vector<std::string>& problem_format_names();

struct ProblemFile {
  ProblemFormat format;
  ground_states::QuadraticProblem problem;
  std::vector<std::string> labels;  ///< labels of the variables, as JSON
  /// Do rows `i j J` have the sign of a study, H = - sum J s s? Otherwise J > 0 is
  /// antiferromagnetic.
  bool is_ferromagnetic = false;
  Index sample = 0;           ///< number of the disorder sample of a study
  bool is_maximised = false;  ///< is the largest value of the file's function sought?

  /// Is the negative cut of a graph minimised?
  bool is_cut() const { return format == ProblemFormat::max_cut; }
  bool is_study() const { return format == ProblemFormat::study; }
  /// Value of the file's function, maximised or minimised, for a value of `problem`.
  double reported_value(double value) const { return is_maximised ? 0 - value : value; }
  std::string format_name() const;
  /// The meaning of J > 0 in a list of couplings of spins; empty for other files.
  std::string sign_text() const;
};

/// @param format one of the names; empty: chosen by the ending and the first row of the file
/// @param ferromagnetic as in ProblemFile; only allowed for lists of couplings of spins
/// @throws InputError with file and line for a missing or malformed file, variables that do not
/// exist, or couplings of a variable with itself. Also for pairs that are given twice, numbers that
/// are not finite, and wrong counts. MachineError if the file cannot be read
ProblemFile read_problem(const std::string& path, const std::string& format,
                         bool ferromagnetic = false);

/// Changes the sign of `problem`: it becomes minus the function of the file, or minus the cut.
void maximise(ProblemFile& file);

/// First bytes of a file that `to_file` wrote.
inline constexpr std::string_view dimod_signature = "DIMODBQM";

/// Reads dimod's BinaryQuadraticModel, JSON (`to_serializable`) or bytes (`to_file`), chosen by the
/// first bytes.
/// @throws InputError for the errors of read_problem
ProblemFile read_dimod(const std::string& path);

}  // namespace larmor::io
