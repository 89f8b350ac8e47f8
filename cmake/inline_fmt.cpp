// The functions of fmt that Larmor calls. FMT_HEADER_ONLY makes them inline, and a pointer to a
// function makes the compiler keep it. So programs need no shared library of fmt.

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

template <auto function>
struct Kept {
  [[gnu::used]] static constexpr auto pointer = function;
};

using Text = fmt::string_view;
using Arguments = fmt::format_args;

template struct Kept<static_cast<void (*)(Text, Arguments)>(&fmt::vprint)>;
template struct Kept<static_cast<void (*)(std::FILE*, Text, Arguments)>(&fmt::vprint)>;
template struct Kept<static_cast<std::string (*)(Text, Arguments)>(&fmt::vformat)>;
template struct Kept<&fmt::detail::assert_fail>;
template struct Kept<&fmt::detail::throw_format_error>;
template struct Kept<static_cast<bool (*)(std::uint32_t)>(&fmt::detail::is_printable)>;

}  // namespace
