#pragma once
// Files of dimod's BinaryQuadraticModel: JSON (`to_serializable`) and bytes (`to_file`).

#include <string>
#include <string_view>

#include "larmor/io/graphs/problem_file.hpp"

namespace larmor::io {

/// First bytes of a file that `to_file` wrote.
inline constexpr std::string_view dimod_signature = "DIMODBQM";

/// Reads either format, chosen by the first bytes.
/// @throws InputError for the errors of read_problem
ProblemFile read_dimod(const std::string& path);

}  // namespace larmor::io
