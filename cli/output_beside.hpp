#pragma once
// Where commands write.

#include <string>

namespace larmor::cli {

/// Beside a file, under its name: ("cells/bulk.data", "-evaluated.extxyz") ->
/// "cells/bulk-evaluated.extxyz"
std::string output_beside(const std::string& file, const std::string& ending);

/// @throws InputError for FILE.toml: --force is no leave to replace a study
void require_no_study(const std::string& output);

}  // namespace larmor::cli
