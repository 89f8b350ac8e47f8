#pragma once
// Frames of extended XYZ, one after the other: the number of atoms, a line of keys, one line an
// atom. Format: https://github.com/libAtoms/extxyz.

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
  SourcePosition where;  ///< of the value
  std::string text;      ///< `key=value` as it stands there
};

/// Some columns of the lines of atoms.
struct ExtxyzProperty {
  std::string name;
  std::string type;  ///< "S", "R", "I" or "L"
  std::size_t first, width;
};

/// What Properties says of the columns.
class ExtxyzColumns {
 public:
  /// @throws InputError for what is no list of name:type:columns
  explicit ExtxyzColumns(const ExtxyzEntry& entry);

  const std::vector<ExtxyzProperty>& properties() const { return properties_; }
  /// Null if there is none.
  const ExtxyzProperty* find(const std::string& name) const;
  /// @throws InputError unless there is one of this type and width
  const ExtxyzProperty& require(const std::string& name, const std::string& type,
                                std::size_t width) const;
  const SourcePosition& where() const { return where_; }

  /// @throws InputError for a line of fewer or more columns
  void check(const TextRow& row) const;

 private:
  SourcePosition where_;
  std::vector<ExtxyzProperty> properties_;
};

/// What Lattice and pbc say.
struct ExtxyzBox {
  std::optional<std::array<Vec3<double>, 3>> cell;
  SourcePosition where;  ///< of Lattice
  std::array<bool, 3> periodic;
};

class ExtxyzReader {
 public:
  /// @throws InputError for a missing file or a folder, MachineError if it cannot be opened
  explicit ExtxyzReader(const std::string& path) : reader_(path) {}

  /// Goes to the next frame, past blank lines and what is left of the one before. False at the end
  /// of the file. @throws InputError for what is no number of atoms, or a malformed line of keys
  bool next_frame();
  /// @throws InputError where there is none
  void require_frame();

  Index atoms() const { return atoms_; }
  const SourcePosition& where_count() const { return where_count_; }
  /// Of the line of keys.
  const SourcePosition& where_keys() const { return where_keys_; }
  /// Null if the key is not there.
  const ExtxyzEntry* find(const std::string& key) const;
  const std::map<std::string, ExtxyzEntry>& entries() const { return entries_; }

  /// Of species and pos where the frame has no Properties.
  ExtxyzColumns columns() const;
  /// Without pbc all directions are periodic if there is a Lattice, else none is.
  /// @throws InputError for malformed ones, or periodic positions without a Lattice
  ExtxyzBox box() const;
  /// The line of the next atom. @throws InputError where the file ends before it
  const TextRow& next_atom();

 private:
  TextRowReader reader_;
  Index atoms_ = 0, atoms_read_ = 0;
  SourcePosition where_count_, where_keys_;
  std::map<std::string, ExtxyzEntry> entries_;
};

/// @throws InputError, calling it so, for a name that is no word of a file
void check_species_name(const std::string& name);

/// The first two lines of a frame: Lattice="..." Properties=species:S:1:pos:R:3:COLUMNS pbc="...",
/// and what `keys` adds.
/// @param cell null: without Lattice
std::string extxyz_header(Index atoms, const std::array<Vec3<double>, 3>* cell,
                          const std::array<bool, 3>& periodic, const std::string& columns,
                          const std::string& keys);

}  // namespace larmor::io
