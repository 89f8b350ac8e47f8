#include "module/python_errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>
#include <system_error>

#include "larmor/io/files/toml.hpp"
#include "larmor/study/input/key_path.hpp"

namespace nb = nanobind;

namespace larmor::module {
namespace {

/// An error of a study with the path of its key, such as "stage.1.temperature".
class KeyError final : public InputError {
 public:
  KeyError(const InputError& error, std::string key) : InputError(error), key_(std::move(key)) {}
  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

/// The fields of an error, named as in the messages of the program (LARMOR_ERRORS=json).
nb::dict event_of(const char* kind, const std::exception& error) {
  nb::dict event;
  event["kind"] = kind;
  event["text"] = error.what();
  if (const auto* const input = dynamic_cast<const InputError*>(&error)) {
    event["problem"] = input->problem();
    event["remedy"] = input->remedy();
    if (input->has_position()) {
      event["file"] = input->where().file;
      event["line"] = input->where().line;
      event["column"] = input->where().column;
    }
  }
  if (const auto* const with_key = dynamic_cast<const KeyError*>(&error))
    event["key"] = with_key->key();
  return event;
}

/// Sets the exception of Python.
void raise(const char* kind, const std::exception& error) {
  try {
    const nb::object exception =
        nb::module_::import_("larmor.engine").attr("exception_of")(event_of(kind, error));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  } catch (nb::python_error& failure) {
    failure.restore();
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise("input", error);
  } catch (const MachineError& error) {
    raise("machine", error);
  } catch (const std::system_error& error) {
    raise("machine", error);
  } catch (const UnphysicalError& error) {
    raise("unphysical", error);
  } catch (const Error& error) {
    raise("internal", error);
  }
}

}  // namespace

void translate_errors() { nb::register_exception_translator(translate); }

void throw_with_key(const InputError& error, const std::string& text, const std::string& file) {
  if (dynamic_cast<const KeyError*>(&error) != nullptr) throw;
  if (const auto key = study::changed_key(error)) throw KeyError(error, *key);
  if (!error.has_position() || error.where().file != file) throw;
  throw KeyError(error, study::key_of(io::parse_toml(text, file), error));
}

}  // namespace larmor::module
