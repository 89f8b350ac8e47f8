#include "larmor/spinwaves/broadening.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace larmor::spinwaves {

double Resolution::at(double distance) const {
  const double x = distance / width;
  if (shape == LineShape::lorentzian) return 2 / (std::numbers::pi * width * (1 + 4 * x * x));
  const double four_ln_2 = 4 * std::numbers::ln2;
  return std::sqrt(four_ln_2 / std::numbers::pi) / width * std::exp(-four_ln_2 * x * x);
}

std::vector<double> broadened(const WaveVectorSpectrum& spectrum, std::span<const double> frequency,
                              const Resolution& resolution) {
  std::vector<double> S(3 * frequency.size());
  const auto add = [&](const Line& line) {
    if (!std::isfinite(line.intensity())) return;
    for (std::size_t w = 0; w < frequency.size(); ++w) {
      const double weight = 2 * std::numbers::pi * resolution.at(frequency[w] - line.frequency);
      for (std::size_t a = 0; a < 3; ++a) S[3 * w + a] += weight * std::norm(line.amplitude[a]);
    }
  };
  for (const Line& line : spectrum.lines) add(line);
  for (const Line& line : spectrum.mirror) add(line);
  return S;
}

DensityOfStates density_of_states(std::span<const double> frequencies, Index bins,
                                  const Resolution* resolution) {
  double highest = 0;
  for (const double w : frequencies)
    if (w > highest) highest = w;
  const double spread = resolution == nullptr ? 0 : 2 * resolution->width;
  const double end = highest + spread > 0 ? 1.02 * (highest + spread) : 1;
  const double width = end / static_cast<double>(bins);
  const auto count = static_cast<std::size_t>(bins);
  std::vector<double> histogram(count);
  const double one = 1 / (width * static_cast<double>(frequencies.size()));
  for (const double w : frequencies)
    if (w >= 0) histogram[std::min(count - 1, static_cast<std::size_t>(w / width))] += one;
  DensityOfStates result;
  for (std::size_t b = 0; b < count; ++b)
    result.frequency.push_back((static_cast<double>(b) + 0.5) * width);
  if (resolution == nullptr) {
    result.density = std::move(histogram);
    return result;
  }
  result.density.assign(count, 0);
  for (std::size_t from = 0; from < count; ++from) {
    if (histogram[from] == 0) continue;
    for (std::size_t to = 0; to < count; ++to)
      result.density[to] +=
          histogram[from] * width * resolution->at(result.frequency[to] - result.frequency[from]);
  }
  return result;
}

std::vector<Vec3<double>> zone_grid(const std::array<Index, 3>& points) {
  std::vector<Vec3<double>> q;
  const auto fraction = [&](Index k, std::size_t d) {
    return static_cast<double>(k) / static_cast<double>(points[d]);
  };
  for (Index z = 0; z < points[2]; ++z)
    for (Index y = 0; y < points[1]; ++y)
      for (Index x = 0; x < points[0]; ++x)
        q.push_back({fraction(x, 0), fraction(y, 1), fraction(z, 2)});
  return q;
}

}  // namespace larmor::spinwaves
