#pragma once
// Small inputs of UppASD for tests.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/imports/uppasd/uppasd.hpp"

namespace larmor::testing_support {

/// Ferromagnetic bcc iron with four shells.
inline const std::map<std::string, std::string>& iron_files() {
  static const std::map<std::string, std::string> files{
      {"inpsd.dat",
       "simid bccFe\n"
       "ncell 4 4 4   System size\n"
       "BC P P P\n"
       "cell 1.0 0.0 0.0\n"
       "     0.0 1.0 0.0\n"
       "     0.0 0.0 1.0\n"
       "Sym 1\n"
       "posfile ./posfile\n"
       "momfile ./momfile\n"
       "exchange ./jfile\n"
       "SDEalgh 5\n"
       "Initmag 3\n"
       "mode S\n"
       "temp 300.0 K\n"
       "damping 0.1\n"
       "Nstep 20\n"
       "timestep 1.0d-16 s\n"
       "do_avrg Y\n"},
      {"posfile", "1 1 0.0 0.0 0.0\n2 1 0.5 0.5 0.5\n"},
      {"momfile", "1 1 2.23 0.0 0.0 1.0\n2 1 2.23 0.0 0.0 1.0\n"},
      {"jfile",
       "1 1 0.5 0.5 0.5  1.33767484769984\n"
       "1 1 1.0 0.0 0.0  0.75703576545650\n"
       "1 1 1.0 1.0 0.0 -0.05975437643846\n"
       "1 1 1.5 0.5 0.5 -0.08819834160658\n"}};
  return files;
}

/// A chain of 24 spins along z.
inline std::map<std::string, std::string> chain_files() {
  return {{"inpsd.dat",
           "ncell 1 1 24\n"
           "BC 0 0 P\n"
           "cell 1 0 0\n0 1 0\n0 0 1\n"
           "Sym 1\n"
           "posfile ./posfile\n"
           "momfile ./momfile\n"
           "exchange ./jfile\n"
           "Initmag 3\n"
           "mode S\n"
           "temp 0\n"
           "Nstep 10\n"},
          {"posfile", "1 1 0 0 0\n"},
          {"momfile", "1 1 1.0 0 0 1\n"},
          {"jfile", "1 1 0 0 1 0.5\n"}};
}

/// Files in a folder that the end of the test removes.
class UppasdInputs : public testing::Test {
 protected:
  UppasdInputs() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "larmor-uppasd-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~UppasdInputs() override { std::filesystem::remove_all(folder_); }

  void write(const std::map<std::string, std::string>& files) const {
    for (const auto& [name, text] : files) std::ofstream(folder_ / name) << text;
  }
  std::string path_of(const std::string& name) const { return (folder_ / name).string(); }
  std::string folder() const { return folder_.string(); }

  imports::Import import(const std::map<std::string, std::string>& files) const {
    write(files);
    return imports::read_uppasd(path_of("inpsd.dat"));
  }
  /// Iron with further lines.
  imports::Import iron(const std::string& lines) const {
    auto files = iron_files();
    files["inpsd.dat"] += lines;
    return import(files);
  }
  /// The message of the error, or "accepted".
  std::string refusal(const std::map<std::string, std::string>& files) const {
    try {
      import(files);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string refusal_of_iron(const std::string& lines) const {
    auto files = iron_files();
    files["inpsd.dat"] += lines;
    return refusal(files);
  }

 private:
  std::filesystem::path folder_;
};

inline bool has_note(const imports::Import& import, const std::string& part) {
  for (const std::string& note : import.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

inline std::string all_notes(const imports::Import& import) {
  std::string all;
  for (const std::string& note : import.notes) all += note + "\n";
  return all;
}

/// The value at a path of keys and numbers of entries, counted from 0.
inline const Value& at(const Value& value) { return value; }
template <class... Rest>
const Value& at(const Value& value, const char* key, const Rest&... rest);
template <class... Rest>
const Value& at(const Value& value, int entry, const Rest&... rest) {
  return at(value.as_array().at(static_cast<std::size_t>(entry)), rest...);
}
template <class... Rest>
const Value& at(const Value& value, const char* key, const Rest&... rest) {
  const Value* const found = value.find(key);
  if (found == nullptr) throw InputError(std::string("no key ") + key);
  return at(*found, rest...);
}

}  // namespace larmor::testing_support
