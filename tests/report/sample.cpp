#include "sample.h"

namespace reex::sample {
namespace {

const std::string k_queue = "/project/src/queue.h";
const std::string k_main = "/project/test/drain.cpp";

} // namespace

std::string FakeSources::trimmed(const std::string& file, unsigned line) {
  static const std::map<std::pair<std::string, unsigned>, std::string> k_lines = {
      {{k_main, 12}, "std::thread closer([&] { queue.close(); });"},
      {{k_main, 13}, "std::thread taker([&] { queue.take(); });"},
      {{k_main, 14}, "taker.join();"},
      {{k_queue, 21}, "std::unique_lock<std::mutex> lock(m_mutex);"},
      {{k_queue, 22}, "while (m_items.empty() && !m_closed) m_ready.wait(lock);"},
      {{k_queue, 41}, "m_closed = true;"},
      {{k_queue, 42}, "m_ready.notify_all();"},
  };
  const auto found = k_lines.find({file, line});
  return found == k_lines.end() ? "" : found->second;
}

Frame frame(const std::string& function, const std::string& file, unsigned line, bool changed) {
  Frame at;
  at.function = function;
  at.file = file;
  at.line = line;
  at.column = 3;
  at.module = "/project/build/drain";
  at.changed = changed;
  return at;
}

Frame library_frame(const std::string& function) {
  Frame at;
  at.function = function;
  at.file = "/usr/include/c++/12/bits/std_mutex.h";
  at.line = 100;
  at.module = "/project/build/drain";
  at.system_header = true;
  return at;
}

TraceStep step(unsigned ordinal, int thread, const std::string& operation, const std::string& object,
               Frame at) {
  TraceStep made;
  made.step = ordinal;
  made.thread = thread;
  made.operation = operation;
  made.object = object;
  made.stack = {library_frame("std::mutex::lock()"), std::move(at)};
  made.enabled = 2;
  return made;
}

Failure deadlock() {
  const Frame create1 = frame("main", k_main, 12);
  const Frame create2 = frame("main", k_main, 13);
  const Frame join = frame("main", k_main, 14);
  const Frame take_lock = frame("Queue<int>::take()", k_queue, 21);
  const Frame take_wait = frame("Queue<int>::take()", k_queue, 22);
  const Frame close_store = frame("Queue<int>::close()", k_queue, 41, true);
  const Frame close_notify = frame("Queue<int>::close()", k_queue, 42, true);

  Failure failure;
  failure.key = "3f2a9c01b7de";
  failure.kind = "deadlock";
  failure.message = "no thread can run: a wake-up was lost";
  failure.schedule = 23;
  failure.count = 4;
  failure.replay = "/project/.reex/failures/3f2a9c01b7de.reex";
  failure.how.preemptions = 1;
  failure.how.trace = {step(0, 0, "thread create", "thread#1", create1),
                       step(1, 0, "thread create", "thread#2", create2),
                       step(2, 2, "mutex lock", "mutex#1", take_lock),
                       step(3, 2, "atomic load", "atomic#1", take_wait),
                       step(4, 1, "atomic store", "atomic#1", close_store),
                       step(5, 1, "cond broadcast", "cond#1", close_notify),
                       step(6, 1, "thread end", "", frame("operator()", k_main, 12)),
                       step(7, 2, "cond wait", "cond#1", take_wait)};
  failure.how.trace[5].woken = 0;
  const auto switched = [&](std::size_t index, SwitchReason reason, int from) {
    failure.how.trace[index].reason = reason;
    failure.how.trace[index].from_thread = from;
  };
  switched(2, SwitchReason::blocked, 0);
  switched(4, SwitchReason::preempted, 2);
  switched(7, SwitchReason::finished, 1);
  failure.how.decisions = {{2, 2, 2, "run"}, {4, 4, 1, "run"}};
  failure.where = {{2, "waits for cond#1", {library_frame("std::condition_variable::wait()"), take_wait}},
                   {0, "waits for thread 2 to end", {library_frame("std::thread::join()"), join}},
                   {1, "finished", {}}};
  failure.stdout_text = "taking\n";
  return failure;
}

Finding race() {
  Finding finding;
  finding.key = "966ddc66fefb";
  finding.kind = "data-race";
  finding.message = "data race on closed: thread 1 writes 1 byte, thread 2 reads 1 byte";
  finding.object = "closed";
  finding.schedule = 3;
  finding.where = {{1,
                    "writes 1 byte",
                    {frame("Queue<int>::close()", k_queue, 41, true), frame("operator()", k_main, 12)}},
                   {2, "reads 1 byte", {frame("Queue<int>::take()", k_queue, 22)}}};
  return finding;
}

Failure failing_race() {
  const Finding finding = race();
  Failure failure;
  failure.key = finding.key;
  failure.kind = "race";
  failure.message = finding.message;
  failure.schedule = finding.schedule;
  failure.count = 1;
  failure.replay = "/project/.reex/failures/966ddc66fefb.reex";
  failure.where = finding.where;
  return failure;
}

Failure use_after_free() {
  Failure failure = deadlock();
  failure.kind = "use-after-free";
  failure.message =
      "thread 2 reads 4 bytes of freed memory: at byte 0 of a block of 28 bytes that thread 1 freed";
  failure.how.trace.resize(5);
  failure.where[0].state = "failed here";
  failure.memory = {{1, "freed here", {frame("Queue<int>::close()", k_queue, 42, true)}},
                    {0, "allocated before the first thread", {}}};
  return failure;
}

ChangeView change() {
  FileChange file;
  file.old_path = file.new_path = "src/queue.h";
  file.text = "diff --git a/src/queue.h b/src/queue.h\n--- a/src/queue.h\n+++ b/src/queue.h\n"
              "@@ -38,8 +38,7 @@ public:\n"
              "   }\n"
              " \n"
              "   void close() {\n"
              "-    std::lock_guard<std::mutex> lock(m_mutex);\n"
              "     m_closed = true;\n"
              "     m_ready.notify_all();\n"
              "   }\n"
              " \n"
              "@@ -80,3 +79,4 @@ private:\n"
              "   std::mutex m_mutex;\n"
              "+  bool m_unrelated = false;\n"
              " };\n";
  return {"HEAD~1 to the files on disk", "/project", {file}};
}

TestRun passing_run() {
  TestRun run;
  run.binary = "/project/build/drain";
  run.strategy = "icb";
  run.bound = 2;
  run.heuristic = "LOA";
  run.seed = 7;
  run.schedules = 12345;
  run.bound_completed = 2;
  run.wall_seconds = 0.5;
  run.executions_per_second = 24690;
  run.control = {3, 98760, "restore", "", {}, 0, 0};
  run.ended = EndReason::bound;
  return run;
}

TerminalOptions options() {
  TerminalOptions made;
  made.folder = "/project";
  return made;
}

} // namespace reex::sample
