#pragma once
// What every public function refuses at its door, in release builds too: a workspace of another
// model, bodies and frames that do not exist, results that nothing has computed. One comparison
// each; the messages are made out of line.
#include <limber/model/workspace.hpp>

namespace limber {

[[noreturn]] void refuse_unbuilt(const char* function, const std::string& robot);
[[noreturn]] void refuse_workspace(const char* function, const std::string& robot);
[[noreturn]] void refuse_index(const char* function, const char* what, int found, std::size_t count,
                               const std::string& robot);
[[noreturn]] void refuse_loops(const char* what, const std::string& robot, const std::string& first,
                               std::size_t count);
[[noreturn]] void refuse_rows(const char* function, const std::string& robot, int room, int rows);
[[noreturn]] void refuse_articulated_loops(const std::string& robot, const std::string& reason);
[[noreturn]] void refuse_missing(const char* function, const std::string& robot,
                                 const char* missing, const char* remedy);
[[noreturn]] void refuse_overwritten(const char* function, const std::string& robot,
                                     const char* what);

/// The model comes from build() and was not moved away.
template <class T>
void check_built(const char* function, const BasicModel<T>& m) {
  if (!m.identity.exists()) refuse_unbuilt(function, m.name);
}

/// The robot is a tree: `what` ("forward dynamics") does not close loops.
template <class T>
void check_tree(const char* what, const BasicModel<T>& m) {
  if (!m.loops.empty()) [[unlikely]]
    refuse_loops(what, m.name, m.loops[0].name, m.loops.size());
}

/// A Workspace, MatrixWorkspace, OperationalSpace, TreeFactor or motion of bodies is that of the
/// model.
template <class T, template <class> class Space>
void check_workspace(const char* function, const BasicModel<T>& m, const Space<T>& ws) {
  if (!ws.model.is(m.identity)) refuse_workspace(function, m.name);
}

template <class T>
void check_body(const char* function, const BasicModel<T>& m, int body) {
  if (static_cast<std::size_t>(body) >= m.parent.size())
    refuse_index(function, "body", body, m.parent.size(), m.name);
}
template <class T>
void check_frame(const char* function, const BasicModel<T>& m, int frame) {
  if (static_cast<std::size_t>(frame) >= m.frames.size())
    refuse_index(function, "frame", frame, m.frames.size(), m.name);
}

/// A result is there: `missing` names it, `remedy` the call that computes it.
template <class T>
void check_computed(const char* function, const BasicModel<T>& m, bool computed,
                    const char* missing, const char* remedy) {
  if (!computed) refuse_missing(function, m.name, missing, remedy);
}

}  // namespace limber
