#include "larmor/fitting/settings.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "larmor/atoms/cell/units.hpp"
#include "larmor/fitting/fitsnap_input.hpp"
#include "larmor/fitting/toml_input.hpp"

namespace larmor::fitting {

std::optional<StressUnit> stress_unit(const std::string& name) {
  constexpr double bar_of_lammps = 1.6021765e6;
  if (name == "bar") return StressUnit{name, bar_of_lammps, 1};
  if (name == "GPa") return StressUnit{name, 1 / atoms::gigapascal(), -1};
  if (name == "eV/A^3") return StressUnit{name, 1, -1};
  return std::nullopt;
}

Index Size::of(Index all) const {
  if (is_number) return static_cast<Index>(value);
  if (value == 0) return 0;
  return std::max<Index>(1, static_cast<Index>(value * static_cast<double>(all) + 0.5));
}

Settings read_settings(const std::string& path, const std::string& data) {
  const bool is_toml = std::filesystem::path(path).extension().string() == ".toml";
  return is_toml ? read_toml_input(path, data) : read_fitsnap_input(path, data);
}

void complete_form(Settings& settings, const SourcePosition& where) {
  atoms::snap::SnapPotential& form = settings.form;
  const auto elements = static_cast<int>(form.elements.size());
  const long count = coefficient_count(form.parameters, elements);
  for (std::size_t e = 0; e < form.elements.size(); ++e) {
    atoms::snap::SnapElement& element = form.elements[e];
    const auto is_named = [&](const atoms::snap::SnapElement& other) {
      return other.name == element.name;
    };
    if (std::ranges::count_if(form.elements, is_named) > 1)
      throw InputError("the element " + element.name + " is given twice", where, "give it once");
    if (!(form.parameters.rmin0 < form.cutoff(static_cast<int>(e), static_cast<int>(e))))
      throw InputError("rmin0 is not below the cutoff of two atoms of " + element.name +
                           ", which is rcutfac times twice the radius of this element",
                       where, "make rmin0 smaller");
    element.coefficients.assign(static_cast<std::size_t>(count), 0);
  }
}

std::vector<std::string> matching_files(const std::string& folder, const std::string& pattern,
                                        const SourcePosition& where) {
  const std::string path = (std::filesystem::path(folder) / pattern).string();
  glob_t found{};
  const int failure = ::glob(path.c_str(), 0, nullptr, &found);
  std::vector<std::string> files;
  for (std::size_t n = 0; failure == 0 && n < found.gl_pathc; ++n)
    files.emplace_back(found.gl_pathv[n]);
  ::globfree(&found);
  if (files.empty())
    throw InputError("no file has the name '" + path + "'", where,
                     "correct the name, or name the folder of the training set with --data");
  return files;
}

}  // namespace larmor::fitting
