// Reads HDF5 recordings, also those that a killed program left open.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "io/text_file.hpp"
#include "report/hdf5_handle.hpp"
#include "report/hdf5_recording.hpp"

namespace limber {

namespace {

constexpr hsize_t rows_at_once = 4096;
// a block that a writer is changing may be read again so often; HDF5's own 100 take minutes where
// the file is damaged
constexpr unsigned tries_while_written = 10;
constexpr std::size_t longest_text = 1 << 16;  // of a name or unit, in bytes

class Hdf5Reader final : public RecordingReader {
 public:
  explicit Hdf5Reader(const std::string& file) : name_(file), file_(-1, H5Fclose) {
    expect_file(file);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id < 0) {
      const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
      check(H5Pset_metadata_read_attempts(access.id(), tries_while_written));
      id = H5Fopen(file.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
    }
    file_ = Hdf5Handle(check(id), H5Fclose);
    std::map<long long, std::string> datasets;  // by column
    for (const std::string& name : links()) {
      Hdf5Handle dataset(check(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT)), H5Dclose);
      datasets.emplace(number_of(dataset.id()), name);
    }
    for (const auto& [place, name] : datasets) open_column(name);
    const auto [shortest, longest] = std::minmax_element(lengths_.begin(), lengths_.end());
    if (lengths_.empty()) throw Error({name_, 0, ""}, "has no columns of a recording");
    rows_ = *shortest;
    if (*longest > rows_)
      notice_ =
          "the columns end with different rows, as an interrupted program leaves them; rows "
          "that are not complete are left out";
  }

  bool next(std::vector<double>& row) override {
    if (at_ == rows_) return false;
    if (at_ == block_start_ + block_rows_) read_block();
    row.resize(columns_.size());
    for (std::size_t k = 0; k < row.size(); ++k)
      row[k] = block_[k * block_rows_ + (at_ - block_start_)];
    ++at_;
    return true;
  }

 private:
  template <class T>
  T check(T result) const {
    if (result < 0) throw Error({name_, 0, ""}, "is not a recording in HDF5, or is damaged");
    return result;
  }

  std::vector<std::string> links() const {
    std::vector<std::string> names;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) {
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return herr_t{0};
    };
    check(H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names));
    return names;
  }

  long long number_of(hid_t dataset) const {
    long long number = 0;
    const Hdf5Handle attribute(check(H5Aopen(dataset, "column", H5P_DEFAULT)), H5Aclose);
    check(H5Aread(attribute.id(), H5T_NATIVE_LLONG, &number));
    return number;
  }

  std::string text_of(hid_t dataset, const char* name) const {
    const Hdf5Handle attribute(check(H5Aopen(dataset, name, H5P_DEFAULT)), H5Aclose);
    const Hdf5Handle type(check(H5Aget_type(attribute.id())), H5Tclose);
    const std::size_t size = H5Tget_size(type.id());
    if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
        size > longest_text)
      check(-1);
    std::string text(size, '\0');
    check(H5Aread(attribute.id(), type.id(), text.data()));
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }

  void open_column(const std::string& name) {
    Hdf5Handle dataset(check(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT)), H5Dclose);
    const Hdf5Handle space(check(H5Dget_space(dataset.id())), H5Sclose);
    hsize_t length = 0;
    if (H5Sget_simple_extent_ndims(space.id()) != 1) check(-1);
    check(H5Sget_simple_extent_dims(space.id(), &length, nullptr));
    columns_.push_back({text_of(dataset.id(), "name"), text_of(dataset.id(), "unit"),
                        text_of(dataset.id(), "group")});
    lengths_.push_back(length);
    datasets_.push_back(std::move(dataset));
  }

  void read_block() {
    block_start_ = at_;
    block_rows_ = std::min(rows_at_once, rows_ - at_);
    block_.resize(columns_.size() * block_rows_);
    for (std::size_t k = 0; k < datasets_.size(); ++k) {
      const Hdf5Handle space(check(H5Dget_space(datasets_[k].id())), H5Sclose);
      check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &block_start_, nullptr, &block_rows_,
                                nullptr));
      const Hdf5Handle memory(check(H5Screate_simple(1, &block_rows_, nullptr)), H5Sclose);
      check(H5Dread(datasets_[k].id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT,
                    block_.data() + k * block_rows_));
    }
  }

  std::string name_;
  Hdf5Handle file_;
  std::vector<Hdf5Handle> datasets_;
  std::vector<hsize_t> lengths_;
  hsize_t rows_ = 0, at_ = 0, block_start_ = 0, block_rows_ = 0;
  std::vector<double> block_;  // column by column
};

}  // namespace

std::unique_ptr<RecordingReader> open_hdf5_reader(const std::string& file) {
  return std::make_unique<Hdf5Reader>(file);
}

}  // namespace limber
