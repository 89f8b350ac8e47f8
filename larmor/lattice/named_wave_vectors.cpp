#include "larmor/lattice/named_wave_vectors.hpp"

#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/lattice/crystal.hpp"

namespace larmor::lattice {

std::vector<NamedWaveVector> wave_vectors_of_lattice(std::string_view type) {
  if (type == "chain") return {{"Γ", {0, 0, 0}}, {"X", {.5, 0, 0}}};
  if (type == "square") return {{"Γ", {0, 0, 0}}, {"X", {.5, 0, 0}}, {"M", {.5, .5, 0}}};
  if (type == "triangular" || type == "honeycomb" || type == "kagome")
    return {{"Γ", {0, 0, 0}}, {"K", {1.0 / 3, 1.0 / 3, 0}}, {"M", {0.5, 0, 0}}};
  if (type == "sc")
    return {{"Γ", {0, 0, 0}}, {"X", {.5, 0, 0}}, {"M", {.5, .5, 0}}, {"R", {.5, .5, .5}}};
  if (type == "bcc")
    return {{"Γ", {0, 0, 0}}, {"H", {0, 1, 0}}, {"N", {.5, .5, 0}}, {"P", {.5, .5, .5}}};
  if (type == "fcc" || type == "diamond" || type == "pyrochlore")
    return {{"Γ", {0, 0, 0}},  {"X", {0, 1, 0}},     {"L", {.5, .5, .5}},
            {"W", {.5, 1, 0}}, {"K", {.75, .75, 0}}, {"U", {.25, 1, .25}}};
  return {};
}

std::optional<Vec3<double>> find_named_wave_vector(const Crystal& crystal,
                                                   const std::string& name) {
  const std::string wanted = name == "G" || name == "Gamma" || name == "gamma" ? "Γ" : name;
  for (const NamedWaveVector& known : crystal.wave_vectors)
    if (known.name == wanted) return known.q;
  return std::nullopt;
}

Vec3<double> named_wave_vector(const Crystal& crystal, const std::string& name) {
  if (const auto q = find_named_wave_vector(crystal, name)) return *q;
  std::vector<std::string> names;
  for (const NamedWaveVector& known : crystal.wave_vectors) names.push_back(known.name);
  throw InputError("the " + crystal.name + " lattice has no point called \"" + name + "\"",
                   names.empty() ? "give wave vectors by q = [[..], ..]"
                                 : "the points of this lattice are " + comma_list(names));
}

}  // namespace larmor::lattice
