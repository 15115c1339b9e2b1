#pragma once
// Ctrl-C, SIGTERM and SIGHUP end the run, not the program: what was computed is kept. A second one
// ends the program. A limit on the size of files is seen as a failed write.
namespace limber::app {

/// From now on these signals are noted; SIGHUP only where it was not ignored (nohup).
void watch_for_interrupt();
/// True after one of them.
bool interrupted();

}  // namespace limber::app
