#include "larmor/io/hdf5/hdf5_file.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/hdf5/hdf5_adopt.hpp"
#include "larmor/io/hdf5/hdf5_driver.hpp"
#include "larmor/io/hdf5/hdf5_lock.hpp"
#include "larmor/io/hdf5/hdf5_transfer.hpp"

namespace larmor::io {

namespace {

/// Files must be complete: data in other files are not read.
void require_own_data(const Hdf5Handle& dataset, const std::string& action) {
  const auto properties = checked(H5Dget_create_plist(dataset.get()), H5Pclose, action);
  if (H5Pget_layout(properties.get()) != H5D_VIRTUAL &&
      checked(H5Pget_external_count(properties.get()), action) == 0)
    return;
  throw MachineError("cannot " + action +
                     ": its data are in other files, and results must be in one file");
}

}  // namespace

struct Hdf5File::State {
  FileHandle file;
  Mode mode;
  DrivenFile driven;
  Hdf5Handle id;

  State(const std::string& file_path, Mode open_mode, int flags)
      : file(file_path, flags), mode(open_mode) {
    driven.descriptor = file.descriptor();
    if (mode == Mode::append) driven.appending = Appending{file.size(), {}, {}, false};
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    id.reset();
    if (driven.appending) forget_appended();
  }

  /// Restores the old length of the file. The appended bytes would do no harm, but they take space.
  void forget_appended() {
    if (::ftruncate(file.descriptor(), static_cast<off_t>(driven.appending->begin)) == 0)
      driven.appending.reset();
  }
  /// Makes the appended tree the contents of the file. The superblock is shorter than a page, which
  /// a disk writes as a whole.
  void switch_to_appended() {
    const std::vector<std::byte>& superblock = driven.appending->superblock;
    const ssize_t written = ::pwrite(file.descriptor(), superblock.data(), superblock.size(), 0);
    if (written != static_cast<ssize_t>(superblock.size()))
      throw DiskError("write", file.path(), written < 0 ? errno : EIO);
    driven.appending.reset();
    file.sync();
  }

  /// "read '/a/b' of 'results.h5'"
  std::string action(const char* verb, const std::string& path) const {
    return std::string(verb) + " " + place(path);
  }
  /// "'/a/b' of 'results.h5'"
  std::string place(const std::string& path) const {
    return "'" + path + "' of '" + file.path() + "'";
  }
  Hdf5Handle dataset(const std::string& path, const std::string& action) const {
    Hdf5Handle found = checked(H5Dopen2(id.get(), path.c_str(), H5P_DEFAULT), H5Dclose, action);
    require_own_data(found, action);
    return found;
  }
  Hdf5Handle object(const std::string& path, const std::string& action) const {
    return checked(H5Oopen(id.get(), path.c_str(), H5P_DEFAULT), H5Oclose, action);
  }
};

namespace {

constexpr std::size_t compressed_from = std::size_t{1} << 20;
constexpr std::size_t largest_chunk = std::size_t{1} << 20;
constexpr std::size_t series_chunk = std::size_t{16} << 10;

int open_flags(Hdf5File::Mode mode) {
  switch (mode) {
    case Hdf5File::Mode::create:
      return O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW;
    case Hdf5File::Mode::modify:
      return O_RDWR | O_NOFOLLOW;
    case Hdf5File::Mode::append:
      return O_RDWR;
    case Hdf5File::Mode::read:
      return O_RDONLY;
  }
  throw InternalError("unknown mode");
}

/// The shape, with its slow axes divided until a block of storage is small enough.
Shape chunk_shape(Shape shape, std::size_t bytes_each) {
  for (Index& extent : shape) extent = std::max<Index>(extent, 1);
  for (Index& extent : shape) {
    while (extent > 1 &&
           static_cast<std::size_t>(element_count(shape)) * bytes_each > largest_chunk) {
      extent = (extent + 1) / 2;
    }
  }
  return shape;
}

/// The shape of the storage blocks of a series, which have enough rows for an efficient disk
/// access.
Shape series_chunk_shape(Shape rows, std::size_t bytes_each) {
  rows.front() = 1;
  const auto row_bytes = std::max<Index>(element_count(rows), 1) * static_cast<Index>(bytes_each);
  rows.front() = std::max<Index>(static_cast<Index>(series_chunk) / row_bytes, 1);
  return chunk_shape(rows, bytes_each);
}

void set_chunks(const Hdf5Handle& properties, const Shape& shape, const std::string& action) {
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  checked(H5Pset_chunk(properties.get(), static_cast<int>(extents.size()), extents.data()), action);
}

/// Link properties with which HDF5 creates the parent groups of a new object.
Hdf5Handle new_links(const std::string& action) {
  auto links = checked(H5Pcreate(H5P_LINK_CREATE), H5Pclose, action);
  checked(H5Pset_create_intermediate_group(links.get(), 1), action);
  checked(H5Pset_char_encoding(links.get(), H5T_CSET_UTF8), action);
  return links;
}

/// Makes a new dataset. No times are stored, so that equal runs give equal files.
Hdf5Handle create_dataset(std::int64_t file, const std::string& path, const DataArray& data,
                          bool extendable, const std::string& action) {
  const ElementType type = element_type(data);
  const std::size_t bytes_each = element_bytes(type);
  const Hdf5Handle links = new_links(action);
  const auto properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, action);
  checked(H5Pset_obj_track_times(properties.get(), 0), action);
  Shape shape = data.shape();
  if (extendable) {
    set_chunks(properties, series_chunk_shape(shape, bytes_each), action);
    shape.front() = 0;
  } else if (!data.is_scalar() && type != ElementType::text &&
             static_cast<std::size_t>(data.size()) * bytes_each >= compressed_from) {
    set_chunks(properties, chunk_shape(shape, bytes_each), action);
    checked(H5Pset_shuffle(properties.get()), action);
    checked(H5Pset_deflate(properties.get(), 1), action);
  }
  return checked(
      H5Dcreate2(file, path.c_str(), hdf5_type(type).get(), dataspace(shape, extendable).get(),
                 links.get(), properties.get(), H5P_DEFAULT),
      H5Dclose, action);
}

/// A selection of rows [first, first + count) in the space of a dataset.
Hdf5Handle select_rows(const Hdf5Handle& dataset, Index first, Index count,
                       const std::string& action) {
  auto space = checked(H5Dget_space(dataset.get()), H5Sclose, action);
  const Shape shape = dataspace_shape(space.get());
  if (shape.empty() || first < 0 || count < 0 || count > shape.front() - first) {
    throw MachineError("cannot " + action + ": it has the shape " + shape_text(shape));
  }
  std::vector<hsize_t> start(shape.size(), 0);
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  start.front() = static_cast<hsize_t>(first);
  extents.front() = static_cast<hsize_t>(count);
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extents.data(),
                              nullptr),
          action);
  return space;
}

ElementType stored_type(std::int64_t type, const std::string& action) {
  const auto found = element_type(type);
  if (!found) throw MachineError("cannot " + action + ": its type is not one that Larmor writes");
  return *found;
}

DatasetInfo describe(const Hdf5Handle& dataset, const std::string& action) {
  static constexpr std::array names{"float64", "float32", "int64", "int32",
                                    "uint64",  "boolean", "text",  "int8"};
  const auto type = checked(H5Dget_type(dataset.get()), H5Tclose, action);
  const auto space = checked(H5Dget_space(dataset.get()), H5Sclose, action);
  DatasetInfo info;
  info.type = names[static_cast<std::size_t>(stored_type(type.get(), action))];
  info.shape = dataspace_shape(space.get());
  std::vector<hsize_t> limits(info.shape.size());
  checked(H5Sget_simple_extent_dims(space.get(), nullptr, limits.data()), action);
  info.extendable = !limits.empty() && limits.front() == H5S_UNLIMITED;
  const auto properties = checked(H5Dget_create_plist(dataset.get()), H5Pclose, action);
  info.chunked = H5Pget_layout(properties.get()) == H5D_CHUNKED;
  info.bytes = H5Dget_storage_size(dataset.get());
  return info;
}

bool fits_in_place(const Hdf5Handle& dataset, const DataArray& data, const std::string& action) {
  const auto type = checked(H5Dget_type(dataset.get()), H5Tclose, action);
  const DatasetInfo info = describe(dataset, action);
  return !info.extendable && info.shape == data.shape() &&
         element_type(type.get()) == element_type(data);
}

Shape chunk_of(const Hdf5Handle& properties, std::size_t axes, const std::string& action) {
  std::vector<hsize_t> extents(axes);
  checked(H5Pget_chunk(properties.get(), static_cast<int>(axes), extents.data()), action);
  return Shape(extents.begin(), extents.end());
}

/// The older type for infos of objects. HDF5 1.12 changed the name of this type.
#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

herr_t collect_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t collect_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Writes the path of a dimension scale into a string and ends the iteration.
herr_t store_scale_name(hid_t, unsigned, hid_t scale, void* name) {
  const ssize_t length = H5Iget_name(scale, nullptr, 0);
  if (length < 0) return -1;
  auto& text = *static_cast<std::string*>(name);
  text.resize(static_cast<std::size_t>(length));
  H5Iget_name(scale, text.data(), text.size() + 1);
  return 1;
}

}  // namespace

Hdf5File::Hdf5File(const std::string& file_path, Mode mode) {
  const Hdf5Lock lock(file_path);
  prepare_hdf5();
  state_ = std::make_unique<State>(file_path, mode, open_flags(mode));
  const std::string action = "open '" + file_path + "' as HDF5";
  const Hdf5Handle access = file_access(state_->driven);
  const char* name = file_path.c_str();
  const hid_t id =
      mode == Mode::create || mode == Mode::append
          ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
          : H5Fopen(name, mode == Mode::modify ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get());
  state_->id = checked(id, H5Fclose, action);
}

Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() {
  if (state_ == nullptr) return;
  const Hdf5Lock lock(state_->file.path());
  state_.reset();
}

void Hdf5File::close() {
  const DrivenFile& driven = state_->driven;
  {
    const Hdf5Lock lock(state_->file.path());
    const int status = state_->id.reset();
    if (driven.first_error != 0) throw DiskError("write", state_->file.path(), driven.first_error);
    checked(status, "close '" + state_->file.path() + "'");
  }
  if (state_->mode == Mode::read) return;
  state_->file.sync();
  if (!driven.appending) return;
  if (driven.appending->misplaced)
    throw InternalError("HDF5 tried to change data that '" + state_->file.path() + "' holds");
  state_->switch_to_appended();
}

bool Hdf5File::appends() const { return state_->mode == Mode::append; }

int Hdf5File::write_error() const { return state_->driven.first_error; }

void Hdf5File::write(const std::string& path, const DataArray& data) {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("write", path);
  Hdf5Handle dataset;
  if (exists(path)) {
    if (!is_group(path)) dataset = state_->dataset(path, action);
    if (dataset.get() < 0 || !fits_in_place(dataset, data, action)) {
      dataset.reset();
      remove(path);
    }
  }
  if (dataset.get() < 0) dataset = create_dataset(state_->id.get(), path, data, false, action);
  write_elements(data, action, [&](std::int64_t type, const void* elements) {
    return H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements);
  });
  checked(dataset.reset(), action);
}

void Hdf5File::append(const std::string& path, const DataArray& rows) {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("append to", path);
  if (rows.is_scalar()) throw InternalError("cannot " + action + ": rows need an axis");
  Hdf5Handle dataset = exists(path) ? state_->dataset(path, action)
                                    : create_dataset(state_->id.get(), path, rows, true, action);
  const Shape shape = describe(dataset, action).shape;
  if (shape.empty() || row_shape(shape) != row_shape(rows.shape())) {
    throw InternalError("cannot " + action + ": rows " + shape_text(rows.shape()) +
                        " do not fit the series " + shape_text(shape));
  }
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  extents.front() += static_cast<hsize_t>(rows.shape().front());
  checked(H5Dset_extent(dataset.get(), extents.data()), action);
  const auto target = select_rows(dataset, shape.front(), rows.shape().front(), action);
  const auto source = dataspace(rows.shape());
  write_elements(rows, action, [&](std::int64_t type, const void* elements) {
    return H5Dwrite(dataset.get(), type, source.get(), target.get(), H5P_DEFAULT, elements);
  });
  checked(dataset.reset(), action);
}

void Hdf5File::truncate(const std::string& path, Index length) {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("shorten", path);
  const Hdf5Handle dataset = state_->dataset(path, action);
  const Shape shape = describe(dataset, action).shape;
  if (shape.empty() || length < 0 || length > shape.front()) {
    throw MachineError("cannot " + action + " to length " + std::to_string(length) +
                       ": it has the shape " + shape_text(shape));
  }
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  extents.front() = static_cast<hsize_t>(length);
  checked(H5Dset_extent(dataset.get(), extents.data()), action);
}

void Hdf5File::link(const std::string& existing, const std::string& path) {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("link", path);
  checked(H5Lcreate_hard(state_->id.get(), existing.c_str(), state_->id.get(), path.c_str(),
                         new_links(action).get(), H5P_DEFAULT),
          action);
}

void Hdf5File::remove(const std::string& path) {
  const Hdf5Lock lock(state_->file.path());
  checked(H5Ldelete(state_->id.get(), path.c_str(), H5P_DEFAULT), state_->action("remove", path));
}

void Hdf5File::require_group(const std::string& path) {
  const Hdf5Lock lock(state_->file.path());
  if (exists(path)) return;
  const std::string action = state_->action("make the group", path);
  const Hdf5Handle links = new_links(action);
  checked(H5Gcreate2(state_->id.get(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
          H5Gclose, action);
}

void Hdf5File::set_attribute(const std::string& path, const std::string& name,
                             const DataArray& value) {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action(("set the attribute " + name + " on").c_str(), path);
  const Hdf5Handle object = state_->object(path, action);
  if (checked(H5Aexists(object.get(), name.c_str()), action) > 0) {
    checked(H5Adelete(object.get(), name.c_str()), action);
  }
  const auto attribute =
      checked(H5Acreate2(object.get(), name.c_str(), hdf5_type(element_type(value)).get(),
                         dataspace(value.shape()).get(), H5P_DEFAULT, H5P_DEFAULT),
              H5Aclose, action);
  write_elements(value, action, [&](std::int64_t type, const void* elements) {
    return H5Awrite(attribute.get(), type, elements);
  });
}

void Hdf5File::attach_scale(const std::string& path, Index axis, const std::string& scale) {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action(("attach " + scale + " to").c_str(), path);
  const Hdf5Handle dataset = state_->dataset(path, action);
  const Hdf5Handle scale_dataset = state_->dataset(scale, action);
  if (checked(H5DSis_scale(scale_dataset.get()), action) == 0) {
    const std::string name = scale.substr(scale.rfind('/') + 1);
    checked(H5DSset_scale(scale_dataset.get(), name.c_str()), action);
  }
  checked(H5DSattach_scale(dataset.get(), scale_dataset.get(), static_cast<unsigned>(axis)),
          action);
}

void Hdf5File::copy_dataset(const Hdf5File& from, const std::string& path, const std::string& to) {
  const Hdf5Lock lock(from.state_->file.path());
  const std::string action = from.state_->action("copy", path);
  const Hdf5Handle links = new_links(action);
  const auto how = checked(H5Pcreate(H5P_OBJECT_COPY), H5Pclose, action);
  checked(H5Pset_copy_object(how.get(), H5O_COPY_WITHOUT_ATTR_FLAG), action);
  checked(H5Ocopy(from.state_->id.get(), path.c_str(), state_->id.get(), to.c_str(), how.get(),
                  links.get()),
          action);
}

void Hdf5File::adopt_dataset(const Hdf5File& from, const std::string& path, Index rows) {
  const Hdf5Lock lock(from.state_->file.path());
  const std::string action = from.state_->action("take over", path);
  const Hdf5Handle source = from.state_->dataset(path, action);
  const auto properties = checked(H5Dget_create_plist(source.get()), H5Pclose, action);
  const auto type = checked(H5Dget_type(source.get()), H5Tclose, action);
  const DatasetInfo info = describe(source, action);
  Shape shape = info.shape;
  if (info.extendable) shape.front() = rows;
  const auto target = checked(H5Dcreate2(state_->id.get(), path.c_str(), type.get(),
                                         dataspace(shape, info.extendable).get(),
                                         new_links(action).get(), properties.get(), H5P_DEFAULT),
                              H5Dclose, action);
  const Shape chunk = chunk_of(properties, shape.size(), action);
  const Index whole = info.extendable ? rows / chunk.front() * chunk.front() : rows;
  Shape adopted = shape;
  if (info.extendable) adopted.front() = whole;
  adopt_chunks(ChunkedDataset{source.get(), from.state_->driven}, adopted, chunk, target.get(),
               *state_->driven.appending, action);
  if (whole == rows) return;
  const DataArray last = from.read_rows(path, whole, rows - whole);
  const auto place = select_rows(target, whole, rows - whole, action);
  const auto memory = dataspace(last.shape());
  write_elements(last, action, [&](std::int64_t memory_type, const void* elements) {
    return H5Dwrite(target.get(), memory_type, memory.get(), place.get(), H5P_DEFAULT, elements);
  });
}

std::string Hdf5File::scale(const std::string& path, Index axis) const {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("read the scales of", path);
  const Hdf5Handle dataset = state_->dataset(path, action);
  std::string name;
  checked(H5DSiterate_scales(dataset.get(), static_cast<unsigned>(axis), nullptr, store_scale_name,
                             &name),
          action);
  return name;
}

bool Hdf5File::exists(const std::string& path) const {
  const Hdf5Lock lock(state_->file.path());
  // H5Lexists requires all parent groups to exist.
  for (std::size_t end = path.find('/', 1); path != "/"; end = path.find('/', end + 1)) {
    const std::string prefix = path.substr(0, end);
    if (checked(H5Lexists(state_->id.get(), prefix.c_str(), H5P_DEFAULT),
                state_->action("look up", path)) == 0) {
      return false;
    }
    if (end == std::string::npos) break;
    if (!is_group(prefix)) return false;
  }
  return true;
}

bool Hdf5File::is_group(const std::string& path) const {
  const Hdf5Lock lock(state_->file.path());
  const Hdf5Handle object = state_->object(path, state_->action("open", path));
  return H5Iget_type(object.get()) == H5I_GROUP;
}

std::optional<std::uint64_t> Hdf5File::shared_object(const std::string& path) const {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("examine", path);
  ObjectInfo info;
  checked(H5Oget_info_by_name2(state_->id.get(), path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
          action);
  if (info.rc < 2) return std::nullopt;
  return info.addr;
}

std::vector<std::string> Hdf5File::children(const std::string& path) const {
  constexpr auto deepest = 64;
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("list", path);
  if (std::count(path.begin(), path.end(), '/') > deepest)
    throw MachineError("cannot " + action +
                       ": groups are nested too deeply, or contain themselves");
  const auto group =
      checked(H5Gopen2(state_->id.get(), path.c_str(), H5P_DEFAULT), H5Gclose, action);
  std::vector<std::string> names;
  checked(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_link, &names),
          action);
  return names;
}

DatasetInfo Hdf5File::info(const std::string& path) const {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("examine", path);
  return describe(state_->dataset(path, action), action);
}

DataArray Hdf5File::read(const std::string& path) const {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("read", path);
  const Hdf5Handle dataset = state_->dataset(path, action);
  const auto type = checked(H5Dget_type(dataset.get()), H5Tclose, action);
  DataArray data = read_elements(stored_type(type.get(), action), describe(dataset, action).shape,
                                 action, [&](std::int64_t memory_type, void* elements) {
                                   return H5Dread(dataset.get(), memory_type, H5S_ALL, H5S_ALL,
                                                  H5P_DEFAULT, elements);
                                 });
  data.read_from(state_->place(path));
  return data;
}

DataArray Hdf5File::read_rows(const std::string& path, Index first, Index count) const {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("read", path);
  const Hdf5Handle dataset = state_->dataset(path, action);
  const auto type = checked(H5Dget_type(dataset.get()), H5Tclose, action);
  const Hdf5Handle selection = select_rows(dataset, first, count, action);
  Shape shape = describe(dataset, action).shape;
  shape.front() = count;
  const Hdf5Handle memory = dataspace(shape);
  DataArray data = read_elements(stored_type(type.get(), action), shape, action,
                                 [&](std::int64_t memory_type, void* elements) {
                                   return H5Dread(dataset.get(), memory_type, memory.get(),
                                                  selection.get(), H5P_DEFAULT, elements);
                                 });
  data.read_from(state_->place(path));
  return data;
}

Attributes Hdf5File::attributes(const std::string& path) const {
  const Hdf5Lock lock(state_->file.path());
  const std::string action = state_->action("read the attributes of", path);
  const Hdf5Handle object = state_->object(path, action);
  std::vector<std::string> names;
  checked(H5Aiterate2(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_attribute, &names),
          action);
  Attributes found;
  found.read_from(state_->place(path));
  for (const auto& name : names) {
    const auto attribute =
        checked(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT), H5Aclose, action);
    const auto type = checked(H5Aget_type(attribute.get()), H5Tclose, action);
    const auto space = checked(H5Aget_space(attribute.get()), H5Sclose, action);
    const auto kind = element_type(type.get());
    if (!kind) continue;  // internal attributes of dimension scales
    DataArray value = read_elements(*kind, dataspace_shape(space.get()), action,
                                    [&](std::int64_t memory_type, void* elements) {
                                      return H5Aread(attribute.get(), memory_type, elements);
                                    });
    value.read_from("the attribute '" + name + "' of " + state_->place(path));
    found.emplace(name, std::move(value));
  }
  return found;
}

}  // namespace larmor::io
