#include "larmor/fitting/potential_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "larmor/atoms/potentials/snap/snap_tables.hpp"
#include "larmor/io/files/checksum.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::fitting {
namespace {

using atoms::snap::SnapElement;
using atoms::snap::SnapParameters;
using atoms::snap::SnapPotential;

/// The beginning of every file.
std::string origin(const Settings& settings, const std::string& program) {
  return fmt::format("# fitted by {}, input {}, checksum of input and set {}\n", program,
                     std::filesystem::path(settings.file).filename().string(),
                     checksum_of_input(settings));
}

/// "B[1 0 1]" for each component: its j1, j2 and j, and with channels their numbers.
std::vector<std::string> component_names(const SnapPotential& potential) {
  const atoms::snap::SnapTables tables(potential.parameters.twojmax);
  const int channels = potential.channels();
  std::vector<std::string> names;
  for (int k = 0; k < channels; ++k)
    for (int l = 0; l < channels; ++l)
      for (int m = 0; m < channels; ++m)
        for (const auto& [j1, j2, j] : tables.components())
          names.push_back(fmt::format("{} {} {}", j1, j2, j) +
                          (channels > 1
                               ? fmt::format(", {} {} {}", potential.elements[std::size_t(k)].name,
                                             potential.elements[std::size_t(l)].name,
                                             potential.elements[std::size_t(m)].name)
                               : ""));
  return names;
}

std::vector<std::string> coefficient_names(const SnapPotential& potential) {
  const std::vector<std::string> components = component_names(potential);
  std::vector<std::string> names{"constant"};
  for (const std::string& component : components) names.push_back("B[" + component + "]");
  if (!potential.parameters.quadraticflag) return names;
  for (std::size_t k = 0; k < components.size(); ++k)
    for (std::size_t l = k; l < components.size(); ++l)
      names.push_back("B[" + components[k] + "] B[" + components[l] + "]");
  return names;
}

std::string coefficient_text(const SnapPotential& potential) {
  const std::vector<std::string> names = coefficient_names(potential);
  std::string text = fmt::format("{} {}\n", potential.elements.size(), names.size());
  for (const SnapElement& element : potential.elements) {
    io::append_number(text += element.name + ' ', element.radius);
    io::append_number(text += ' ', element.weight);
    text += '\n';
    for (std::size_t n = 0; n < names.size(); ++n) {
      std::string number;
      io::append_number(number, element.coefficients[n]);
      text += fmt::format("{:<24} # {}\n", number, names[n]);
    }
  }
  return text;
}

std::string parameter_text(const SnapParameters& p) {
  std::string text;
  const auto number = [&](const char* key, double value) {
    io::append_number(text += std::string(key) + ' ', value);
    text += '\n';
  };
  const auto flag = [&](const char* key, bool value) {
    text += fmt::format("{} {}\n", key, value ? 1 : 0);
  };
  number("rcutfac", p.rcutfac);
  text += fmt::format("twojmax {}\n", p.twojmax);
  number("rfac0", p.rfac0);
  number("rmin0", p.rmin0);
  flag("switchflag", p.switchflag);
  flag("bzeroflag", p.bzeroflag);
  flag("quadraticflag", p.quadraticflag);
  flag("chemflag", p.chemflag);
  flag("bnormflag", p.bnormflag);
  flag("wselfallflag", p.wselfallflag);
  flag("switchinnerflag", p.switchinnerflag);
  if (!p.switchinnerflag) return text;
  for (const auto& [key, list] : {std::pair{"sinner", &p.sinner}, std::pair{"dinner", &p.dinner}}) {
    text += key;
    for (const double value : *list) io::append_number(text += ' ', value);
    text += '\n';
  }
  return text;
}

/// Commands of LAMMPS for the potential, with ZBL if it is the reference.
std::string script_text(const Settings& settings, const std::string& prefix) {
  const std::string name = std::filesystem::path(prefix).filename().string();
  std::string elements;
  for (const SnapElement& element : settings.form.elements) elements += " " + element.name;
  const auto files = [&](const char* style) {
    return fmt::format("pair_coeff * * {}{}.snapcoeff {}.snapparam{}\n", style, name, name,
                       elements);
  };
  if (!settings.reference) return "pair_style snap\n" + files("");
  std::string text = "pair_style hybrid/overlay zbl";
  io::append_number(text += ' ', settings.reference->inner);
  io::append_number(text += ' ', settings.reference->outer);
  text += " snap\n";
  for (const atoms::Zbl::Nuclei& pair : settings.reference->pairs) {
    if (pair.type_i > pair.type_j) continue;
    text += fmt::format("pair_coeff {} {} zbl", pair.type_i + 1, pair.type_j + 1);
    io::append_number(text += ' ', pair.Z_i);
    io::append_number(text += ' ', pair.Z_j);
    text += '\n';
  }
  return text + files("snap ");
}

}  // namespace

std::string checksum_of_input(const Settings& settings) {
  std::string all = settings.text;
  for (const Group& group : settings.groups)
    for (const std::string& file : group.files)
      all += fmt::format(" {:016x}", io::file_checksum(file));
  return fmt::format("{:016x}", io::checksum(all));
}

PotentialTexts potential_texts(const Settings& settings, const SnapPotential& potential,
                               const std::string& program, const std::string& prefix) {
  const std::string first = origin(settings, program);
  std::string reference;
  for (const std::string& line : settings.reference_lines) reference += "# " + line + "\n";
  if (!reference.empty())
    reference = "# energies of this reference are not included:\n" + reference;
  return {first + coefficient_text(potential),
          first + parameter_text(potential.parameters) + reference,
          first + script_text(settings, prefix)};
}

}  // namespace larmor::fitting
