#include <QtTest/QtTest>

#include <mutex>

#include "cases.h"

class Counter : public QObject {
  Q_OBJECT

private slots:
  void holds() { QCOMPARE(count(true), 2); }
  void loses_an_update() {
    QCOMPARE(count(true), 2);
    QCOMPARE(count(false), 2);
  }
  void data_data() {
    QTest::addColumn<bool>("at_once");
    QTest::newRow("at once") << true;
    QTest::newRow("not at once") << false;
  }
  void data() {
    QFETCH(bool, at_once);
    QCOMPARE(count(at_once), 2);
  }
  void stands_still() {
    std::mutex first;
    std::mutex second;
    std::thread other([&] {
      const std::lock_guard one(first);
      const std::lock_guard two(second);
    });
    {
      const std::lock_guard one(second);
      const std::lock_guard two(first);
    }
    other.join();
  }
};

QTEST_APPLESS_MAIN(Counter)

#include "qt_test.moc"
