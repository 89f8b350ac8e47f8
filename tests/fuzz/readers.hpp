#pragma once
// Every reader of files that fuzzing drives. A new reader is one line of the table in readers.cpp
// and a folder of seeds, corpus/NAME.

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace larmor::fuzzing {

struct Reader {
  const char* name;
  const char* file;  ///< name of the file that it reads; names decide formats
  void (*read)(const std::string& path);
  /// Does a number in the file decide how much memory the reader needs? A few bytes may declare
  /// millions of variables.
  bool declares_sizes = false;

  friend void PrintTo(const Reader& reader, std::ostream* out) { *out << reader.name; }
};

const std::vector<Reader>& readers();
/// @throws std::out_of_range for an unknown name
const Reader& reader(std::string_view name);

/// Folder of the valid files and of the files that once had a bad end.
std::string corpus_of(const Reader& reader);

/// Lets a reader read texts. The folder of the text also holds the files of companions/NAME.
class Trial {
 public:
  explicit Trial(const Reader& reader);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial();

  enum class End { accepted, refused, defect };
  struct Outcome {
    End end;
    std::string words;  ///< the message
  };
  /// A text is accepted, or refused with a place in a file and a remedy. All else is a defect.
  Outcome of(std::string_view text) const;

 private:
  const Reader& reader_;
  std::string folder_;
};

}  // namespace larmor::fuzzing
