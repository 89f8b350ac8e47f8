#include "larmor/io/hdf5/hdf5_handle.hpp"

#include <hdf5.h>

#include <algorithm>
#include <initializer_list>

#include "larmor/core/error.hpp"

namespace larmor::io {
namespace {

/// Keeps the first description of the error stack: the innermost one.
herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc != nullptr) reason = error->desc;
  return 0;
}

/// HDF5's messages about damage describe its own structures, which users do not need.
std::string plain_reason(const std::string& action, const std::string& reason) {
  const auto begins = [](const std::string& text, std::initializer_list<const char*> words) {
    return std::ranges::any_of(words, [&](const char* word) { return text.starts_with(word); });
  };
  if (reason.starts_with("truncated file")) return "the file is cut short";
  if (begins(action, {"open", "read", "examine", "list", "look up", "copy", "take over"}))
    return "the file is damaged" + (reason.empty() ? "" : " (HDF5: " + reason + ")");
  return reason.empty() ? "HDF5 has failed" : "HDF5 has failed (" + reason + ")";
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
  throw MachineError("cannot " + action + ": " + plain_reason(action, reason));
}

}  // namespace larmor::io
