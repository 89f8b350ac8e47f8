#include "larmor/io/hdf5/hdf5_driver.hpp"

#include <hdf5.h>
#if H5_VERSION_GE(1, 14, 0)
#include <H5FDdevelop.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/hdf5/hdf5_lock.hpp"

namespace larmor::io {
namespace {

constexpr haddr_t largest_address = (haddr_t{1} << 62) - 1;

struct DriverFile {
  H5FD_t base;  // must be the first member: HDF5 has a pointer to it
  DrivenFile* file;
  haddr_t allocated;
  haddr_t size;
};

DriverFile& self(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& self(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

bool has_failed(const DriverFile& file) { return file.file->first_error != 0; }

H5FD_t* open_file(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* driven = static_cast<DrivenFile* const*>(H5Pget_driver_info(access));
  if (driven == nullptr) return nullptr;
  const bool empties = (flags & H5F_ACC_TRUNC) != 0 && !(*driven)->appending;
  if (empties && ::ftruncate((*driven)->descriptor, 0) != 0) return nullptr;
  struct stat status {};
  if (::fstat((*driven)->descriptor, &status) != 0) return nullptr;
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  file->file = *driven;
  // If the driver appends, HDF5 must create a file and not open the old one. So the file seems
  // empty to HDF5.
  file->size = (*driven)->appending ? 0 : static_cast<haddr_t>(status.st_size);
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  delete &self(file);
  return 0;
}

herr_t query_features(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
  }
  return 0;
}

/// Features without aggregation, which would put the superblock and other objects into one block.
herr_t query_features_of_appending(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE;
  return 0;
}

/// Allocates the superblock at the beginning, and all else behind the old contents.
haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t bytes) {
  DriverFile& target = self(file);
  Appending& appending = *target.file->appending;
  if (type == H5FD_MEM_SUPER && appending.superblock.empty()) {
    appending.superblock.resize(bytes);
    target.allocated = appending.begin;
    return 0;
  }
  if (type == H5FD_MEM_DRAW && appending.adopted.bytes == bytes && bytes > 0)
    return appending.adopted.address;
  const haddr_t address = target.allocated;
  target.allocated += bytes;
  return address;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return self(file).allocated; }

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).allocated = address;
  return 0;
}

haddr_t file_end(const H5FD_t* file, H5FD_mem_t) { return self(file).size; }

/// The bytes of the superblock at this address; null if they are outside.
std::byte* in_superblock(DrivenFile& file, haddr_t address, std::size_t count) {
  if (!file.appending || address + count > file.appending->superblock.size()) return nullptr;
  return file.appending->superblock.data() + address;
}

/// Reads bytes. Bytes behind the end of the file, and bytes that were never written, are zeros.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t count,
                  void* bytes) {
  DrivenFile& driven = *self(file).file;
  if (type == H5FD_MEM_DRAW && driven.located) {
    driven.located = ByteRange{address, count};
    return 0;
  }
  if (const std::byte* kept = in_superblock(driven, address, count)) {
    std::memcpy(bytes, kept, count);
    return 0;
  }
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::pread(driven.descriptor, next, std::min(count, largest_transfer),
                                static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {
      std::memset(next, 0, count);
      return 0;
    }
    next += got;
    address += static_cast<haddr_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return 0;
}

/// Handles writes to places that must not be written: the superblock is stored in memory, and
/// adopted data are already there.
herr_t keep(DrivenFile& file, haddr_t address, std::size_t count, const void* bytes) {
  if (std::byte* kept = in_superblock(file, address, count)) {
    std::memcpy(kept, bytes, count);
    return 0;
  }
  const ByteRange& adopted = file.appending->adopted;
  if (address != adopted.address || count != adopted.bytes) file.appending->misplaced = true;
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t count,
                   const void* bytes) {
  DriverFile& target = self(file);
  if (target.file->appending && address < target.file->appending->begin)
    return keep(*target.file, address, count, bytes);
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0 && !has_failed(target)) {
    const Hdf5Write write;
    const ssize_t written =
        ::pwrite(target.file->descriptor, next, std::min(count, largest_transfer),
                 static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      target.file->first_error = errno;
      break;
    }
    next += written;
    address += static_cast<haddr_t>(written);
    count -= static_cast<std::size_t>(written);
  }
  target.size = std::max(target.size, address + count);
  return 0;
}

/// Sets the file to exactly the length that HDF5 has allocated.
herr_t fit_length(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& target = self(file);
  if (target.size == target.allocated) return 0;
  if (!has_failed(target) &&
      ::ftruncate(target.file->descriptor, static_cast<off_t>(target.allocated)) != 0) {
    target.file->first_error = errno;
  }
  target.size = target.allocated;
  return 0;
}

/// @param value number from the range for private drivers
H5FD_class_t make_driver_class(const char* name, [[maybe_unused]] int value) {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(value);
#endif
  driver.name = name;
  driver.maxaddr = largest_address;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DrivenFile*);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query_features;
  driver.get_eoa = allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = file_end;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = fit_length;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return driver;
}

}  // namespace

Hdf5Handle file_access(DrivenFile& file) {
  static const H5FD_class_t plain_class = make_driver_class("larmor", 510);
  static const H5FD_class_t appending_class = [] {
    H5FD_class_t driver = make_driver_class("larmor-append", 511);
    driver.query = query_features_of_appending;
    driver.alloc = allocate;
    return driver;
  }();
  static const hid_t plain = checked(H5FDregister(&plain_class), "register the HDF5 driver");
  static const hid_t appending =
      checked(H5FDregister(&appending_class), "register the HDF5 driver");
  Hdf5Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "use HDF5");
  DrivenFile* const driven = &file;
  checked(H5Pset_driver(access.get(), file.appending ? appending : plain, &driven),
          "use the HDF5 driver");
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "use HDF5");
  return access;
}

}  // namespace larmor::io
