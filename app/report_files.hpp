#pragma once
// The files that a run leaves behind.
#include <filesystem>
#include <string>
#include <vector>

#include <limber/report/report.hpp>

namespace limber::app {

/// Throws Error if it cannot be made.
void make_folder(const std::string& folder);
/// Writes the whole file or leaves it as it was: the text is written beside it and renamed. Throws
/// RunFailure if it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& text);
/// Writes the report's page and adds it to the list of files; where Limber was built without npm
/// there is none, and a message says so.
void write_report(const std::filesystem::path& path, const Scenario& scenario, const Report& report,
                  std::vector<std::string>& files);

}  // namespace limber::app
