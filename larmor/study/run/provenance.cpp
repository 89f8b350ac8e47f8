#include "larmor/study/run/provenance.hpp"

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <random>
#include <system_error>

#include "larmor_version.hpp"

namespace larmor::study {
namespace {

constexpr const char* root = "/provenance";
constexpr const char* run_attribute = "run";
constexpr const char* legs = "/provenance/legs";

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

void set_all(io::ResultsFile& results, const std::string& path, const io::Attributes& values) {
  for (const auto& [name, value] : values) results.set_attribute(path, name, value);
}

}  // namespace

std::uint64_t begin_provenance(io::ResultsFile& results, std::uint64_t seed,
                               const io::Attributes& more) {
  std::random_device random;
  const std::uint64_t run = (std::uint64_t{random()} << 32U) | random();
  results.set_attribute(root, run_attribute, run);
  results.set_attribute(root, "seed", seed);
  results.set_attribute(root, "started", utc_now());
  set_all(results, root, more);
  return run;
}

std::uint64_t run_of(const io::ResultsReader& results) {
  const io::Attributes attributes = results.attributes(root);
  const auto found = attributes.find(run_attribute);
  if (found == attributes.end())
    throw InputError(
        "the results hold no identifier of their run: an earlier version of Larmor wrote these "
        "results",
        "resume with the version of Larmor that wrote the results, or run the study anew");
  return found->second.one<std::uint64_t>();
}

std::optional<std::uint64_t> replaced_run(const std::string& output) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(output, unknown)) return std::nullopt;
  try {
    return run_of(io::ResultsReader(output));
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string begin_leg(io::ResultsFile& results, const std::string& command,
                      const io::Attributes& more) {
  const std::size_t before =
      results.is_on_disk() ? legs_of(io::ResultsReader(results.path())).size() : 0;
  char path[64];
  std::snprintf(path, sizeof(path), "%s/%02zu", legs, before + 1);
  set_all(results, path,
          {{"version", version},
           {"commit", commit},
           {"build", build},
           {"command", command},
           {"started", utc_now()}});
  set_all(results, path, more);
  mark_leg(results, path);
  return path;
}

void mark_leg(io::ResultsFile& results, const std::string& leg) {
  results.set_attribute(leg, "ended", utc_now());
}

void finish_provenance(io::ResultsFile& results, const std::string& leg) {
  mark_leg(results, leg);
  results.set_attribute(root, "finished", utc_now());
}

std::vector<io::Attributes> legs_of(const io::ResultsReader& results) {
  if (!results.exists(legs)) return {results.attributes(root)};
  std::vector<io::Attributes> found;
  for (const std::string& leg : results.list(legs))
    found.push_back(results.attributes(std::string(legs) + "/" + leg));
  if (found.empty()) io::refuse_count(results.place(legs), 0, 1);
  return found;
}

}  // namespace larmor::study
