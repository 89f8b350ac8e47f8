#pragma once
// Errors of the engine as exceptions of Python.

#include <string>

#include "larmor/core/error.hpp"

namespace larmor::module {

/// From now on, an Error that leaves a function of the module becomes the exception that
/// `larmor.engine.exception_of` makes of it.
void translate_errors();

/// Throws the error, which is being caught, with the path of its key in the text of the study.
[[noreturn]] void throw_with_key(const InputError& error, const std::string& text,
                                 const std::string& file);

/// Calls work(). An InputError gets the path of its key in the text of the study.
template <class Work>
auto with_keys(const std::string& text, const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw_with_key(error, text, file);
  }
}

}  // namespace larmor::module
