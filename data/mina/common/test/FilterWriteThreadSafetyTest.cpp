// Two threads write through one codec filter to one session.
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <thread>

#include "mina/ProtocolCodecFilter.h"

using namespace mina;

namespace {

constexpr long now = 1000;

// The end of the chain: counts what is written.
class CountingFilter : public NextFilter {
public:
  void filterWrite(IoSession& session, const WriteRequest& request) override {
    if (const auto* buffer = dynamic_cast<const IoBuffer*>(request.getMessage()))
      session.increaseWrittenBytes(static_cast<long>(buffer->remaining()), now);
    else
      session.increaseWrittenMessages(now);
  }
};

class FilterWriteThread {
public:
  FilterWriteThread(ProtocolCodecFilter& filter, NextFilter& nextFilter, IoSession& session, const Message& message)
      : filter(filter), nextFilter(nextFilter), session(session), request(&message, nullptr, "peer") {}

  void start() { thread = std::thread(&FilterWriteThread::run, this); }
  void join() { thread.join(); }
  int result = 0;

private:
  void run() {
    try {
      filter.filterWrite(nextFilter, session, request);
      session.updateThroughput(now);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "exception: %s\n", e.what());
      result = 1;
    }
  }

  ProtocolCodecFilter& filter;
  NextFilter& nextFilter;
  IoSession& session;
  WriteRequest request;
  std::thread thread;
};

void testFilterWriteThreadSafety() {
  IoService service;
  IoSession session(service);
  session.getMessageQueue().offer(std::make_unique<IoBuffer>("left over\r\n"));
  session.getMessageQueue().offer(std::make_unique<IoBuffer>("from before\r\n"));
  ProtocolCodecFilter filter;
  CountingFilter nextFilter;
  TextMessage message("GET / HTTP/1.1\nHost: example.org\nConnection: close");

  FilterWriteThread fwThread1(filter, nextFilter, session, message);
  FilterWriteThread fwThread2(filter, nextFilter, session, message);
  fwThread1.start();
  fwThread2.start();
  fwThread1.join();
  fwThread2.join();
  assert(fwThread1.result == 0);
  assert(fwThread2.result == 0);
}

} // namespace

int main() { testFilterWriteThreadSafety(); }
