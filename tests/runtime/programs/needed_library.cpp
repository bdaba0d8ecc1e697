// Nobody calls it.
extern "C" int needed_answer() { return 42; }
