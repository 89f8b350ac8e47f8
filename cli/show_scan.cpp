// Prints a scan for `larmor show`.

#include <fmt/core.h>

#include "cli/print_words.hpp"
#include "cli/results_table.hpp"
#include "cli/show.hpp"
#include "larmor/core/progress.hpp"

namespace larmor::cli {

void show_scan(const io::ResultsReader& file, bool all) {
  const io::Attributes scan = file.attributes("/scan");
  double seconds = 0;
  for (const double of_point : file.read<double>("/provenance/points/seconds")) seconds += of_point;
  print_words("  scan of {} points, {} done in {} of one rank\n", scan.at("points").integer(),
              scan.at("points_completed").integer(), format_duration(seconds));
  const std::vector<ResultsTable> tables = tables_of_scan(file);
  // The last stage usually has the results; earlier stages prepare the spins.
  const std::string last = tables.empty() ? "" : tables.back().stage;
  std::string before;
  for (const ResultsTable& table : tables) {
    const bool shown = all || table.stage == last;
    if (table.stage != before) print_words("  {}{}\n", table.stage, shown ? "" : ": see --all");
    before = table.stage;
    if (shown) print_table(table, all);
  }
  if (!tables.empty()) print_words("  all results of one point: --point N\n");
}

}  // namespace larmor::cli
