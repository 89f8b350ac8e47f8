#include "larmor/io/hdf5/hdf5_copy.hpp"

#include <algorithm>

namespace larmor::io {
namespace {

std::string inside(const std::string& group, const std::string& name) {
  return (group == "/" ? "" : group) + "/" + name;
}

/// Copies all attributes except those of dimension scales, which are references within a file.
void copy_attributes(const Hdf5File& from, const std::string& path, Hdf5File& into,
                     const std::string& to) {
  for (const auto& [name, value] : from.attributes(path))
    if (name != "CLASS" && name != "NAME") into.set_attribute(to, name, value);
}

/// Small datasets are written anew: most of a small file is room in which series may grow.
void copy_dataset(const Hdf5File& from, const std::string& path, Hdf5File& into,
                  const std::string& to) {
  constexpr Index small = 1 << 17;  // elements
  if (element_count(from.info(path).shape) <= small)
    into.write(to, from.read(path));
  else
    into.copy_dataset(from, path, to);
  copy_attributes(from, path, into, to);
}

void copy_contents(const Hdf5File& from, const std::string& group, Hdf5File& into,
                   const std::string& to, const Links& links) {
  into.require_group(to);
  copy_attributes(from, group, into, to);
  for (const std::string& name : from.children(group)) {
    const std::string source = inside(group, name), target = inside(to, name);
    if (const auto there = links.find(name); there != links.end())
      into.link(there->second, target);
    else if (from.is_group(source))
      copy_contents(from, source, into, target, {});
    else
      copy_dataset(from, source, into, target);
  }
}

/// Attaches the scales of all datasets in a group. @param path path of a group in `group`, or
/// `group` itself
void attach_scales(const Hdf5File& from, const std::string& group, const std::string& path,
                   Hdf5File& into, const std::string& to, const Links& links) {
  const auto copy_of = [&](const std::string& object) {
    return inside(to, object.substr(group == "/" ? 1 : group.size() + 1));
  };
  for (const std::string& name : from.children(path)) {
    const std::string source = inside(path, name);
    if (links.contains(name)) continue;
    if (from.is_group(source)) {
      attach_scales(from, group, source, into, to, {});
      continue;
    }
    const auto axes = static_cast<Index>(from.info(source).shape.size());
    for (Index axis = 0; axis < axes; ++axis)
      if (const std::string scale = from.scale(source, axis); !scale.empty())
        into.attach_scale(copy_of(source), axis, copy_of(scale));
  }
}

/// Do the data of a dataset keep their place? Numbers in chunks do. Texts are stored elsewhere in
/// the file.
bool stays_in_place(const DatasetInfo& info) { return info.chunked && info.type != "text"; }

/// Copies the contents of a file to its successor.
class FileTransfer {
 public:
  FileTransfer(const Hdf5File& from, Hdf5File& into, const Differences& differences)
      : from_(from), into_(into), differences_(differences) {}

  void group(const std::string& path) {
    into_.require_group(path);
    copy_attributes(from_, path, into_, path);
    for (const std::string& name : from_.children(path)) {
      const std::string object = inside(path, name);
      if (differences_.left_out.contains(object) || is_linked(object)) continue;
      if (from_.is_group(object))
        group(object);
      else
        dataset(object);
    }
  }

  /// Attaches dimension scales. All scales must have been copied before.
  void scales(const std::string& path) {
    for (const std::string& name : from_.children(path)) {
      const std::string object = inside(path, name);
      if (!into_.exists(object) || !scaled_.insert(id_of(object)).second) continue;
      if (from_.is_group(object)) {
        scales(object);
        continue;
      }
      const auto axes = static_cast<Index>(from_.info(object).shape.size());
      for (Index axis = 0; axis < axes; ++axis)
        if (const std::string scale = from_.scale(object, axis);
            !scale.empty() && into_.exists(scale))
          into_.attach_scale(object, axis, scale);
    }
  }

 private:
  /// Makes a link if the object at `path` is already copied under another path; otherwise false.
  bool is_linked(const std::string& path) {
    const auto object = from_.shared_object(path);
    if (!object) return false;
    const auto [first, is_new] = paths_.emplace(*object, path);
    if (!is_new) into_.link(first->second, path);
    return !is_new;
  }

  std::string id_of(const std::string& path) const {
    const auto object = from_.shared_object(path);
    return object ? paths_.at(*object) : path;
  }

  void dataset(const std::string& path) {
    const DatasetInfo info = from_.info(path);
    const auto cut = differences_.rows.find(path);
    const Index length = info.shape.empty() ? 0 : info.shape.front();
    const Index rows = cut == differences_.rows.end() ? length : std::min(cut->second, length);
    if (into_.appends() && stays_in_place(info) && !differences_.rewritten.contains(path)) {
      into_.adopt_dataset(from_, path, rows);
    } else {
      into_.copy_dataset(from_, path, path);
      if (rows < length) into_.truncate(path, rows);
    }
    copy_attributes(from_, path, into_, path);
  }

  const Hdf5File& from_;
  Hdf5File& into_;
  const Differences& differences_;
  std::map<std::uint64_t, std::string> paths_;  ///< first path of each object with several paths
  std::set<std::string> scaled_;
};

void add_stored(const Hdf5File& file, const std::string& group, std::set<std::uint64_t>& counted,
                StoredBytes& bytes) {
  for (const std::string& name : file.children(group)) {
    const std::string object = inside(group, name);
    if (const auto shared = file.shared_object(object); shared && !counted.insert(*shared).second)
      continue;
    if (file.is_group(object)) {
      add_stored(file, object, counted, bytes);
      continue;
    }
    const DatasetInfo info = file.info(object);
    bytes.all += info.bytes;
    if (stays_in_place(info)) bytes.in_place += info.bytes;
  }
}

}  // namespace

void copy_group(const Hdf5File& from, const std::string& group, Hdf5File& into,
                const std::string& to, const Links& links) {
  copy_contents(from, group, into, to, links);
  attach_scales(from, group, group, into, to, links);
}

void transfer_file(const Hdf5File& from, Hdf5File& into, const Differences& differences) {
  FileTransfer work(from, into, differences);
  work.group("/");
  work.scales("/");
}

StoredBytes stored_bytes(const Hdf5File& file) {
  StoredBytes bytes;
  std::set<std::uint64_t> counted;
  add_stored(file, "/", counted, bytes);
  return bytes;
}

}  // namespace larmor::io
