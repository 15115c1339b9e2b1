// HDF5 recordings for long runs: rows are gathered in blocks, one block is one chunk of each
// dataset. The file is in the mode "single writer, multiple readers": HDF5 then writes in an order
// that leaves the file readable at every instant, a dataset's length last. Its books are laid out
// in pages of the operating system: a write across two pages is cut between them when the program
// is killed, one within a page is not. Before each block the room that it can need on the disk is
// reserved, so that a full disk is noticed while the file is whole.
#include "report/hdf5_recording.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include <fmt/format.h>

#include "report/hdf5_handle.hpp"
#include "scenario/json.hpp"

namespace limber {

namespace {

constexpr hsize_t block_rows = 1024;
constexpr std::size_t block_bytes = block_rows * sizeof(double);
constexpr hsize_t page_bytes = 4096;  // the smallest page that Linux has
// what HDF5 may add besides the values: an index for each dataset, its own books
constexpr std::size_t room_for_index = 2 * block_bytes, room_for_books = std::size_t{1} << 18;

class Hdf5Recording final : public RecordingFile {
 public:
  Hdf5Recording(const std::string& file, const std::vector<Column>& columns)
      : name_(file), file_(-1, H5Fclose), columns_(columns.size()) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported by Error
    const std::vector<std::string> names = hdf5_names(columns);
    const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
    check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110));
    {
      const Hdf5Handle layout(check(H5Pcreate(H5P_FILE_CREATE)), H5Pclose);
      check(H5Pset_file_space_strategy(layout.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1));
      check(H5Pset_file_space_page_size(layout.id(), page_bytes));
      const Hdf5Handle made(check(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, layout.id(), access.id())),
                            H5Fclose);
      reserve(made.id(), columns.size() * room_for_index + room_for_books);
      for (std::size_t k = 0; k < columns.size(); ++k) create(made.id(), names[k], columns[k], k);
      check(H5Fflush(made.id(), H5F_SCOPE_LOCAL));
    }
    file_ = Hdf5Handle(check(H5Fopen(file.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access.id())),
                       H5Fclose);
    // one chunk at a time is worked on: no more need be kept
    const Hdf5Handle cache(check(H5Pcreate(H5P_DATASET_ACCESS)), H5Pclose);
    check(H5Pset_chunk_cache(cache.id(), 7, 2 * block_bytes, 1));
    for (const std::string& name : names)
      datasets_.emplace_back(check(H5Dopen2(file_.id(), name.c_str(), cache.id())), H5Dclose);
    buffer_.reserve(columns.size() * block_rows);
  }
  ~Hdf5Recording() override {
    try {
      close();
    } catch (const Error&) {  // a destructor cannot report it
    }
  }
  Hdf5Recording(const Hdf5Recording&) = delete;
  Hdf5Recording& operator=(const Hdf5Recording&) = delete;

  void add(std::span<const double> row) override {
    if (!failure_.empty()) throw Error({name_, 0, ""}, failure_);
    buffer_.insert(buffer_.end(), row.begin(), row.end());
    // up to the end of a chunk
    if (written_ % block_rows + buffer_.size() / columns_ == block_rows) flush();
  }
  void close() override {
    if (file_.id() < 0) return;
    std::string failure;
    try {
      if (failure_.empty()) flush();
    } catch (const Error& error) {
      failure = error.what();
    }
    datasets_.clear();
    release_unused_space();
    const Hdf5Handle file = std::move(file_);
    file_ = Hdf5Handle(-1, H5Fclose);
    if (!failure.empty()) throw Error({name_, 0, ""}, failure_);
  }

  void flush() override {
    if (!failure_.empty()) throw Error({name_, 0, ""}, failure_);
    const hsize_t rows = buffer_.size() / columns_;
    if (rows == 0) return;
    reserve(file_.id(), columns_ * (block_bytes + room_for_index) + room_for_books);
    const hsize_t total = written_ + rows;
    column_.resize(rows);
    for (std::size_t k = 0; k < columns_; ++k) {
      for (hsize_t i = 0; i < rows; ++i) column_[i] = buffer_[i * columns_ + k];
      const hid_t dataset = datasets_[k].id();
      check(H5Dset_extent(dataset, &total));
      const Hdf5Handle space(check(H5Dget_space(dataset)), H5Sclose);
      check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &written_, nullptr, &rows, nullptr));
      const Hdf5Handle memory(check(H5Screate_simple(1, &rows, nullptr)), H5Sclose);
      check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT,
                     column_.data()));
      check(H5Dflush(dataset));
    }
    written_ = total;
    buffer_.clear();
    check(H5Fflush(file_.id(), H5F_SCOPE_LOCAL));
  }

 private:
  [[noreturn]] void fail(const std::string& reason) {
    failure_ = fmt::format("cannot be written as HDF5: {}", reason);
    buffer_.clear();
    throw Error({name_, 0, ""}, failure_);
  }
  template <class T>
  T check(T result) {
    if (result < 0) fail("HDF5 refuses it; is the folder there and writable, the disk in order?");
    return result;
  }

  static int descriptor(hid_t file) {
    void* handle = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle) return -1;
    return *static_cast<int*>(handle);
  }
  void reserve(hid_t file, std::size_t bytes) {
    hsize_t size = 0;
    check(H5Fget_filesize(file, &size));
    const int error =
        ::posix_fallocate(descriptor(file), static_cast<off_t>(size), static_cast<off_t>(bytes));
    if (error != 0) fail(std::strerror(error));
  }
  // HDF5 does not free what was reserved and not used
  void release_unused_space() {
    hsize_t size = 0;
    if (H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0 || H5Fget_filesize(file_.id(), &size) < 0) return;
    static_cast<void>(::ftruncate(descriptor(file_.id()), static_cast<off_t>(size)) == 0);
  }

  void create(hid_t file, const std::string& name, const Column& column, std::size_t place) {
    const hsize_t empty = 0, unlimited = H5S_UNLIMITED;
    const Hdf5Handle space(check(H5Screate_simple(1, &empty, &unlimited)), H5Sclose);
    const Hdf5Handle properties(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
    check(H5Pset_chunk(properties.id(), 1, &block_rows));
    check(H5Pset_obj_track_times(properties.id(), false));  // the same run, the same file
    const Hdf5Handle link(check(H5Pcreate(H5P_LINK_CREATE)), H5Pclose);
    check(H5Pset_char_encoding(link.id(), H5T_CSET_UTF8));
    const Hdf5Handle dataset(check(H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, space.id(),
                                              link.id(), properties.id(), H5P_DEFAULT)),
                             H5Dclose);
    set_attribute(dataset.id(), "name", column.name);
    set_attribute(dataset.id(), "unit", column.unit);
    set_attribute(dataset.id(), "group", column.group);
    const auto number = static_cast<long long>(place);
    const Hdf5Handle scalar(check(H5Screate(H5S_SCALAR)), H5Sclose);
    const Hdf5Handle attribute(check(H5Acreate2(dataset.id(), "column", H5T_NATIVE_LLONG,
                                                scalar.id(), H5P_DEFAULT, H5P_DEFAULT)),
                               H5Aclose);
    check(H5Awrite(attribute.id(), H5T_NATIVE_LLONG, &number));
  }

  void set_attribute(hid_t dataset, const char* name, const std::string& text) {
    const std::string clean = clean_utf8(text);
    const Hdf5Handle type(check(H5Tcopy(H5T_C_S1)), H5Tclose);
    check(H5Tset_size(type.id(), clean.size() + 1));
    check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
    const Hdf5Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
    const Hdf5Handle attribute(
        check(H5Acreate2(dataset, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT)),
        H5Aclose);
    check(H5Awrite(attribute.id(), type.id(), clean.c_str()));
  }

  std::string name_, failure_;
  Hdf5Handle file_;
  std::vector<Hdf5Handle> datasets_;
  std::size_t columns_;
  std::vector<double> buffer_, column_;  // rows that wait, one column of them
  hsize_t written_ = 0;
};

}  // namespace

std::vector<std::string> hdf5_names(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Column& column : columns) {
    std::string base;
    for (const char c : clean_utf8(column.name)) {
      if (c == '/' || c == '%' || c == '\0') base += fmt::format("%{:02X}", static_cast<int>(c));
      else base += c;
    }
    if (base.empty()) base = "%";
    if (base == ".") base = "%2E";  // means the folder itself
    std::string name = base;
    for (int k = 2; !taken.insert(name).second; ++k) name = fmt::format("{} ({})", base, k);
    names.push_back(name);
  }
  return names;
}

std::unique_ptr<RecordingFile> open_hdf5_recording(const std::string& file,
                                                   const std::vector<Column>& columns) {
  return std::make_unique<Hdf5Recording>(file, columns);
}

}  // namespace limber
