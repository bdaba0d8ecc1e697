// Output by stdio. Each call on a stream is a visible operation, because the order of output is part of the
// outcome. libc writes the text.
#include <cstdio>
#include <cstring>
#include <stdio_ext.h>

#include "reex/runtime/accesses/format_arguments.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/uses.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/primitives/stream_locks.h"
#include "reex/runtime/signals/signals.h"

using namespace reex;

namespace {

// Behind the call of libc in its scope, the signal that its write has sent (SIGPIPE) is delivered.
class SignalsBehind {
public:
  SignalsBehind() = default;
  ~SignalsBehind() {
    if (g.active) deliver_own_signals();
  }
  SignalsBehind(const SignalsBehind&) = delete;
  SignalsBehind& operator=(const SignalsBehind&) = delete;
};

// A stream without a buffer, which each call writes to its descriptor. That write is a cancellation point.
// (libc alone knows when a full buffer is written.)
bool writes_at_once(FILE* stream) {
  constexpr int k_unbuffered = 2; // of glibc's _flags
  return stream != nullptr && (stream->_flags & k_unbuffered) != 0;
}

// A text of this length does not fit into the stream's buffer any more, so libc writes to the descriptor.
// That is a cancellation point, too.
void testcancel_if_full(FILE* stream, std::size_t length) {
  if (stream == nullptr || !g.controlled || !g.current->own.cancelled) return;
  const std::size_t size = __fbufsize(stream);
  if (size != 0 && __fpending(stream) + length > size) testcancel();
}

void testcancel_if_full(FILE* stream, const char* format, std::va_list arguments) {
  if (!g.controlled || !g.current->own.cancelled) return;
  std::va_list copy;
  va_copy(copy, arguments);
  const int length = vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  if (length > 0) testcancel_if_full(stream, static_cast<std::size_t>(length));
}

} // namespace

#define REEX_STREAM_POINT(file)                                                                              \
  const CancellationPoint point(writes_at_once(file));                                                       \
  const SignalsBehind behind;                                                                                \
  REEX_POINT(Operation::stream, (file));                                                                     \
  stream_written(file)

#define REEX_PRINT_POINT(file, format, arguments)                                                            \
  reach_texts((format), (arguments), REEX_CALLER);                                                           \
  REEX_STREAM_POINT(file);                                                                                   \
  read_texts((format), (arguments), REEX_CALLER);                                                            \
  testcancel_if_full((file), (format), (arguments))

REEX_EXPORT int vfprintf(FILE* stream, const char* format, std::va_list arguments) {
  REEX_PRINT_POINT(stream, format, arguments);
  return libc().vfprintf(stream, format, arguments);
}

REEX_EXPORT int vprintf(const char* format, std::va_list arguments) {
  REEX_PRINT_POINT(stdout, format, arguments);
  return libc().vfprintf(stdout, format, arguments);
}

REEX_EXPORT int fprintf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  REEX_PRINT_POINT(stream, format, arguments);
  const int result = libc().vfprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}

REEX_EXPORT int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  REEX_PRINT_POINT(stdout, format, arguments);
  const int result = libc().vfprintf(stdout, format, arguments);
  va_end(arguments);
  return result;
}

// The functions that _FORTIFY_SOURCE calls instead.
REEX_EXPORT int __vfprintf_chk(FILE* stream, int flag, const char* format, std::va_list arguments) {
  REEX_PRINT_POINT(stream, format, arguments);
  return libc().vfprintf_chk(stream, flag, format, arguments);
}

REEX_EXPORT int __vprintf_chk(int flag, const char* format, std::va_list arguments) {
  REEX_PRINT_POINT(stdout, format, arguments);
  return libc().vfprintf_chk(stdout, flag, format, arguments);
}

REEX_EXPORT int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  REEX_PRINT_POINT(stream, format, arguments);
  const int result = libc().vfprintf_chk(stream, flag, format, arguments);
  va_end(arguments);
  return result;
}

REEX_EXPORT int __printf_chk(int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  REEX_PRINT_POINT(stdout, format, arguments);
  const int result = libc().vfprintf_chk(stdout, flag, format, arguments);
  va_end(arguments);
  return result;
}

REEX_EXPORT int puts(const char* text) {
  will_read_buffer(text, REEX_CALLER);
  REEX_STREAM_POINT(stdout);
  reads_text(text, REEX_CALLER);
  testcancel_if_full(stdout, strlen(text) + 1);
  return libc().puts(text);
}

REEX_EXPORT int fputs(const char* text, FILE* stream) {
  will_read_buffer(text, REEX_CALLER);
  REEX_STREAM_POINT(stream);
  reads_text(text, REEX_CALLER);
  testcancel_if_full(stream, strlen(text));
  return libc().fputs(text, stream);
}

REEX_EXPORT int fputc(int character, FILE* stream) {
  REEX_STREAM_POINT(stream);
  testcancel_if_full(stream, 1);
  return libc().fputc(character, stream);
}

REEX_EXPORT int putc(int character, FILE* stream) {
  REEX_STREAM_POINT(stream);
  testcancel_if_full(stream, 1);
  return libc().fputc(character, stream);
}

REEX_EXPORT int putchar(int character) {
  REEX_STREAM_POINT(stdout);
  testcancel_if_full(stdout, 1);
  return libc().fputc(character, stdout);
}

REEX_EXPORT std::size_t fwrite(const void* data, std::size_t size, std::size_t count, FILE* stream) {
  will_read_buffer(data, REEX_CALLER);
  REEX_STREAM_POINT(stream);
  reads_buffer(data, static_cast<long>(size * count), REEX_CALLER);
  testcancel_if_full(stream, size * count);
  return libc().fwrite(data, size, count, stream);
}

// If there is nothing to write, no thread can observe the call. libstdc++ flushes a dozen streams at exit.
REEX_EXPORT int fflush(FILE* stream) {
  const SignalsBehind behind;
  if (stream == nullptr || __fpending(stream) != 0) {
    const CancellationPoint point;
    REEX_POINT(Operation::stream, stream);
    if (stream != nullptr) stream_written(stream);
  }
  await_stream(stream, REEX_CALLER, REEX_FRAME);
  return libc().fflush(stream);
}

// libc closes the descriptor, unseen by channels.cpp. Who waits at the other end sees what was left in the
// buffer, and the end.
REEX_EXPORT int fclose(FILE* stream) {
  const SignalsBehind behind;
  if (stream != nullptr) {
    if (is_channel(fileno(stream))) {
      REEX_POINT(Operation::stream, stream);
      stream_written(stream);
    }
    await_stream(stream, REEX_CALLER, REEX_FRAME);
    forget_stream(stream);
    forget_descriptor(fileno(stream));
  }
  return libc().fclose(stream);
}
