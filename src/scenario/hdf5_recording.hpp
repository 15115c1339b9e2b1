#pragma once
#include <limber/scenario/recording_files.hpp>

namespace limber {

/// A recording as an HDF5 file: a dataset of doubles per column, attributes `unit` and `group`.
std::unique_ptr<RecordingFile> open_hdf5_recording(const std::string& file,
                                                   const std::vector<Column>& columns);

}  // namespace limber
