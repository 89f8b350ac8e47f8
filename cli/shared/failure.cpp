#include "cli/shared/failure.hpp"

#include <iostream>
#include <new>

#include "larmor/core/ranks/communicator.hpp"

namespace larmor::cli {
namespace {

template <class Kind>
bool is(const std::exception& error) {
  return dynamic_cast<const Kind*>(&error) != nullptr;
}

}  // namespace

int explain_failure(const std::exception& error) {
  const auto* const known = dynamic_cast<const Error*>(&error);
  if (is<OtherRankFailed>(error)) return known->exit_code();
  if (is<std::bad_alloc>(error)) {
    std::cerr << "error: out of memory; `larmor check` says what a study needs\n";
    return 3;
  }
  if (known == nullptr || is<InternalError>(error)) {
    std::cerr << "larmor: " << error.what()
              << "\nThis is a defect of Larmor, not of your input; please report it.\n";
    return known == nullptr ? 70 : known->exit_code();
  }
  std::cerr << (is<InputError>(error) ? "" : "error: ") << error.what() << "\n";
  return known->exit_code();
}

}  // namespace larmor::cli
