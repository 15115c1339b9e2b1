#pragma once
// CSV files of numbers: a first line with names, then lines with as many numbers. Lines that are
// empty or begin with # are left out.
#include <string>
#include <vector>

namespace limber {

struct CsvTable {
  std::string file;
  int header_line = 0;
  std::vector<std::string> names;
  std::vector<int> lines;                 ///< of each row
  std::vector<std::vector<double>> rows;  ///< as many numbers each as there are names

  /// The column called `time`; Error if there is none.
  std::size_t time_column() const;
};

/// Throws Error with file and line for what is not of this form, names that are there twice, times
/// that do not increase, and fewer than two rows.
CsvTable read_csv(const std::string& file);

}  // namespace limber
