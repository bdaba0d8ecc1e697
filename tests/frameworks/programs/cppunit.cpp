#include <cppunit/extensions/HelperMacros.h>
#include <cppunit/extensions/TestFactoryRegistry.h>
#include <cppunit/ui/text/TestRunner.h>

#include "cases.h"

class Counter : public CppUnit::TestFixture {
  CPPUNIT_TEST_SUITE(Counter);
  CPPUNIT_TEST(holds);
  CPPUNIT_TEST(loses_an_update);
  CPPUNIT_TEST_SUITE_END();

  void holds() { CPPUNIT_ASSERT_EQUAL(2, count(true)); }
  void loses_an_update() { CPPUNIT_ASSERT_EQUAL(2, count(false)); }
};

CPPUNIT_TEST_SUITE_REGISTRATION(Counter);

int main() {
  CppUnit::TextUi::TestRunner runner;
  runner.addTest(CppUnit::TestFactoryRegistry::getRegistry().makeTest());
  return runner.run() ? 0 : 1;
}
