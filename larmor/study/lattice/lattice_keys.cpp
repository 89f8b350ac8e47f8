#include "larmor/study/lattice/lattice_keys.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "larmor/core/input/lacking_key.hpp"

namespace larmor::study {

void check_lattice_keys(const LatticeKeys& keys) {
  const int ways =
      int(keys.type.has_value()) + int(keys.cell.has_value()) + int(keys.file.has_value());
  if (ways != 1)
    throw InputError(ways == 0 ? "lattice has neither type nor cell nor file"
                               : "lattice has several of type, cell and file",
                     keys.where.of({"type", "cell"}),
                     "give a named type, a cell of your own, or a file of positions");
  if (!keys.basis.empty() && !keys.cell)
    throw InputError("lattice has a basis without a cell", keys.where.of("basis"),
                     "give cell = [[..], [..], [..]]");
  if (keys.file && !keys.size.empty())
    throw InputError("lattice has both file and size", keys.where.of("size"),
                     "plain positions are not repeated; remove size");
  if (!keys.file && keys.size.empty())
    throw LackingKey("size", InputError("lattice lacks its size", keys.where,
                                        "give size = [..], cells along each lattice vector"));
  const LatticeKeys untouched;
  if (keys.file && (keys.periodic != untouched.periodic || keys.constant != untouched.constant))
    throw InputError("lattice has both file and periodic or constant",
                     keys.where.of({"periodic", "constant"}),
                     "plain positions are not scaled; their boundaries are pbc in the file");
  if (keys.size.size() > 3)
    throw InputError("size has more than three numbers", keys.where.of("size"),
                     "give one to three");
}

void require_one_or_each(const LatticeKeys& keys, std::size_t count, const char* key,
                         const lattice::Crystal& crystal) {
  const std::size_t atoms = crystal.basis.size();
  if (count != 1 && count != atoms)
    throw InputError(std::string(key) + " has " + std::to_string(count) + " entries for " +
                         std::to_string(atoms) + " basis atoms",
                     keys.where.of(key), "give one for all, or one for each basis atom");
}

lattice::Crystal own_crystal(const LatticeKeys& keys) {
  lattice::Crystal crystal;
  crystal.name = "given";
  for (std::size_t d = 0; d < 3; ++d) crystal.cell[d] = keys.constant * (*keys.cell)[d];
  crystal.dimensions = static_cast<int>(keys.size.size());
  for (const Vec3<double>& f : keys.basis) crystal.basis.push_back({f, "A", 1});
  if (keys.basis.empty()) crystal.basis.push_back({{0, 0, 0}, "A", 1});
  return crystal;
}

std::vector<Index> cells_of(const LatticeKeys& keys, const lattice::Crystal& crystal) {
  if (keys.size.size() != 1) return keys.size;
  return std::vector<Index>(static_cast<std::size_t>(crystal.dimensions), keys.size[0]);
}

void set_species(const LatticeKeys& keys, lattice::Crystal& crystal) {
  if (keys.species.empty()) return;
  require_one_or_each(keys, keys.species.size(), "species", crystal);
  for (std::size_t i = 0; i < crystal.basis.size(); ++i)
    crystal.basis[i].species = one_or_each(keys.species, i);
}

std::string lattice_text(const lattice::Geometry& geometry) {
  if (!geometry.is_lattice()) return fmt::format("{} plain positions", geometry.sites());
  std::string size, boundary;
  for (std::size_t d = 0; d < static_cast<std::size_t>(geometry.crystal.dimensions); ++d) {
    size += fmt::format("{}{}", d ? " x " : "", geometry.size[d]);
    boundary += fmt::format("{}{}", d ? ", " : "", geometry.periodic[d] ? "periodic" : "open");
  }
  return fmt::format("{}, {} cells ({}), {} sites", geometry.crystal.name, size, boundary,
                     geometry.sites());
}

std::string path_in(const std::string& folder, const std::string& file) {
  const std::filesystem::path path(file);
  return path.is_absolute() ? file : (std::filesystem::path(folder) / path).string();
}

}  // namespace larmor::study
