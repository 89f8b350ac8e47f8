#include "larmor/study/sampling/array_bytes.hpp"

#include <cstring>
#include <type_traits>

namespace larmor::study {

std::vector<std::byte> bytes_of(const io::DataArray& array) {
  std::vector<std::byte> bytes(array.bytes());
  std::visit([&](const auto& values) { std::memcpy(bytes.data(), values.data(), bytes.size()); },
             array.elements());
  return bytes;
}

io::DataArray array_of(const std::vector<std::byte>& bytes, const io::DataArray& like,
                       io::Shape shape) {
  return std::visit(
      [&](const auto& of_like) -> io::DataArray {
        using Number = typename std::remove_cvref_t<decltype(of_like)>::value_type;
        if constexpr (std::is_arithmetic_v<Number>) {
          std::vector<Number> values(bytes.size() / sizeof(Number));
          std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
          return {std::move(values), std::move(shape)};
        } else {
          throw InternalError("texts cannot be stored as bytes");
        }
      },
      like.elements());
}

}  // namespace larmor::study
