#include "recording_set.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "output.hpp"

namespace limber::app {

namespace {
constexpr std::chrono::seconds longest_wait{1};  // of rows in memory, for the disk
}

template <class F>
void RecordingSet::attempt(F&& write) {
  if (!failure_.empty()) return;
  try {
    write();
  } catch (const Error& error) {
    failure_ = error.what();
  }
}

void RecordingSet::begin(const std::vector<Column>& columns) {
  for (const std::string& name : names_)
    if (std::filesystem::exists(name + ".part"))
      remark(fmt::format("'{}.part' of a run that was killed is kept as '{}.killed'", name, name));
  try {
    for (const std::string& name : names_) files_.push_back(open_recording(name, columns));
  } catch (const Error& error) {
    throw RunFailure(error.what());  // the names were found to be good before
  }
}

void RecordingSet::find_earlier(const std::vector<Column>& columns, const RecordingMark& mark) {
  columns_ = columns;
  mark_ = mark;
  std::string missing;
  for (const std::string& name : names_) {
    if (const auto found = find_recording(name, columns, mark)) earlier_.push_back(*found);
    else missing = name;
  }
  if (!earlier_.empty() && !missing.empty())
    throw Error({missing, 0, ""},
                fmt::format("is missing, but '{}' of the saved run is there; go on with the same "
                            "--recording, or write into another folder",
                            earlier_.front()));
}

void RecordingSet::go_on(const RowReceiver& receive) {
  if (earlier_.empty()) return begin(columns_);
  const RowReceiver ignore = [](std::span<const double>) {};
  try {
    for (std::size_t k = 0; k < names_.size(); ++k)
      files_.push_back(
          continue_recording(names_[k], columns_, earlier_[k], mark_, k == 0 ? receive : ignore));
  } catch (const Error& error) {
    throw RunFailure(error.what());
  }
}

void RecordingSet::add(std::span<const double> row) {
  attempt([&] {
    for (const auto& file : files_) file->add(row);
  });
}

void RecordingSet::flush() {
  flushed_ = Clock::now();
  attempt([&] {
    for (const auto& file : files_) file->flush();
  });
}

void RecordingSet::flush_if_due() {
  if (Clock::now() - flushed_ >= longest_wait) flush();
}

void RecordingSet::close() {
  const bool failed = !failure_.empty();
  for (const auto& file : files_) {
    try {
      file->close();
    } catch (const Error& error) {
      if (!failed) failure_ = error.what();
    }
  }
}

}  // namespace limber::app
