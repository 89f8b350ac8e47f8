#pragma once
// UppASD's own files, from the results of a run of inpsd.dat. Columns, units and numbers of steps
// are those of UppASD (docs/from-uppasd.md).

#include <memory>
#include <string>
#include <vector>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::imports {

namespace uppasd {
struct OutputKeywords;
}  // namespace uppasd

class UppasdOutput {
 public:
  /// @param input path of inpsd.dat
  /// @throws InputError for another file, and at the line of a keyword whose files or formats
  /// Larmor does not write; MachineError if a file cannot be read
  explicit UppasdOutput(const std::string& input);
  ~UppasdOutput();

  /// Paths of the files that `write` writes at most. @param folder empty: the current one
  std::vector<std::string> files(const std::string& folder) const;

  struct Written {
    std::vector<std::string> paths;
    std::vector<std::string> notes;  ///< files or columns that the results cannot give
  };
  /// @param results complete results of this input
  /// @throws InputError for a file that exists and must not be replaced; MachineError for damaged
  /// results or if a file cannot be written
  Written write(const io::ResultsReader& results, const std::string& folder,
                io::IfExists if_exists) const;

 private:
  std::unique_ptr<const uppasd::OutputKeywords> keywords_;
};

}  // namespace larmor::imports
