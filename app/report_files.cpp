#include "report_files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "output.hpp"

namespace limber::app {

namespace fs = std::filesystem;

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(fmt::format("cannot make the folder '{}': {}; name another with --output", folder,
                            error.message()));
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file)
    throw RunFailure(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
}

void write_report(const fs::path& path, const Scenario& scenario, const Report& report,
                  std::vector<std::string>& files) {
  if (!reports_available())
    return remark("no report: this build of Limber was made without npm, so reports are off");
  write_file(path, report_page(scenario, report));
  files.push_back(path.string());
}

}  // namespace limber::app
