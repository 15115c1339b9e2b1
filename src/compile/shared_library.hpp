#pragma once
// Shared libraries that are loaded while the program runs.
#include <memory>
#include <string>

namespace limber {

/// A shared library, open as long as the object lives.
class SharedLibrary {
 public:
  /// One of the system's, by its name. Throws Error with the loader's reason.
  explicit SharedLibrary(const std::string& name);
  /// One that is there as the bytes of its file. They are loaded by a descriptor that only this
  /// process has, not by a path, behind which another file may be by now: from memory, or, where
  /// the system runs nothing from there, from a file in `folder` that has no name. Throws Error.
  SharedLibrary(const std::string& bytes, const std::string& folder);

  /// The function with this name and type; null where it has none.
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;
  std::shared_ptr<void> handle_;
};

}  // namespace limber
