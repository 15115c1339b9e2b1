// HDF5 recordings for long runs: rows are gathered in blocks, one block is one chunk of each
// dataset.
#include "scenario/hdf5_recording.hpp"

#include <utility>

#include <hdf5.h>

namespace limber {

namespace {

constexpr hsize_t block_rows = 1024;

// an HDF5 identifier that closes itself
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class Hdf5Recording final : public RecordingFile {
 public:
  Hdf5Recording(const std::string& file, const std::vector<Column>& columns)
      : name_(file), file_(-1, H5Fclose), columns_(columns.size()) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported by Error
    file_ =
        Handle(check(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)), H5Fclose);
    for (const Column& column : columns) datasets_.push_back(create(column));
    buffer_.reserve(columns.size() * block_rows);
  }
  ~Hdf5Recording() override {
    try {
      close();
    } catch (const Error&) {  // nobody to tell
    }
  }
  Hdf5Recording(const Hdf5Recording&) = delete;
  Hdf5Recording& operator=(const Hdf5Recording&) = delete;

  void add(std::span<const double> row) override {
    buffer_.insert(buffer_.end(), row.begin(), row.end());
    if (buffer_.size() == columns_ * block_rows) flush();
  }
  void close() override {
    if (file_.id() < 0) return;
    flush();
    datasets_.clear();
    file_ = Handle(-1, H5Fclose);
  }

 private:
  template <class T>
  T check(T result) const {
    if (result < 0)
      throw Error({name_, 0, ""}, "cannot be written as HDF5; check the folder and the disk");
    return result;
  }

  Handle create(const Column& column) {
    const hsize_t empty = 0, unlimited = H5S_UNLIMITED;
    const Handle space(check(H5Screate_simple(1, &empty, &unlimited)), H5Sclose);
    const Handle properties(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
    check(H5Pset_chunk(properties.id(), 1, &block_rows));
    Handle dataset(check(H5Dcreate2(file_.id(), column.name.c_str(), H5T_NATIVE_DOUBLE, space.id(),
                                    H5P_DEFAULT, properties.id(), H5P_DEFAULT)),
                   H5Dclose);
    set_attribute(dataset.id(), "unit", column.unit);
    set_attribute(dataset.id(), "group", column.group);
    return dataset;
  }

  void set_attribute(hid_t dataset, const char* name, const std::string& text) const {
    const Handle type(check(H5Tcopy(H5T_C_S1)), H5Tclose);
    check(H5Tset_size(type.id(), text.size() + 1));
    check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
    const Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
    const Handle attribute(
        check(H5Acreate2(dataset, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT)),
        H5Aclose);
    check(H5Awrite(attribute.id(), type.id(), text.c_str()));
  }

  void flush() {
    const hsize_t rows = buffer_.size() / columns_;
    if (rows == 0) return;
    const hsize_t total = written_ + rows;
    column_.resize(rows);
    for (std::size_t k = 0; k < columns_; ++k) {
      for (hsize_t i = 0; i < rows; ++i) column_[i] = buffer_[i * columns_ + k];
      check(H5Dset_extent(datasets_[k].id(), &total));
      const Handle space(check(H5Dget_space(datasets_[k].id())), H5Sclose);
      check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &written_, nullptr, &rows, nullptr));
      const Handle memory(check(H5Screate_simple(1, &rows, nullptr)), H5Sclose);
      check(H5Dwrite(datasets_[k].id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT,
                     column_.data()));
    }
    written_ = total;
    buffer_.clear();
    check(H5Fflush(file_.id(), H5F_SCOPE_LOCAL));
  }

  std::string name_;
  Handle file_;
  std::vector<Handle> datasets_;
  std::size_t columns_;
  std::vector<double> buffer_, column_;  // rows that wait, one column of them
  hsize_t written_ = 0;
};

}  // namespace

std::unique_ptr<RecordingFile> open_hdf5_recording(const std::string& file,
                                                   const std::vector<Column>& columns) {
  return std::make_unique<Hdf5Recording>(file, columns);
}

}  // namespace limber
