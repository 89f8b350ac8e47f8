#pragma once
// A scan: a study whose [[scan]] tables vary some of its keys. Every combination of their values is
// a point, a study of its own.
//
//   [[scan]]
//   key    = "stage.1.temperature"
//   values = [0.5, 1.0, 1.5]
//
// Keys are named as in key_path.hpp.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/study/input/scan_values.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/input/study_document.hpp"

namespace larmor::study {

class Scan {
 public:
  /// A study without [[scan]] tables has one point, itself.
  /// @throws InputError with the position of a mistake in the [[scan]] tables or in the changes,
  /// which have the form of with_changes (key_path.hpp)
  Scan(const std::string& text, std::string file, std::string folder,
       const std::vector<std::string>& changes = {});
  Scan(StudyDocument document, std::string file, std::string folder,
       const std::vector<std::string>& changes = {});
  /// @param folder folder of the files that the study names; empty: the folder of the study
  static Scan read(const std::string& path, const std::vector<std::string>& changes = {},
                   const std::string& folder = "");

  bool is_scan() const { return !axes_.empty(); }
  const std::vector<ScanAxis>& axes() const { return axes_; }
  /// The seed of the study, from which every point derives its own.
  std::uint64_t seed() const;
  /// Values of each [[scan]] table. The last one varies fastest from point to point.
  std::vector<Index> shape() const;
  Index points() const;
  /// The index of the point's value in each table.
  std::vector<Index> indices(Index point) const;

  /// The study of a point. Its text is the one that a user would write for this point only.
  /// @throws InputError with the position of the first mistake. The mistake may be in a scanned
  /// value. For the first point it may also be in a value that scanned values replace
  Study study(Index point) const;
  /// An equal text for points that differ only in their stages and seeds. Such points have equal
  /// lattices, Hamiltonians and first spins, unless these are random.
  std::string system_text(Index point) const;
  /// "point 3 (stage.1.temperature = 0.5, field.B.3 = 1.0)"
  std::string name(Index point) const;

  /// Notes of StudyDocument.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& text() const { return text_; }
  const std::string& file() const { return file_; }
  const std::string& folder() const { return folder_; }

 private:
  Value document(Index point) const;
  void explain_fractions(Index point) const;
  void check_replaced() const;

  std::string text_, file_, folder_;
  std::vector<std::string> notes_;
  Value base_;  ///< the study without its [[scan]] tables
  std::vector<ScanAxis> axes_;
};

/// The seed of a point if none is scanned: SplitMix64 of the study's seed, after `point` + 1 steps.
std::uint64_t seed_of_point(std::uint64_t seed, Index point);

}  // namespace larmor::study
