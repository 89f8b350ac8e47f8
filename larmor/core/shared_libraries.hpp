#pragma once
// Shared libraries that are opened when first needed, and the folders where they may lie.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace larmor {

/// Folder of the program or of the module for Python, whichever has this code. Links are followed.
std::filesystem::path code_folder();

/// Folders of libraries that come with this program, if its code lies in `code`: the same folder,
/// `_bin` in the package for Python, and `lib/larmor` and `lib` of an installation.
std::vector<std::filesystem::path> own_library_folders(const std::filesystem::path& code);

/// Folders of CUDA outside the loader's path: those that CUDA_HOME and CUDA_PATH name, those of
/// NVIDIA's packages in the folder of packages for Python that holds `code`, and the usual ones.
std::vector<std::filesystem::path> cuda_folders(const std::filesystem::path& code);

/// Opens the first library that exists. An empty folder means the loader's path.
/// @param names names of files, the preferred one first
/// @return nullptr if there is none; dlerror() then has the last reason
void* open_library(std::span<const std::string> names,
                   std::span<const std::filesystem::path> folders);

}  // namespace larmor
