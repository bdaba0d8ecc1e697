// Stands in for libc++: a member of its std::string, by name.
extern "C" void
append_of_libcxx() __asm__("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc");
void append_of_libcxx() {}
