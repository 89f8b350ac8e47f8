#pragma once
// Checkpoints: named blocks of numbers, text or bytes in one flat file with a checksum. FORMAT:
//
//   "LARMCKPT" | format version u64 | run u64 | version string, seed u64, study hash u64, commit
//   string, layout u64 | per block: type u64, name, count u64, elements | end: type 0, number of
//   blocks u64 | CRC-64
//
// Little-endian; a string is its length as u64 and its bytes; the checksum covers all before it.
// The newest checkpoint is RESULTS.ckpt, the one before it RESULTS.ckpt.prev: at every instant at
// least one of them is whole. A run replaces and removes checkpoints of its own only, which hold
// its identifier.

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
  std::string version;  ///< of the Larmor that wrote it
  std::uint64_t seed = 0;
  std::uint64_t study_hash = 0;  ///< `checksum` of the text of the study
  std::string commit;            ///< of the Larmor that wrote it
  std::uint64_t run = 0;         ///< the identifier that its results hold, too
  std::uint64_t layout = 0;  ///< which blocks there are, and what they hold: the writer's number
};

/// Numbers in their own type, by name: a packed state is no list of doubles.
using Block = std::variant<std::vector<double>, std::vector<std::int64_t>,
                           std::vector<std::uint64_t>, std::vector<std::byte>>;
using Blocks = std::map<std::string, Block>;

/// "results.h5" -> "results.h5.ckpt"; beside the file itself where the results are a link to it.
std::string checkpoint_path(const std::string& results_path);

/// The file is no checkpoint, or is not whole. Reading it again would not help.
class DamagedCheckpoint : public MachineError {
 public:
  using MachineError::MachineError;
};

/// Does the file begin as a checkpoint of Larmor does? @throws DiskError
bool is_checkpoint(const std::string& path);
/// The run that wrote a file; nothing: it is no checkpoint of this format. @throws DiskError
std::optional<std::uint64_t> run_of_checkpoint(const std::string& path);

/// Before a run begins. @param replaced the run whose results and checkpoints are to be replaced
/// @throws InputError if there is anything else at the path; DiskError
void require_no_checkpoints(const std::string& path, const std::optional<std::uint64_t>& replaced);

/// Before a run goes on. @throws InputError if there is anything at the path but checkpoints of it;
/// DiskError
void require_checkpoints_of(const std::string& path, std::uint64_t run);

/// Removes both checkpoints of a path that this run wrote, and temporary files of dead processes.
void remove_checkpoints(const std::string& path, std::uint64_t run);

/// Writes one checkpoint as a stream: a block is on its way to the disk when its call returns.
/// Without `commit` nothing has happened. Every call throws MachineError naming the path, the
/// reason, the bytes needed so far and those free; the checkpoints there are untouched then.
class CheckpointWriter {
 public:
  CheckpointWriter(const std::string& path, const CheckpointHeader& header);

  /// @throws InternalError if the name is taken
  void add(const std::string& name, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> values);
  void add(const std::string& name, std::span<const std::uint64_t> values);
  void add(const std::string& name, std::span<const std::byte> bytes);
  void add(const std::string& name, std::string_view text);
  void add(const std::string& name, std::span<const std::string> texts);
  /// @param before comes before the name of each
  void add(const std::string& before, const Blocks& blocks);

  /// Syncs and makes this the newest checkpoint, keeping the newest one so far as the previous.
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

/// Reads the newest checkpoint that is whole.
class CheckpointReader {
 public:
  /// Takes PATH.prev if PATH is missing or damaged.
  /// @throws InputError if there is neither, or one of a newer format; MachineError if what there
  ///         is cannot be read, DamagedCheckpoint if it can and is damaged
  explicit CheckpointReader(const std::string& path);

  const CheckpointHeader& header() const { return header_; }
  /// The file read: the path given, or the previous checkpoint.
  const std::string& path() const { return file_->path(); }
  /// Why the newest checkpoint was not taken; empty if it was.
  const std::string& newest_problem() const { return newest_problem_; }

  bool contains(const std::string& name) const { return blocks_.contains(name); }
  std::vector<std::string> names() const;

  // Each throws MachineError if there is no such block or it holds something else.
  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::vector<std::uint64_t> unsigned_integers(const std::string& name) const;
  std::vector<std::byte> bytes(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// Those whose name begins so, without that beginning.
  Blocks blocks(const std::string& before) const;
  /// A block of doubles into memory that is there already, of just its size.
  void read_into(const std::string& name, std::span<double> values) const;

 private:
  struct Place {
    std::uint64_t type = 0;
    std::uint64_t count = 0;   ///< elements; for texts, bytes
    std::uint64_t offset = 0;  ///< of the first element in the file
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
