#pragma once
// The folder of compiled code: its permissions, and how a library is stored and found there. What
// is found there is run, so other users must not be able to put code there, and damaged code is not
// used.
#include <optional>
#include <string>

namespace limber {

/// The folder of compiled code.
struct CacheFolder {
  std::string path;     ///< without symbolic links
  std::string refusal;  ///< why it must not be used; empty: it may
};
/// LIMBER_CACHE, else XDG_CACHE_HOME/limber, else HOME/.cache/limber; made where it is not there.
/// Refused where another user could put code into it: it must belong to this user, and no other
/// user may write into it. Every folder above must belong to this user or to root, and others may
/// write into it only if it is sticky, as /tmp is: else they could put another folder in its place.
/// Folders that unique_folder() made there and whose processes were ended before they could remove
/// them are removed once they are a day old.
CacheFolder open_cache();

/// Makes a folder with a name of its own: PREFIX.PROCESS.XXXXXX. Throws Error.
std::string unique_folder(const std::string& prefix);

/// The bytes of a file. Throws Error.
std::string read_bytes(const std::string& path);

/// The library that is kept at `path`, as the bytes of its file. None where there is none, where
/// the file is not a plain file of this user that nobody else may write, and where it is not, byte
/// for byte, what keep_library() wrote there.
std::optional<std::string> kept_library(const std::string& path);

/// Keeps a library at `path`, with a checksum of its bytes and its name in the same file. It is
/// written to `draft`, a path in the same file system, and put into its place at once: others may
/// do the same at the same time, and readers see one of the files. Throws Error.
void keep_library(const std::string& library, const std::string& draft, const std::string& path);

}  // namespace limber
