#pragma once
// Ownership of HDF5 identifiers, and HDF5 errors as exceptions. Only for the files
// io/hdf5/hdf5_file*.

#include <cstdint>
#include <string>
#include <utility>

namespace larmor::io {

/// An HDF5 identifier (hid_t) and the call that closes it (H5Dclose, H5Sclose, ...).
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);

  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { reset(); }

  std::int64_t get() const { return id_; }
  /// Closes the identifier now; negative if HDF5 reports a failure.
  int reset() { return id_ >= 0 ? close_(std::exchange(id_, -1)) : 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// Stops HDF5 from printing its errors, and from following links into other files. May be repeated.
void prepare_hdf5();

/// @throws MachineError "cannot ACTION: reason", with the reason in plain words
[[noreturn]] void throw_hdf5_error(const std::string& action);

/// Returns `result` of an HDF5 call if it is not negative. @throws MachineError
template <class T>
T checked(T result, const std::string& action) {
  if (result < 0) throw_hdf5_error(action);
  return result;
}

/// A handle for a new identifier. @throws MachineError
inline Hdf5Handle checked(std::int64_t id, Hdf5Handle::Close close, const std::string& action) {
  return {checked(id, action), close};
}

}  // namespace larmor::io
