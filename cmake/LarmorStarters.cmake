# Writes a source file with the texts of the starter studies in cli/starters.
#   cmake -DFOLDER=... -DOUTPUT=... -P LarmorStarters.cmake
# A file KIND.toml (or KIND.ending) is a starter; files of the folder KIND belong to it.

cmake_minimum_required(VERSION 3.25)
file(GLOB starters LIST_DIRECTORIES OFF ${FOLDER}/*.*)
set(entries "")
foreach(starter ${starters})
  get_filename_component(kind ${starter} NAME_WLE)
  get_filename_component(ending ${starter} LAST_EXT)
  file(GLOB others ${FOLDER}/${kind}/*)
  set(files "")
  foreach(path ${others})
    get_filename_component(name ${path} NAME)
    file(READ ${path} text)
    string(APPEND files "{\"${name}\", R\"EMBEDDED(${text})EMBEDDED\"}, ")
  endforeach()
  file(READ ${starter} text)
  string(APPEND entries "      {\"${kind}\", \"${ending}\", R\"EMBEDDED(${text})EMBEDDED\", {${files}}},\n")
endforeach()

file(WRITE ${OUTPUT}.new "#include \"cli/starters.hpp\"

namespace larmor::cli {

const std::vector<Starter>& starters() {
  static const std::vector<Starter> all{
${entries}  };
  return all;
}

}  // namespace larmor::cli
")
configure_file(${OUTPUT}.new ${OUTPUT} COPYONLY)
