#include "larmor/particles/formula.hpp"

#include <dlfcn.h>
#include <muParserDLL.h>

#include <algorithm>

#include "larmor/core/error.hpp"
#include "larmor/core/shared_libraries.hpp"

namespace larmor::particles {
namespace {

/// The functions of muParser's interface for C.
struct Library {
  decltype(&mupCreate) create;
  decltype(&mupRelease) release;
  decltype(&mupSetExpr) set_expression;
  decltype(&mupEval) evaluate;
  decltype(&mupEvalMulti) evaluate_all;
  decltype(&mupDefineConst) define_constant;
  decltype(&mupDefineVar) define_variable;
  decltype(&mupError) has_error;
  decltype(&mupGetErrorMsg) error_message;
};

Library load_library() {
  // FORMAT: 2 is the number of the interface. Debian's package libmuparser2v5 has this file. Other
  // packages of Larmor bring it along.
  const std::vector<std::string> names{"libmuparser.so.2"};
  std::vector<std::filesystem::path> folders = own_library_folders(code_folder());
  folders.emplace_back();
  void* const handle = open_library(names, folders);
  if (handle == nullptr)
    throw MachineError("formulas need the library muParser, which cannot be opened (" +
                       std::string(dlerror()) + "); install the package libmuparser2v5");
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr)
      throw MachineError("the library muParser has no function " + std::string(name) +
                         "; install version 2 of it");
  };
  Library library{};
  find("mupCreate", library.create);
  find("mupRelease", library.release);
  find("mupSetExpr", library.set_expression);
  find("mupEval", library.evaluate);
  find("mupEvalMulti", library.evaluate_all);
  find("mupDefineConst", library.define_constant);
  find("mupDefineVar", library.define_variable);
  find("mupError", library.has_error);
  find("mupGetErrorMsg", library.error_message);
  return library;
}

const Library& muparser() {
  static const Library library = load_library();
  return library;
}

constexpr const char* remedy =
    "a formula may have the named coordinates and parameters, numbers, + - * / ^, comparisons, "
    "&& || ?:, functions such as sqrt, exp, log, sin, cos, tanh, abs, and _pi and _e";

/// @throws InputError for an assignment, which would change a variable
void require_no_assignment(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '=') continue;
    const bool is_second = at > 0 && std::string("=<>!").find(text[at - 1]) != std::string::npos;
    const bool is_first = at + 1 < text.size() && text[at + 1] == '=';
    if (!is_second && !is_first)
      throw InputError("the formula '" + text + "' has an assignment", "compare numbers by ==");
  }
}

}  // namespace

void Formula::Closer::operator()(void* parser) const { muparser().release(parser); }

void require_name(const std::string& name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const bool is_word =
      !name.empty() && is_letter(name[0]) &&
      std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  if (!is_word)
    throw InputError("'" + name + "' cannot be a name in a formula",
                     "begin with a letter, and go on with letters, digits and _");
  if (name == "_pi" || name == "_e")
    throw InputError("'" + name + "' is a constant of all formulas", "choose another name");
}

Formula::Formula(const std::string& text, const std::vector<std::string>& variables,
                 const std::map<std::string, double>& parameters)
    : variables_(std::make_unique<double[]>(variables.size())),
      parser_(muparser().create(muBASETYPE_FLOAT)) {
  require_no_assignment(text);
  const Library& library = muparser();
  void* const parser = parser_.get();
  const auto check = [&] {
    if (library.has_error(parser) != 0)
      throw InputError("the formula '" + text + "' is wrong: " + library.error_message(parser),
                       remedy);
  };
  for (const auto& [name, value] : parameters)
    library.define_constant(parser, name.c_str(), value), check();
  for (std::size_t i = 0; i < variables.size(); ++i)
    library.define_variable(parser, variables[i].c_str(), &variables_[i]), check();
  library.set_expression(parser, text.c_str());
  check();
  int results = 0;
  library.evaluate_all(parser, &results);
  check();
  if (results != 1)
    throw InputError("the formula '" + text + "' gives several numbers", "give one number");
}

double Formula::operator()(std::span<const double> values) {
  std::ranges::copy(values, variables_.get());
  return muparser().evaluate(parser_.get());
}

}  // namespace larmor::particles
