#pragma once
// The commands of the larmor program.

#include <string>

namespace larmor::cli {

/// Parses the command line and runs the command. @return exit code
int run_command(int argc, char** argv);

int run(const std::string& study, const std::string& output, bool force,
        const std::string& progress, int threads, double checkpoint_every,
        const std::string& command);
int resume(const std::string& results, const std::string& progress, int threads,
           double checkpoint_every, const std::string& command);
int check(const std::string& study);
int show(const std::string& results);
int start_new(const std::string& kind, const std::string& path, bool force);
int explain(const std::string& key);
int devices();
int verify(bool quick);
int bench(const std::string& name, int threads);

}  // namespace larmor::cli
