#include "imunit/native/read_log.h"

#include <algorithm>
#include <memory>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "imunit/native/record.h"
#include "reex/symbols/maps.h"
#include "reex/symbols/resolver.h"

namespace reex::inference {
namespace {

using native_log::Head;
using native_log::Operation;
using native_log::Record;

std::string_view operation_of(const Record& record) {
  switch (record.operation) {
  case Operation::arrival:
    return k_arrival;
  case Operation::sleep:
    return "sleep";
  case Operation::wait:
    return "wait";
  case Operation::release:
    return "release";
  case Operation::thread_create:
    return "thread create";
  case Operation::thread_start:
    return "thread start";
  case Operation::thread_join:
    return "thread join";
  case Operation::thread_end:
    return "thread end";
  }
  return "";
}

void unmap(const Head* head) { munmap(const_cast<Head*>(head), sizeof(Head)); }

} // namespace

NativeExecution read_native_log(const std::string& path) {
  NativeExecution result;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  const bool whole = file >= 0 && fstat(file, &status) == 0 && status.st_size == sizeof(Head);
  void* memory = whole ? mmap(nullptr, sizeof(Head), PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  if (file >= 0) close(file);
  if (memory == MAP_FAILED) {
    result.problem = "it has written no log: is it linked statically, or does it run with other rights?";
    return result;
  }
  const std::unique_ptr<const Head, void (*)(const Head*)> head(static_cast<const Head*>(memory), unmap);
  const std::uint32_t records = head->records.load();
  if (head->magic != native_log::k_magic)
    result.problem = "its log has no beginning";
  else if (records > native_log::k_capacity)
    result.problem = "it has more than " + std::to_string(native_log::k_capacity) + " operations";
  else if (head->incomplete.load())
    result.problem = "a thread of it could not be created";
  if (!result.problem.empty()) return result;
  Resolver resolver(parse_maps({head->maps, head->maps_length}));
  for (std::uint32_t i = 0; i < records; ++i) {
    const Record& record = head->record[i];
    if (!record.written) continue; // its thread was killed in it, with the process
    TraceStep step;
    step.step = static_cast<unsigned>(result.execution.steps.size());
    step.thread = static_cast<int>(record.thread);
    step.operation = operation_of(record);
    step.time = record.time - head->record[0].time;
    for (unsigned frame = 0; frame < record.frames; ++frame) {
      const std::vector<Frame> frames = resolver.frames(record.pc[frame]);
      step.stack.insert(step.stack.end(), frames.begin(), frames.end());
    }
    result.execution.steps.push_back(std::move(step));
    result.execution.stood_still.push_back(record.blocked);
  }
  return result;
}

} // namespace reex::inference
