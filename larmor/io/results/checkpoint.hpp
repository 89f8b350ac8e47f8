#pragma once
// Checkpoints: named blocks of numbers, text or bytes in one flat file with a checksum. FORMAT:
//
//   "LARMCKPT" | format version u64 | run u64 | version string, seed u64, study hash u64, commit
//   string, layout u64 | per block: type u64, name, count u64, elements | end: type 0, number of
//   blocks u64 | CRC-64
//
// Little-endian; a string is its length as u64 and its bytes; the checksum covers all bytes before
// it. The newest checkpoint is RESULTS.ckpt, the previous one RESULTS.ckpt.prev. At every instant
// at least one of them is whole. A run replaces and removes only checkpoints with its own
// identifier.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "larmor/io/files/checksum.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::io {

struct CheckpointHeader {
  std::string version;  ///< version of Larmor that wrote the file
  std::uint64_t seed = 0;
  std::uint64_t study_hash = 0;  ///< `checksum` of the text of the study
  std::string commit;            ///< commit of Larmor that wrote the file
  std::uint64_t run = 0;         ///< identifier of the run, which its results also have
  std::uint64_t layout = 0;      ///< the writer's number for the set of blocks and their contents
};

/// Arrays of numbers by name. Packed states need other types of numbers than double.
using Block = std::variant<std::vector<double>, std::vector<std::int64_t>,
                           std::vector<std::uint64_t>, std::vector<std::byte>>;
using Blocks = std::map<std::string, Block>;

/// "results.h5" -> "results.h5.ckpt". If the results are a link, the checkpoint is next to the file
/// behind the link.
std::string checkpoint_path(const std::string& results_path);

/// An error for a file that is not a checkpoint, or not whole. A caller that reads the file again
/// gets this error again.
class DamagedCheckpoint : public MachineError {
 public:
  using MachineError::MachineError;
};

/// Does the file begin with the mark of a checkpoint of Larmor? @throws DiskError
bool is_checkpoint(const std::string& path);
/// The run that wrote a file; nothing if it is not a checkpoint of this format. @throws DiskError
std::optional<std::uint64_t> run_of_checkpoint(const std::string& path);

/// Must be called before a run begins. @param replaced the run whose results and checkpoints will
/// be replaced
/// @throws InputError if there is any other file at the path of a checkpoint; DiskError
void require_no_checkpoints(const std::string& path, const std::optional<std::uint64_t>& replaced);

/// Must be called before a run continues. @throws InputError if a file at the path is not a
/// checkpoint of the run; DiskError
void require_checkpoints_of(const std::string& path, std::uint64_t run);

/// Removes both checkpoints of this run at a path, and temporary files of dead processes.
void remove_checkpoints(const std::string& path, std::uint64_t run);

/// Writes one checkpoint as a stream: each block goes to the disk before its call returns. Before
/// `commit` the existing checkpoints do not change. If a call fails, at least one of them stays
/// whole. The call then throws MachineError with the path, the reason, the bytes needed so far and
/// the free bytes.
class CheckpointWriter {
 public:
  CheckpointWriter(const std::string& path, const CheckpointHeader& header);

  /// @throws InternalError if the checkpoint has a block of this name
  void add(const std::string& name, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> values);
  void add(const std::string& name, std::span<const std::uint64_t> values);
  void add(const std::string& name, std::span<const std::byte> bytes);
  void add(const std::string& name, std::string_view text);
  void add(const std::string& name, std::span<const std::string> texts);
  /// @param before prefix for the name of each block
  void add(const std::string& before, const Blocks& blocks);

  /// Syncs, and makes this the newest checkpoint. The old newest one becomes the previous one.
  void commit();

 private:
  void begin_block(const std::string& name, std::uint64_t type, std::uint64_t count);
  void put(std::span<const std::byte> bytes);
  void put_number(std::uint64_t number);
  void put_text(std::string_view text);
  void flush();
  [[noreturn]] void fail(const DiskError& error);

  std::string path_;
  TemporaryFile temporary_;
  std::uint64_t run_;
  std::vector<std::byte> buffer_;
  Checksum checksum_;
  std::uint64_t bytes_written_ = 0;
  std::set<std::string> names_;
};

/// Reads the newest whole checkpoint.
class CheckpointReader {
 public:
  /// Reads PATH, or PATH.prev if PATH is missing or damaged.
  /// @throws InputError if neither exists, or for a newer format; MachineError if the file cannot
  /// be read, DamagedCheckpoint if it is damaged
  explicit CheckpointReader(const std::string& path);

  const CheckpointHeader& header() const { return header_; }
  /// The path that was read: the given one, or that of the previous checkpoint.
  const std::string& path() const { return file_->path(); }
  /// The reason why the newest checkpoint was not used; empty if it was used.
  const std::string& newest_problem() const { return newest_problem_; }

  bool contains(const std::string& name) const { return blocks_.contains(name); }
  std::vector<std::string> names() const;

  // Each of the next functions throws MachineError if there is no such block, or if it has another
  // type.
  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::vector<std::uint64_t> unsigned_integers(const std::string& name) const;
  std::vector<std::byte> bytes(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// All blocks whose names begin with `before`. The returned names lack this prefix.
  Blocks blocks(const std::string& before) const;
  /// Reads a block of doubles into existing memory of exactly its size.
  void read_into(const std::string& name, std::span<double> values) const;

 private:
  struct Place {
    std::uint64_t type = 0;
    std::uint64_t count = 0;   ///< elements; for texts, bytes
    std::uint64_t offset = 0;  ///< place of the first element in the file
  };
  class Cursor;

  void open(const std::string& path);
  void read_contents(Cursor& cursor);
  const Place& block(const std::string& name, std::uint64_t type) const;
  template <class T>
  std::vector<T> elements(const std::string& name, std::uint64_t type) const;

  CheckpointHeader header_;
  std::unique_ptr<FileHandle> file_;
  std::map<std::string, Place> blocks_;
  std::string newest_problem_;
};

}  // namespace larmor::io
