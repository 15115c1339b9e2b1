#pragma once
// The recording files of a run, all with the same rows.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <limber/report/recording_files.hpp>

namespace limber::app {

class RecordingSet {
 public:
  /// The files that shall be written.
  explicit RecordingSet(std::vector<std::string> files) : names_(std::move(files)) {}

  /// A new run: begins all files.
  void begin(const std::vector<Column>& columns);
  /// A run that goes on: looks for what was recorded until `mark`; what is missing begins here.
  /// Throws Error where the files belong to another run; nothing is written yet.
  void find_earlier(const std::vector<Column>& columns, const RecordingMark& mark);
  /// Opens the files with the earlier rows, if there are any, and hands these out.
  void go_on(const RowReceiver& receive);

  /// A write that fails is noted, not thrown; no more is written then.
  void add(std::span<const double> row);
  void flush();
  /// Flushes what has waited for a second.
  void flush_if_due();
  void close();
  /// Why a write failed; "" if none did.
  const std::string& failure() const { return failure_; }

  const std::vector<std::string>& names() const { return names_; }

 private:
  using Clock = std::chrono::steady_clock;
  template <class F>
  void attempt(F&& write);

  std::vector<std::string> names_;
  std::vector<std::unique_ptr<RecordingFile>> files_;
  std::vector<Column> columns_;
  std::vector<std::string> earlier_;  // of each file; empty: there is none
  RecordingMark mark_;
  std::string failure_;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace limber::app
