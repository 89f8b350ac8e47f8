#pragma once
// Splits complex numbers into real numbers for results and checkpoints.

#include <complex>
#include <vector>

namespace larmor::study {

/// (.., re im)
inline std::vector<double> complex_parts(const std::vector<std::complex<double>>& numbers) {
  std::vector<double> parts;
  parts.reserve(2 * numbers.size());
  for (const std::complex<double>& z : numbers) parts.insert(parts.end(), {z.real(), z.imag()});
  return parts;
}

}  // namespace larmor::study
