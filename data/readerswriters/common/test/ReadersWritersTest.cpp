// Two readers and two writers: nobody waits for ever, and nobody writes while another one reads.
//
//     test [BOUND]   how often each of them reads or writes (for ever)
#include <cstdlib>

#include "readerswriters/RWPrinter.h"
#include "readerswriters/Reader.h"
#include "readerswriters/Writer.h"

using namespace readerswriters;

namespace {

void testReadersAndWriters(int bound) {
  RWPrinter printer;
  Reader reader1(printer, bound);
  Reader reader2(printer, bound);
  Writer writer1(printer, bound);
  Writer writer2(printer, bound);
  reader1.start();
  reader2.start();
  writer1.start();
  writer2.start();
  reader1.join();
  reader2.join();
  writer1.join();
  writer2.join();
}

} // namespace

int main(int argc, char** argv) { testReadersAndWriters(argc > 1 ? std::atoi(argv[1]) : Reader::forEver); }
