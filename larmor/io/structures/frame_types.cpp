#include "larmor/io/structures/frame_types.hpp"

namespace larmor::io {

std::optional<std::string> TypeNames::given_name(std::size_t type,
                                                 const SourcePosition& where) const {
  if (given.empty()) return std::nullopt;
  if (type < given.size()) return given[type];
  throw InputError("the atom is of type " + std::to_string(type + 1) + ", and " +
                       std::to_string(given.size()) + " elements are named",
                   where, "name an element for every type");
}

std::string TypeNames::other_name(std::size_t type, const SourcePosition& where) const {
  if (type < otherwise.size()) return otherwise[type];
  throw InputError(
      "the file does not say which element type " + std::to_string(type + 1) + " is", where,
      "name the elements of the types: --elements W,Be, or elements = [\"W\", \"Be\"] in the "
      "study's [structure]");
}

}  // namespace larmor::io
