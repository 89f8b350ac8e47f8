#pragma once
// Frames of extended XYZ: the number of atoms, a line of keys, one line per atom. Format:
// https://github.com/libAtoms/extxyz.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {

/// A key of the second line.
struct ExtxyzEntry {
  std::string value;
  SourcePosition where;  ///< position of the value
  std::string text;      ///< `key=value`, unchanged
};

/// Adjacent columns of the lines of atoms that share one name.
struct ExtxyzProperty {
  std::string name;
  std::string type;  ///< "S", "R", "I" or "L"
  std::size_t first, width;
};

/// The columns that Properties names.
class ExtxyzColumns {
 public:
  /// @throws InputError if the value is not a list of name:type:columns
  explicit ExtxyzColumns(const ExtxyzEntry& entry);

  const std::vector<ExtxyzProperty>& properties() const { return properties_; }
  /// The column of this name; null if there is none.
  const ExtxyzProperty* find(const std::string& name) const;
  /// @throws InputError unless there is a column of this name, type and width
  const ExtxyzProperty& require(const std::string& name, const std::string& type,
                                std::size_t width) const;
  const SourcePosition& where() const { return where_; }

  /// @throws InputError for a line with fewer or more columns
  void check(const TextRow& row) const;

 private:
  SourcePosition where_;
  std::vector<ExtxyzProperty> properties_;
};

/// The values of Lattice and pbc.
struct ExtxyzBox {
  std::optional<std::array<Vec3<double>, 3>> cell;
  SourcePosition where;  ///< position of Lattice
  std::array<bool, 3> periodic;
};

class ExtxyzReader {
 public:
  /// @throws InputError for a missing file or a folder, MachineError if it cannot be opened
  explicit ExtxyzReader(const std::string& path) : reader_(path) {}

  /// Goes to the next frame, past blank lines and the rest of the previous frame. False at the end
  /// of the file. @throws InputError for a wrong number of atoms, or a malformed line of keys
  bool next_frame();
  /// @throws InputError if there is no frame
  void require_frame();

  Index atoms() const { return atoms_; }
  const SourcePosition& where_count() const { return where_count_; }
  /// Position of the line of keys.
  const SourcePosition& where_keys() const { return where_keys_; }
  /// The entry of this key; null if there is none.
  const ExtxyzEntry* find(const std::string& key) const;
  const std::map<std::string, ExtxyzEntry>& entries() const { return entries_; }

  /// The columns that Properties names. Without Properties, they are species and pos.
  ExtxyzColumns columns() const;
  /// Cell and periodic directions. Without pbc all directions are periodic if there is a Lattice,
  /// otherwise none.
  /// @throws InputError for malformed values, or periodic positions without a Lattice
  ExtxyzBox box() const;
  /// The line of the next atom. @throws InputError if the file ends before it
  const TextRow& next_atom();

 private:
  TextRowReader reader_;
  Index atoms_ = 0, atoms_read_ = 0;
  SourcePosition where_count_, where_keys_;
  std::map<std::string, ExtxyzEntry> entries_;
};

/// @throws InputError, which names the species, if it cannot be a word of a file
void check_species_name(const std::string& name);

/// The first two lines of a frame: Lattice="..." Properties=species:S:1:pos:R:3:COLUMNS pbc="...",
/// and `keys`.
/// @param cell null: without Lattice
std::string extxyz_header(Index atoms, const std::array<Vec3<double>, 3>* cell,
                          const std::array<bool, 3>& periodic, const std::string& columns,
                          const std::string& keys);

}  // namespace larmor::io
