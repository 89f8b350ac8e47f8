# Writes a source file with the texts of all headers that kernels compiled at run time include,
# directly or indirectly.
#   cmake -DSOURCE_DIR=... -DOUTPUT=... -DROOTS="a.hpp b.hpp" -P LarmorJitHeaders.cmake

cmake_minimum_required(VERSION 3.25)
separate_arguments(pending UNIX_COMMAND "${ROOTS}")
set(known "")
set(entries "")
while(pending)
  list(POP_FRONT pending header)
  if(header IN_LIST known)
    continue()
  endif()
  list(APPEND known ${header})
  file(READ ${SOURCE_DIR}/${header} text)
  string(REGEX MATCHALL "#include \"larmor/[^\"]+\"" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE "#include \"([^\"]+)\"" "\\1" other ${include})
    list(APPEND pending ${other})
  endforeach()
  string(APPEND entries "    {\"${header}\", R\"EMBEDDED(${text})EMBEDDED\"},\n")
endwhile()

# Declarations in place of standard headers. The GPU's compiler has the functions built in, or
# kernels use them from these headers.
foreach(header cmath cstring cstddef)
  string(APPEND entries "    {\"${header}\", \"#pragma once\\nnamespace std { using ::sqrt; }\\n\"},\n")
endforeach()
string(APPEND entries "    {\"cstdint\", R\"EMBEDDED(#pragma once
namespace std {
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
}
)EMBEDDED\"},\n")

file(WRITE ${OUTPUT}.new "#include \"larmor/core/device/jit_compiler.hpp\"

namespace larmor {
namespace {

constexpr JitHeader headers[] = {
${entries}};

}  // namespace

std::span<const JitHeader> jit_headers() { return headers; }

}  // namespace larmor
")
configure_file(${OUTPUT}.new ${OUTPUT} COPYONLY)
