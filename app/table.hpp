#pragma once
// Table: columns of text for people; names to the left, numbers to the right.
#include <string>
#include <vector>

namespace limber::app {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// Adds a row; as many cells as columns.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// The lines of the table, each indented by two spaces and without trailing blanks.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number for people: six digits; what is rounding noise beside `scale` is shown as 0.
std::string readable(double value, double scale = 1);

}  // namespace limber::app
