#include "larmor/study/scan/scan_results.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "larmor/core/device/profile.hpp"
#include "larmor/io/results/checkpoint.hpp"
#include "larmor/study/input/scan_values.hpp"
#include "larmor/study/parsplice/segments_of_run.hpp"
#include "larmor/study/run/provenance.hpp"
#include "larmor/study/run/study_results.hpp"

namespace larmor::study {
namespace {

namespace fs = std::filesystem;

/// The largest share of the root's time for moving points into the results.
constexpr double share_of_time = 0.05;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string number_of(Index point) {
  char text[24];
  std::snprintf(text, sizeof(text), "%04ld", static_cast<long>(point));
  return text;
}

/// The identifiers of a point and of its scan, in the results of the point.
struct PointRuns {
  std::uint64_t point = 0, scan = 0;
};

/// The identifiers in a file; nothing if no scan wrote this file.
std::optional<PointRuns> runs_of(const std::string& file) {
  try {
    const io::ResultsReader results(file);
    const io::Attributes attributes = results.attributes("/provenance");
    const auto scan = attributes.find(scan_attribute);
    if (scan == attributes.end()) return std::nullopt;
    return PointRuns{run_of(results), scan->second.one<std::uint64_t>()};
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Removes the files of a point. If a file cannot be removed, it stays in the folder, and the end
/// of the scan reports the folder.
void remove_point_files(const std::string& file) {
  std::error_code unremovable;
  if (const std::optional<PointRuns> runs = runs_of(file)) {
    io::remove_checkpoints(checkpoint_path(file), runs->point);
    remove_segments_of(file, runs->point);
    fs::remove(file, unremovable);
  }
  io::remove_stale_temporaries(file);
}

/// Did any scan write this file into its folder?
bool is_of_a_scan(const std::string& file) {
  return io::is_regular(file) && (io::is_temporary_name(file) || io::is_checkpoint(file) ||
                                  has_segments(file) || runs_of(file));
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// "0003.h5", or the name of one of its checkpoints, or of its segments.
bool is_name_of_point(const std::string& name) {
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits < 4 || digits == std::string::npos) return false;
  const std::string ending = name.substr(digits);
  return ending == ".h5" || ending == ".h5.ckpt" || ending == ".h5.ckpt.prev" ||
         ending == ".h5.segments";
}

bool is_completed(const std::string& file) {
  return io::ResultsReader(file).attributes("/").at("completed").integer() != 0;
}

/// Seconds that the stages of a point took.
double seconds_of(const io::ResultsReader& results) {
  double seconds = 0;
  for (const std::string& stage : results.list("/stages"))
    seconds += results.attributes("/stages/" + stage).at("wall_seconds").number();
  return seconds;
}

/// All files that points name, each once.
std::vector<std::string> files_of(const Scan& scan) {
  std::set<std::string> files;
  for (Index point = 0; point < scan.points(); ++point)
    for (const std::string& file : files_read(scan.study(point))) files.insert(file);
  return {files.begin(), files.end()};
}

/// Did the scan write this file, which has the name of a point or of its checkpoint?
/// @param scan its identifier; nothing: there is none
bool is_point_of(const std::string& file, const std::optional<std::uint64_t>& scan) {
  if (!io::is_regular(file)) return false;
  const std::string results = file.substr(0, file.rfind(".h5") + 3);
  const std::optional<PointRuns> runs = runs_of(results);
  return runs && runs->scan == scan &&
         (results == file || io::run_of_checkpoint(file) == runs->point ||
          has_segments_of(file, runs->point));
}

/// @param replaced identifier of the results that are replaced
/// @throws InputError if another scan, not to be replaced, has left its points, or if a file of
/// another origin is in the way
void require_free_folder(const std::string& folder, bool force,
                         const std::optional<std::uint64_t>& replaced) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return;
  if (!fs::is_directory(status) || fs::is_symlink(folder, error))
    throw InputError(
        "'" + folder + "' is not a folder, but the points of the scan need a folder of this name",
        "move this file or folder, or name another --output");
  for (const fs::path& file : files_in(folder)) {
    if (!force && is_of_a_scan(file.string()))
      throw InputError(
          "'" + folder + "' exists and holds the points of another scan",
          "move this folder next to the results of that scan, or name another --output");
    if (!force)
      throw InputError("'" + folder + "' exists and holds files that no scan wrote",
                       "move this folder, give --force, or name another --output");
    if (is_name_of_point(file.filename().string()) && !is_point_of(file.string(), replaced))
      throw InputError(
          "'" + file.string() +
              "' has the name of a point, but does not belong to the scan that is to be replaced",
          "move this file or folder, or name another --output");
  }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) throw MachineError("cannot make the folder '" + folder + "': " + error.message());
}

/// Removes the folder if it is empty. @return a note of the files for which the folder stays
std::string remove_folder(const std::string& folder) {
  std::error_code error;
  if (fs::is_symlink(folder, error)) return "";
  fs::remove(folder, error);
  if (!error) return "";
  std::string names;
  for (const fs::path& file : files_in(folder)) {
    if (names.size() > 100) {
      names += ", ...";
      break;
    }
    names += (names.empty() ? "" : ", ") + file.filename().string();
  }
  return "the folder '" + folder + "' stays: " +
         (names.empty() ? error.message()
                        : "there are files in it that are not the scan's, or that cannot be "
                          "removed (" +
                              names + ")");
}

}  // namespace

std::string points_folder(const std::string& results) {
  return io::file_behind(results) + ".points";
}

std::string point_file(const std::string& results, Index point) {
  return (fs::path(points_folder(results)) / (number_of(point) + ".h5")).string();
}

std::string note_of_left_points(const std::string& results) {
  const std::string folder = points_folder(results);
  std::error_code error;
  if (!replaced_run(results) || !fs::is_directory(folder, error)) return "";
  return "the folder '" + folder + "' stays: a scan that is replaced left points in it";
}

std::string point_group(Index point) { return "/points/" + number_of(point); }

void require_point_of(std::uint64_t scan, const std::string& file) {
  if (!fs::exists(file)) return;
  const std::optional<PointRuns> runs = runs_of(file);
  if (!runs || runs->scan != scan)
    throw InputError("'" + file + "' is not of this scan, and has the name of one of its points",
                     "move this file");
}

ScanResults::ScanResults(const Scan& scan, std::string output, io::ResultsFile file)
    : scan_(&scan),
      output_(std::move(output)),
      file_(std::move(file)),
      summary_(scan),
      done_(static_cast<std::size_t>(scan.points()), false),
      rank_(done_.size(), -1),
      seconds_(done_.size(), 0.0),
      last_copy_(now()) {}

ScanResults ScanResults::create(const Scan& scan, const std::vector<double>& work,
                                const RunOptions& options) {
  const std::string folder = points_folder(options.output);
  const std::string checkpoint = checkpoint_path(options.output);
  const auto if_exists = options.force ? io::IfExists::replace : io::IfExists::refuse;
  const auto replaced = options.force ? replaced_run(options.output) : std::nullopt;
  io::require_no_checkpoints(checkpoint, replaced);
  ScanResults results(scan, options.output, io::ResultsFile::create(options.output, if_exists));
  require_free_folder(folder, options.force, replaced);
  make_folder(folder);
  results.work_ = work;
  results.write_beginning(options);
  results.file_.commit();
  // The new results exist now, so an older run of this name may be removed.
  if (options.force) {
    if (replaced) io::remove_checkpoints(checkpoint, *replaced);
    // A checkpoint is recognised by the results of its point, so the checkpoint must be removed
    // first. The name of a checkpoint sorts after the name of results.
    const std::vector<fs::path> files = files_in(folder);
    for (auto file = files.rbegin(); file != files.rend(); ++file)
      if (is_name_of_point(file->filename().string()) && is_point_of(file->string(), replaced))
        remove_with_journals(file->string());
    io::remove_stale_temporaries_in(folder);
  }
  return results;
}

ScanResults ScanResults::open(const Scan& scan, const RunOptions& options) {
  const std::string& output = options.output;
  ScanResults results(scan, output, io::ResultsFile::open(output));
  require_same_files(files_of(scan), output);
  const io::ResultsReader reader(output);
  results.run_ = run_of(reader);
  const std::string folder = points_folder(output);
  if (!fs::is_directory(folder) && !options.from_start)
    throw InputError("there is no folder '" + folder + "' with the points that were under way",
                     "put it back next to the results, or give --from-start: points that are not "
                     "done begin anew");
  const auto points = static_cast<std::size_t>(scan.points());
  results.work_ = reader.read<double>("/scan/points/work").require(points);
  results.rank_ = reader.read<std::int64_t>("/provenance/points/rank").require(points);
  results.seconds_ = reader.read<double>("/provenance/points/seconds").require(points);
  std::vector<Index> waiting;
  for (Index point = 0; point < scan.points(); ++point) {
    const std::string file = point_file(output, point);
    require_point_of(results.run_, file);
    if (reader.exists(point_group(point))) {
      results.done_[static_cast<std::size_t>(point)] = true;
      results.model_of_.emplace(scan.system_text(point), point);
      results.summary_.add(point, io::ResultsReader(output, point_group(point)));
      remove_point_files(file);
    } else if (fs::exists(file) && is_completed(file)) {
      waiting.push_back(point);
    }
  }
  make_folder(folder);
  results.begin_leg(options);
  results.add(waiting);
  results.copy_in();
  return results;
}

void ScanResults::write_beginning(const RunOptions& options) {
  write_head(file_, scan_->study(0));
  file_.write("/study/text", scan_->text());
  file_.set_attribute("/study", "file", scan_->file());
  file_.set_attribute("/study", "folder", scan_->folder());
  write_files_read(file_, files_of(*scan_));
  run_ = begin_provenance(file_, scan_->seed(), {});
  begin_leg(options);
  write_axes();
  const Index points = scan_->points();
  std::vector<std::int64_t> index;
  std::vector<std::uint64_t> seed;
  for (Index point = 0; point < points; ++point) {
    const std::vector<Index> indices = scan_->indices(point);
    index.insert(index.end(), indices.begin(), indices.end());
    seed.push_back(scan_->study(point).seed);
  }
  file_.write("/scan/points/index",
              io::DataArray(std::move(index), {points, static_cast<Index>(scan_->axes().size())}));
  file_.write("/scan/points/seed", std::move(seed));
  file_.write("/scan/points/work", work_, {{"unit", scan_->study(0).model_kind->update_name()}});
  write_points();
}

void ScanResults::begin_leg(const RunOptions& options) {
  io::Attributes more = attributes_of(arithmetic_of_scan(scan_->study(0), options.device));
  more.emplace("ranks", Index{options.world == nullptr ? 1 : options.world->size()});
  leg_ = study::begin_leg(file_, options.command, more);
}

void ScanResults::write_axes() {
  const std::vector<Index> shape = scan_->shape();
  file_.write("/scan/shape", std::vector<std::int64_t>(shape.begin(), shape.end()));
  std::vector<std::string> keys;
  for (std::size_t a = 0; a < scan_->axes().size(); ++a) {
    const ScanAxis& axis = scan_->axes()[a];
    keys.push_back(axis.keys.front().key);
    char group[40];
    std::snprintf(group, sizeof(group), "/scan/axes/%02zu", a + 1);
    for (const ScannedKey& scanned : axis.keys) {
      const std::string path = std::string(group) + "/" + scanned.key;
      if (const auto numbers = numbers_of(scanned.values)) {
        file_.write(path, numbers->values, {{"unit", numbers->unit}});
        continue;
      }
      if (auto lists = lists_of(scanned.values)) {
        const io::Shape rows{static_cast<Index>(scanned.values.size()), lists->length};
        file_.write(path, io::DataArray(std::move(lists->numbers), rows), {{"unit", lists->unit}});
        continue;
      }
      std::vector<std::string> texts;
      for (const Value& value : scanned.values) texts.push_back(to_toml_value(value));
      file_.write(path, std::move(texts));
    }
  }
  file_.write("/scan/keys", std::move(keys));
}

void ScanResults::write_points() {
  file_.write("/scan/points/completed", done_);
  file_.write("/provenance/points/rank", rank_);
  file_.write("/provenance/points/seconds", seconds_, {{"unit", "s"}});
  file_.set_attribute("/scan", "points", scan_->points());
  file_.set_attribute("/scan", "points_completed", done());
}

bool ScanResults::is_begun(Index point) const { return fs::exists(point_file(output_, point)); }

std::vector<Index> ScanResults::unfinished() const {
  std::vector<Index> points;
  for (Index point = 0; point < scan_->points(); ++point)
    if (!done_[static_cast<std::size_t>(point)]) points.push_back(point);
  std::stable_sort(points.begin(), points.end(), [&](Index one, Index other) {
    return work_[static_cast<std::size_t>(one)] > work_[static_cast<std::size_t>(other)];
  });
  std::stable_partition(points.begin(), points.end(), [&](Index point) { return is_begun(point); });
  return points;
}

Index ScanResults::done() const { return std::count(done_.begin(), done_.end(), true); }

double ScanResults::work_done() const {
  double work = 0;
  for (std::size_t point = 0; point < work_.size(); ++point)
    if (done_[point]) work += work_[point];
  return work;
}

void ScanResults::add(const std::vector<Index>& points) {
  for (const Index point : points) {
    const io::ResultsReader file(point_file(output_, point));
    const auto at = static_cast<std::size_t>(point);
    done_[at] = true;
    rank_[at] = file.attributes("/provenance").at("rank").integer();
    seconds_[at] = seconds_of(file);
    summary_.add(point, file);
    waiting_.push_back(point);
  }
}

io::Links ScanResults::links_of(Index point) {
  const auto [first, is_new] = model_of_.emplace(scan_->system_text(point), point);
  if (is_new) return {};
  return {{"model", point_group(first->second) + "/model"}};
}

void ScanResults::copy_in_if_due() {
  if (!waiting_.empty() && cost_ < share_of_time * (now() - last_copy_)) copy_in();
}

void ScanResults::copy_in() {
  if (waiting_.empty()) return;
  const Region region("points taken in");
  const double start = now();
  // If this fails, points that are not in the file stay in their own files, for a later run.
  const std::vector<Index> taken = std::exchange(waiting_, {});
  for (const Index point : taken)
    file_.copy_in(point_file(output_, point), point_group(point), links_of(point));
  write_points();
  summary_.write(file_);
  mark_leg(file_, leg_);
  file_.commit();
  for (const Index point : taken) remove_point_files(point_file(output_, point));
  last_copy_ = now();
  cost_ = last_copy_ - start;
}

std::string ScanResults::complete() {
  copy_in();
  write_completed(file_, leg_);
  io::remove_stale_temporaries_in(points_folder(output_));
  return remove_folder(points_folder(output_));
}

}  // namespace larmor::study
