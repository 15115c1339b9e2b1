// A shared library that is no controller's.
extern "C" int limber_nothing() { return 0; }
