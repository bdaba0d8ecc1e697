// A library with the name of one of the language, which needs another one.
extern "C" int needed_answer(); // of needed_library.cpp

extern "C" int needing_answer() { return needed_answer(); }
