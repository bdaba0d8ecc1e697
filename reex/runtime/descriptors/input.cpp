// Input by stdio. If the stream's buffer is empty, the call waits for the descriptor as read() does. If a
// line or a record comes in pieces, libc waits for the rest, and the whole process with it.
#include <cstdio>
#include <poll.h>

#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/environment/file_points.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/primitives/stream_locks.h"

using namespace reex;

namespace {

void wait_for_descriptor(FILE* stream, void* pc, void* frame) {
  if (!g.active || stream->_IO_read_ptr < stream->_IO_read_end) return;
  const CancellationPoint point; // it is one because libc's read is
  const int descriptor = fileno(stream);
  if (is_file(descriptor)) read_point(pc, frame);
  if (descriptor < 0 || !is_channel(descriptor)) return reach_cancellation_point(pc, frame);
  begin_channel_call(SYS_read, descriptor);
  const bool late = is_up_to_children([&] { return is_ready(descriptor, POLLIN); });
  visible_pending(Operation::channel_read, label_of(descriptor), pc, frame, k_never,
                  POLLIN | (late ? k_late : 0));
  channel_received();
}

// Others may take the input while they have the stream locked.
void wait_for_input(FILE* stream, void* pc, void* frame) {
  do {
    wait_for_descriptor(stream, pc, frame);
  } while (await_stream(stream, pc, frame));
}

ssize_t get_line(char** line, std::size_t* size, int end, FILE* stream, void* pc, void* frame) {
  will_write_buffer(line, pc);
  will_write_buffer(size, pc);
  wait_for_input(stream, pc, frame);
  const ssize_t got = libc().getdelim(line, size, end, stream);
  if (got < 0) return got;
  writes_object(line, pc);
  writes_object(size, pc);
  receives_buffer(*line, got + 1, pc);
  return got;
}

} // namespace

#define REEX_INPUT(stream) wait_for_input((stream), REEX_CALLER, REEX_FRAME)

REEX_EXPORT int fgetc(FILE* stream) {
  REEX_INPUT(stream);
  return libc().fgetc(stream);
}

REEX_EXPORT int getc(FILE* stream) {
  REEX_INPUT(stream);
  return libc().fgetc(stream);
}

REEX_EXPORT char* fgets(char* text, int size, FILE* stream) {
  will_write_buffer(text, REEX_CALLER);
  REEX_INPUT(stream);
  char* const got = libc().fgets(text, size, stream);
  receives_text(got, REEX_CALLER);
  return got;
}

REEX_EXPORT char* __fgets_chk(char* text, std::size_t room, int size, FILE* stream) {
  will_write_buffer(text, REEX_CALLER);
  REEX_INPUT(stream);
  char* const got = libc().fgets_chk(text, room, size, stream);
  receives_text(got, REEX_CALLER);
  return got;
}

REEX_EXPORT std::size_t fread(void* data, std::size_t size, std::size_t count, FILE* stream) {
  will_write_buffer(data, REEX_CALLER);
  REEX_INPUT(stream);
  const std::size_t got = libc().fread(data, size, count, stream);
  receives_buffer(data, static_cast<long>(got * size), REEX_CALLER);
  return got;
}

REEX_EXPORT std::size_t __fread_chk(void* data, std::size_t room, std::size_t size, std::size_t count,
                                    FILE* stream) {
  will_write_buffer(data, REEX_CALLER);
  REEX_INPUT(stream);
  const std::size_t got = libc().fread_chk(data, room, size, count, stream);
  receives_buffer(data, static_cast<long>(got * size), REEX_CALLER);
  return got;
}

REEX_EXPORT ssize_t getdelim(char** line, std::size_t* size, int end, FILE* stream) {
  return get_line(line, size, end, stream, REEX_READ_CALLER);
}

REEX_EXPORT ssize_t __getdelim(char** line, std::size_t* size, int end, FILE* stream) {
  return get_line(line, size, end, stream, REEX_READ_CALLER);
}

REEX_EXPORT ssize_t getline(char** line, std::size_t* size, FILE* stream) {
  return get_line(line, size, '\n', stream, REEX_READ_CALLER);
}
