#include "larmor/imports/uppasd/symmetry.hpp"

#include <algorithm>
#include <filesystem>

#include "larmor/io/structures/directed_bonds.hpp"

namespace larmor::imports::uppasd {
namespace {

using Operations = std::vector<Mat3<double>>;

/// Lists of operations in sym.mat, which lies next to inpsd.dat. With one list for each type,
/// UppASD reads the rows of the file as columns of the matrices.
std::vector<Operations> read_operations(const InputFile& input, std::size_t lists,
                                        bool by_columns) {
  const std::filesystem::path path =
      std::filesystem::path(input.file().path()).parent_path() / "sym.mat";
  const DataFile file =
      with_position(input.find("sym")->where(), [&] { return DataFile(path.string()); });
  const std::vector<io::TextRow>& rows = file.rows();
  std::vector<Operations> result;
  std::size_t next = 0;
  for (std::size_t list = 0; list < lists; ++list) {
    if (next == rows.size())
      throw InputError("the file has " + std::to_string(list) + " of " + std::to_string(lists) +
                           " lists of operations",
                       file.end(), "write the number of operations, then three rows for each");
    const Index count = rows[next].integer(0, "the number of operations");
    if (count < 1 || count > 1000)
      throw InputError("the number of operations is " + std::to_string(count),
                       rows[next].position(0), "write a number from 1 to 1000");
    ++next;
    Operations operations;
    for (Index n = 0; n < count; ++n) {
      Mat3<double> operation{};
      for (Vec3<double>& r : operation.row) {
        if (next == rows.size())
          throw InputError("the file ends before the last operation", file.end(),
                           "write three rows for each operation");
        rows[next].require_columns(3, "the three numbers of a row");
        r = {rows[next].real(0, "x"), rows[next].real(1, "y"), rows[next].real(2, "z")};
        ++next;
      }
      operations.push_back(by_columns ? operation.transposed() : operation);
    }
    result.push_back(std::move(operations));
  }
  if (next < rows.size())
    throw InputError("the file goes on behind the last operation", rows[next].position(0),
                     "remove the rows, or change the number of operations");
  return result;
}

}  // namespace

std::vector<std::vector<Mat3<double>>> symmetry_operations(const InputFile& input,
                                                           const UppasdCrystal& crystal) {
  constexpr const char* names[] = {"none", "cubic", "square", "hexagonal"};
  const Index sym = input.whole("sym", 0);
  if (sym >= 0 && sym <= 3) return {io::uppasd_operations(names[sym])};
  if (sym == 4) return read_operations(input, 1, false);
  if (sym != 5) input.find("sym")->refuse("there is no Sym " + std::to_string(sym), "write 0 to 5");
  Index types = 1;
  for (const Site& site : crystal.sites) types = std::max(types, site.type);
  return read_operations(input, static_cast<std::size_t>(types), true);
}

}  // namespace larmor::imports::uppasd
