#include "compile/shared_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

namespace {

/// A file without a name, open as long as the object lives.
class NamelessFile {
 public:
  /// In memory; in a folder where one is given.
  explicit NamelessFile(const std::string& folder = "") {
    if (folder.empty()) {
      descriptor_ = memfd_create("limber", MFD_CLOEXEC);
      return;
    }
    std::string path = folder + "/library.XXXXXX";
    descriptor_ = mkostemp(path.data(), O_CLOEXEC);
    if (descriptor_ >= 0) unlink(path.c_str());
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool write(const std::string& bytes) const {
    if (descriptor_ < 0) return false;
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno != EINTR) return false;
      if (count > 0) done += static_cast<std::size_t>(count);
    }
    return true;
  }

  /// A path that the loader has not seen before: it takes a name that it knows for a library that
  /// it has already, and descriptors get their numbers again. So dots and slashes count the calls.
  std::string path() const {
    static std::atomic<unsigned> calls = 0;
    std::string path = "/proc/self/fd";
    for (unsigned n = ++calls; n > 0; n /= 2) path += n % 2 ? "/." : "//";
    return fmt::format("{}/{}", path, descriptor_);
  }

 private:
  int descriptor_ = -1;
};

void* open_library(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }

void close_library(void* handle) {
  if (handle) dlclose(handle);
}

}  // namespace

SharedLibrary::SharedLibrary(const std::string& name) : handle_(open_library(name), close_library) {
  if (!handle_) throw Error(fmt::format("{} cannot be loaded: {}", name, dlerror()));
}

SharedLibrary::SharedLibrary(const std::string& bytes, const std::string& folder) {
  std::string reason;
  for (const std::string& place : {std::string(), folder}) {
    const NamelessFile file(place);
    if (!file.write(bytes)) {
      reason = std::strerror(errno);
      continue;
    }
    handle_ = std::shared_ptr<void>(open_library(file.path()), close_library);
    if (handle_) return;
    reason = dlerror();
  }
  throw Error(fmt::format("compiled code cannot be loaded: {}", reason));
}

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_.get(), name); }

}  // namespace limber
