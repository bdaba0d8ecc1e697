// Two test classes in one program: neither knows the functions of the other.
#include <QtTest/QtTest>

#include "cases.h"

class First : public QObject {
  Q_OBJECT

private slots:
  void holds() { QCOMPARE(count(true), 2); }
};

class Second : public QObject {
  Q_OBJECT

private slots:
  void loses_an_update() { QCOMPARE(count(false), 2); }
};

int main(int argc, char** argv) {
  First first;
  Second second;
  const int failed = QTest::qExec(&first, argc, argv);
  return failed + QTest::qExec(&second, argc, argv);
}

#include "qt_classes.moc"
