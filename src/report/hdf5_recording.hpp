#pragma once
#include <limber/report/recording_files.hpp>

#include "report/recording_readers.hpp"

namespace limber {

/// A recording as an HDF5 file: a dataset of doubles per column, attributes `name`, `unit`, `group`
/// and `column`, its place among the columns. Written so that another program may read it meanwhile
/// (SWMR), and so that a killed program leaves it readable.
std::unique_ptr<RecordingFile> open_hdf5_recording(const std::string& file,
                                                   const std::vector<Column>& columns);
std::unique_ptr<RecordingReader> open_hdf5_reader(const std::string& file);

/// Names for the datasets: no two alike, none empty, "/" and "%" as %2F and %25.
std::vector<std::string> hdf5_names(const std::vector<Column>& columns);

}  // namespace limber
