#pragma once
// Where a command writes when nobody says where.

#include <string>

namespace larmor::cli {

/// Beside a file, under its name: ("cells/bulk.data", "-evaluated.extxyz") ->
/// "cells/bulk-evaluated.extxyz"
std::string output_beside(const std::string& file, const std::string& ending);

}  // namespace larmor::cli
