#include "larmor/io/hdf5_handle.hpp"

#include <hdf5.h>

#include "larmor/core/error.hpp"

namespace larmor::io {
namespace {

/// Keeps the first description on the walk: the innermost one.
herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc != nullptr) reason = error->desc;
  return 0;
}

}  // namespace

void prepare_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static const bool stays_in_a_file = H5Lunregister(H5L_TYPE_EXTERNAL) >= 0;
  static_cast<void>(stays_in_a_file);
}

void throw_hdf5_error(const std::string& action) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &keep_first, &reason);
  H5Eclear2(H5E_DEFAULT);
  throw MachineError("cannot " + action + (reason.empty() ? "" : ": " + reason));
}

}  // namespace larmor::io
