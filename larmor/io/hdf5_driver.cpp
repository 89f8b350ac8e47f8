#include "larmor/io/hdf5_driver.hpp"

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

namespace larmor::io {
namespace {

constexpr std::size_t largest_transfer = std::size_t{1} << 30;
constexpr haddr_t largest_address = (haddr_t{1} << 62) - 1;

/// What H5Pset_driver carries to `open_file`.
struct Connection {
  int descriptor;
  int* first_error;
};

struct DriverFile {
  H5FD_t base;  // first: HDF5 sees a pointer to it
  Connection connection;
  haddr_t allocated;
  haddr_t size;
};

DriverFile& self(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& self(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

bool has_failed(const DriverFile& file) { return *file.connection.first_error != 0; }

H5FD_t* open_file(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* connection = static_cast<const Connection*>(H5Pget_driver_info(access));
  if (connection == nullptr) return nullptr;
  if ((flags & H5F_ACC_TRUNC) != 0 && ::ftruncate(connection->descriptor, 0) != 0) return nullptr;
  struct stat status {};
  if (::fstat(connection->descriptor, &status) != 0) return nullptr;
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  file->connection = *connection;
  file->size = static_cast<haddr_t>(status.st_size);
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

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return self(file).allocated; }

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).allocated = address;
  return 0;
}

haddr_t file_end(const H5FD_t* file, H5FD_mem_t) { return self(file).size; }

/// What lies behind the end of the file, or was never written, reads as zeros.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t count, void* bytes) {
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::pread(self(file).connection.descriptor, next,
                                std::min(count, largest_transfer), static_cast<off_t>(address));
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

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t count,
                   const void* bytes) {
  DriverFile& target = self(file);
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0 && !has_failed(target)) {
    const ssize_t written =
        ::pwrite(target.connection.descriptor, next, std::min(count, largest_transfer),
                 static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      *target.connection.first_error = errno;
      break;
    }
    next += written;
    address += static_cast<haddr_t>(written);
    count -= static_cast<std::size_t>(written);
  }
  target.size = std::max(target.size, address + count);
  return 0;
}

/// Gives the file exactly the length that HDF5 has allocated.
herr_t fit_length(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& target = self(file);
  if (target.size == target.allocated) return 0;
  if (!has_failed(target) &&
      ::ftruncate(target.connection.descriptor, static_cast<off_t>(target.allocated)) != 0) {
    *target.connection.first_error = errno;
  }
  target.size = target.allocated;
  return 0;
}

H5FD_class_t make_driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(511);  // of the range for private drivers
#endif
  driver.name = "larmor";
  driver.maxaddr = largest_address;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Connection);
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

Hdf5Handle file_access(int descriptor, int* first_error) {
  static const H5FD_class_t driver_class = make_driver_class();
  static const hid_t driver = checked(H5FDregister(&driver_class), "register the HDF5 driver");
  Hdf5Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "use HDF5");
  const Connection connection{descriptor, first_error};
  checked(H5Pset_driver(access.get(), driver, &connection), "use the HDF5 driver");
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "use HDF5");
  return access;
}

}  // namespace larmor::io
