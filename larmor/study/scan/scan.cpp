#include "larmor/study/scan/scan.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "larmor/io/files/toml.hpp"
#include "larmor/study/input/key_path.hpp"
#include "larmor/study/input/scan_values.hpp"

namespace larmor::study {
namespace {

/// Each point has files of its own while it runs.
constexpr Index most_points = 100000;

Value with(const Value& document, const ScannedKey& scanned, const Value& value) {
  return with_value(document, scanned.key, scanned.mark, value);
}

bool is_same_or_inside(const std::string& one, const std::string& other) {
  return one == other || one.starts_with(other + ".");
}

bool stands_in(const Value& value, const SourcePosition& where) {
  const SourcePosition own = value.where();
  if (own.file == where.file && own.line == where.line && own.column == where.column) return true;
  if (value.is_array())
    return std::ranges::any_of(value.as_array(),
                               [&](const Value& entry) { return stands_in(entry, where); });
  return value.is_table() && std::ranges::any_of(value.as_table(), [&](const Value::Entry& entry) {
           return stands_in(entry.value, where);
         });
}

void require_apart(const std::vector<ScannedKey>& keys) {
  for (std::size_t n = 0; n < keys.size(); ++n)
    for (std::size_t m = 0; m < n; ++m)
      if (is_same_or_inside(keys[n].key, keys[m].key) ||
          is_same_or_inside(keys[m].key, keys[n].key))
        throw InputError("'" + keys[n].key + "' is scanned twice", keys[n].mark.position(),
                         "write one [[scan]] table for each key");
}

}  // namespace

Scan::Scan(const std::string& text, std::string file, std::string folder,
           const std::vector<std::string>& changes)
    : Scan(StudyDocument{io::parse_toml(text, file), text, {}}, file, std::move(folder), changes) {}

Scan::Scan(StudyDocument read, std::string file, std::string folder,
           const std::vector<std::string>& changes)
    : text_(std::move(read.text)),
      file_(std::move(file)),
      folder_(std::move(folder)),
      notes_(std::move(read.notes)) {
  const Value document = with_changes(std::move(read.value), changes);
  if (!changes.empty()) text_ = to_toml(document);
  base_.mark(document.source_mark());
  for (const Value::Entry& entry : document.as_table())
    if (entry.key != ScanTable::name) base_.set(entry.key, entry.value, entry.key_mark);
  const Value* const tables = document.find(ScanTable::name);
  if (tables == nullptr) return;
  axes_ = read_axes(*tables);
  std::vector<ScannedKey> keys;
  for (const ScanAxis& axis : axes_) keys.insert(keys.end(), axis.keys.begin(), axis.keys.end());
  require_apart(keys);
  for (const ScannedKey& scanned : keys)
    static_cast<void>(with(base_, scanned, scanned.values.front()));
  double points = 1;
  for (const ScanAxis& axis : axes_) points *= static_cast<double>(axis.size());
  if (points > static_cast<double>(most_points))
    throw InputError("the scan has " + number_text(points) + " points", tables->where(),
                     "at most " + std::to_string(most_points) + "; give fewer values");
}

Scan Scan::read(const std::string& path, const std::vector<std::string>& changes,
                const std::string& folder) {
  StudyDocument document = read_document(path);
  const std::filesystem::path absolute = folder.empty()
                                             ? std::filesystem::absolute(path).parent_path()
                                             : std::filesystem::absolute(folder).lexically_normal();
  return {std::move(document), path, absolute.string(), changes};
}

std::vector<Index> Scan::shape() const {
  std::vector<Index> shape;
  for (const ScanAxis& axis : axes_) shape.push_back(axis.size());
  return shape;
}

Index Scan::points() const {
  Index points = 1;
  for (const ScanAxis& axis : axes_) points *= axis.size();
  return points;
}

std::vector<Index> Scan::indices(Index point) const {
  std::vector<Index> indices(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    indices[a] = point % axes_[a].size();
    point /= axes_[a].size();
  }
  return indices;
}

std::uint64_t Scan::seed() const {
  const Value* const given = base_.find("seed");
  if (given == nullptr) return Study{}.seed;
  return read_value<std::uint64_t>(*given, "seed", Dimension::none, ReadContext::reduced());
}

Value Scan::document(Index point) const {
  Value document = base_;
  // This seed comes first, so that a scanned seed replaces it.
  document.set("seed", fields_detail::write_member(seed_of_point(seed(), point),
                                                   {Dimension::none, ReadContext::reduced()}));
  const std::vector<Index> indices = this->indices(point);
  for (std::size_t a = 0; a < axes_.size(); ++a)
    for (const ScannedKey& scanned : axes_[a].keys)
      document = with(document, scanned, scanned.values[static_cast<std::size_t>(indices[a])]);
  return document;
}

Study Scan::study(Index point) const {
  if (!is_scan()) return study_of(base_, text_, file_, folder_);
  const Value own = document(point);
  try {
    Study study = study_of(own, to_toml(own), file_, folder_);
    if (point == 0) check_replaced();
    return study;
  } catch (const InputError&) {
    explain_fractions(point);
    throw;
  }
}

/// Tries each replaced value in the first point, which is correct with its own values. A replaced
/// value may conflict with these values, because no point has both. Only an error of the replaced
/// value itself counts.
void Scan::check_replaced() const {
  const Value first = document(0);
  for (const ScanAxis& axis : axes_)
    for (const ScannedKey& scanned : axis.keys) {
      const Value* const replaced = find_value(base_, scanned.key);
      if (replaced == nullptr) continue;
      try {
        study_of(with(first, scanned, *replaced), text_, file_, folder_);
      } catch (const InputError& error) {
        if (stands_in(*replaced, error.where())) throw;
      }
    }
}

/// If whole numbers instead of the fractions of a range are valid, the range is the mistake.
/// @throws InputError that says that the range is the mistake
void Scan::explain_fractions(Index point) const {
  const std::vector<Index> indices = this->indices(point);
  Value own = document(point);
  for (std::size_t a = 0; a < axes_.size(); ++a)
    for (const ScannedKey& scanned : axes_[a].keys) {
      const Value& value = scanned.values[static_cast<std::size_t>(indices[a])];
      if (scanned.whole_points == 0 || value.kind() != Value::Kind::real) continue;
      own = with(own, scanned, Value(static_cast<std::int64_t>(std::llround(value.as_number()))));
      try {
        study_of(own, to_toml(own), file_, folder_);
      } catch (const InputError&) {
        continue;
      }
      throw InputError("'" + scanned.key + "' takes whole numbers, but the spacing of " +
                           std::to_string(scanned.values.size()) + " points from " +
                           to_toml_value(scanned.values.front()) + " to " +
                           to_toml_value(scanned.values.back()) + " is not a whole number",
                       value.where(),
                       "give points = " + std::to_string(scanned.whole_points) +
                           ", for instance, or a list of whole numbers");
    }
}

std::string Scan::system_text(Index point) const {
  const Value whole = document(point);
  Value system;
  for (const Value::Entry& entry : whole.as_table())
    if (entry.key != "stage" && entry.key != "title" && entry.key != "checkpoint" &&
        entry.key != "seed")
      system.set(entry.key, entry.value);
  return to_toml(system);
}

std::string Scan::name(Index point) const {
  const std::vector<Index> indices = this->indices(point);
  std::string values;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const ScannedKey& scanned = axes_[a].keys.front();
    values += (a > 0 ? ", " : "") + scanned.key + " = " +
              to_toml_value(scanned.values[static_cast<std::size_t>(indices[a])]);
  }
  return "point " + std::to_string(point) + " (" + values + ")";
}

std::uint64_t seed_of_point(std::uint64_t seed, Index point) {
  // BITS: as Steele, Lea and Flood, OOPSLA 2014.
  std::uint64_t z = seed + static_cast<std::uint64_t>(point + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace larmor::study
