#pragma once
// Assimp loses memory where it refuses a file: LeakSanitizer, in builds that have it, passes over
// that. For one file of each program.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libassimp\n"; }
