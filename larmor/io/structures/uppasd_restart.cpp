#include "larmor/io/structures/uppasd_restart.hpp"

#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {
namespace {

constexpr std::size_t restart_columns = 7;
constexpr const char* restart_names = "iteration ensemble atom |m| ex ey ez";

}  // namespace

bool is_uppasd_restart(const std::string& path) {
  TextRowReader reader(path);
  while (reader.next())
    if (reader.row().columns() > 0) return reader.row().word(0)[0] == '#';
  return false;
}

std::vector<std::vector<Vec3<double>>> read_uppasd_restart(const std::string& path, Index spins) {
  TextRowReader reader(path);
  std::vector<std::vector<Vec3<double>>> ensembles;
  std::vector<bool> known;
  Index read = 0;  // spins of the last ensemble
  const auto require_whole = [&](const SourcePosition& where) {
    if (read < spins)
      throw InputError(
          "the file has " + std::to_string(read) + " of " + std::to_string(spins) + " spins" +
              (ensembles.size() > 1 ? " of ensemble " + std::to_string(ensembles.size()) : ""),
          where, "give each atom a line, or change the size of the lattice");
  };
  while (reader.next_data()) {
    const TextRow& row = reader.row();
    row.require_columns(restart_columns, restart_names);
    const Index ensemble = row.integer(1, "the ensemble");
    const Index atom = row.integer(2, "the atom");
    if (atom < 1 || atom > spins)
      throw InputError("there is no atom " + std::to_string(atom), row.position(2),
                       "the lattice has " + std::to_string(spins) + " spins");
    Vec3<double> e{row.real(4, "ex"), row.real(5, "ey"), row.real(6, "ez")};
    const double size = length(e);
    if (size == 0)
      throw InputError("the direction of the spin is zero", row.position(4),
                       "give a direction of any length except 0");
    e = (1 / size) * e;
    const Index last = std::ssize(ensembles);
    if (ensemble == last + 1) {
      if (last > 0) require_whole(row.position(1));
      ensembles.emplace_back(static_cast<std::size_t>(spins));
      known.assign(static_cast<std::size_t>(spins), false);
      read = 0;
    } else if (ensemble != last) {
      throw InputError(
          "ensemble " + std::to_string(ensemble) + " follows ensemble " + std::to_string(last),
          row.position(1), "give the ensembles 1, 2, .. one after another");
    }
    const auto place = static_cast<std::size_t>(atom - 1);
    if (known[place])
      throw InputError("atom " + std::to_string(atom) + " occurs twice", row.position(2),
                       "give each atom of an ensemble one line");
    known[place] = true;
    ensembles.back()[place] = e;
    ++read;
  }
  require_whole(reader.end());
  return ensembles;
}

}  // namespace larmor::io
