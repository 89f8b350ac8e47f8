#pragma once
// Names of output files.

#include <string>

namespace larmor::cli {

/// Name in the folder of a file, from its name: ("cells/bulk.data", "-evaluated.extxyz") ->
/// "cells/bulk-evaluated.extxyz"
std::string output_beside(const std::string& file, const std::string& ending);

/// @throws InputError for FILE.toml, because --force must not replace a study
void require_no_study(const std::string& output);

}  // namespace larmor::cli
