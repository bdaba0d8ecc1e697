// The library's own test of a server that is down: two questions, one after the other, to the same connection.
#include "ares-test-mock-et.cc"
