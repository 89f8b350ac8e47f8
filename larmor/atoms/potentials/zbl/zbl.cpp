#include "larmor/atoms/potentials/zbl/zbl.hpp"

#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

constexpr double coulomb_constant = 14.399645;  ///< eV Angstrom
constexpr double length_constant = 0.46850;     ///< Angstrom
constexpr double length_exponent = 0.23;
constexpr std::array<double, 4> screening_decay{0.20162, 0.40290, 0.94229, 3.19980};
constexpr std::array<double, 4> screening_amplitude{0.02817, 0.28022, 0.50986, 0.18175};

}  // namespace

ZblPair::ZblPair(double Z_i, double Z_j, double inner, double outer)
    : inner_(inner), outer_(outer) {
  const double a =
      length_constant / (std::pow(Z_i, length_exponent) + std::pow(Z_j, length_exponent));
  for (std::size_t n = 0; n < decay_.size(); ++n) {
    decay_[n] = screening_decay[n] / a;
    strength_[n] = coulomb_constant * Z_i * Z_j * screening_amplitude[n];
  }
  const Bare end = bare(outer);
  const double t = outer - inner;
  A_ = (-3 * end.slope + t * end.curvature) / (t * t);
  B_ = (2 * end.slope - t * end.curvature) / (t * t * t);
  C_ = -end.energy + t / 2 * end.slope - t * t / 12 * end.curvature;
}

Zbl::Zbl(double inner, double outer, std::int32_t types, std::span<const Nuclei> pairs)
    : outer_(outer), types_(static_cast<std::size_t>(types)), pair_of_types_(types_ * types_, -1) {
  if (!(inner > 0) || !(outer > inner))
    throw InputError(
        "the radii of zbl are " + std::to_string(inner) + " and " + std::to_string(outer),
        "give 0 < inner < outer");
  for (const Nuclei& nuclei : pairs) {
    if (!(nuclei.Z_i > 0) || !(nuclei.Z_j > 0))
      throw InputError("the charge of a nucleus of zbl is not positive", "give atomic numbers");
    const auto i = static_cast<std::size_t>(nuclei.type_i);
    const auto j = static_cast<std::size_t>(nuclei.type_j);
    pair_of_types_[i * types_ + j] = pair_of_types_[j * types_ + i] =
        static_cast<std::int32_t>(pairs_.size());
    pairs_.emplace_back(nuclei.Z_i, nuclei.Z_j, inner, outer);
  }
}

Zbl Zbl::of_types(std::span<const std::int32_t> type_here) const {
  Zbl other(*this);
  other.types_ = type_here.size();
  other.pair_of_types_.clear();
  for (const std::int32_t i : type_here)
    for (const std::int32_t j : type_here)
      other.pair_of_types_.push_back(
          pair_of_types_[static_cast<std::size_t>(i) * types_ + static_cast<std::size_t>(j)]);
  return other;
}

PairGradients Zbl::evaluate(const NeighbourRows& rows, std::span<const std::int32_t> types) const {
  PairGradients result{std::vector<double>(static_cast<std::size_t>(rows.atoms())),
                       std::vector<Vec3<double>>(static_cast<std::size_t>(rows.entries()))};
  for (std::size_t i = 0; i < result.energy.size(); ++i)
    for (Index n = rows.first[i]; n < rows.first[i + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const auto j = static_cast<std::size_t>(rows.neighbour[entry]);
      const std::int32_t pair = pair_of_types_[static_cast<std::size_t>(types[i]) * types_ +
                                               static_cast<std::size_t>(types[j])];
      if (pair < 0) continue;
      const double r = length(rows.displacement[entry]);
      const ZblPair::Value value = pairs_[static_cast<std::size_t>(pair)].at(r);
      result.energy[i] += 0.5 * value.energy;
      result.gradient[entry] = (0.5 * value.slope / r) * rows.displacement[entry];
    }
  return result;
}

}  // namespace larmor::atoms
