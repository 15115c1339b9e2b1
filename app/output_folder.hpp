#pragma once
// The folder that a run writes into, and what may be written there.
#include <string>
#include <vector>

namespace limber::app {

/// A folder into which no other run writes while this object lives: a file in it is locked, and the
/// system unlocks it when the program ends, however it ends.
class OutputFolder {
 public:
  /// Makes the folder if need be. Throws Error if it cannot be made or another run writes into it.
  explicit OutputFolder(std::string folder);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// A file in it.
  std::string file(const std::string& name) const;

 private:
  bool try_lock();

  std::string folder_, lock_file_;
  int descriptor_ = -1;
};

/// Throws Error unless `file` can be written later: its folder is there and takes files, it is
/// neither a folder nor a device, and it is none of the `inputs`, which are read.
void expect_writable(const std::string& file, const std::vector<std::string>& inputs);

/// True if both names mean one file, whether it exists or not.
bool same_file(const std::string& a, const std::string& b);

}  // namespace limber::app
