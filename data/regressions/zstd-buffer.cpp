// Small pieces are compressed by two threads until the table of their jobs is full.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <cassert>
#include <cstring>

int main() {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_p_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_p_windowLog, 10);
  ZSTD_CCtx_setParameter(context, ZSTD_p_hashLog, 6);
  ZSTD_CCtx_setParameter(context, ZSTD_p_nbThreads, 2);
  static char text[9] = "regress.";
  static char compressed[4096], back[64];
  ZSTD_outBuffer out{compressed, 0, 0};
  for (int at = 0; at < 8; ++at) {
    ZSTD_inBuffer in{text + at, 1, 0};
    while (in.pos < in.size) {
      ++out.size;
      const size_t left = ZSTD_compress_generic(context, &out, &in, ZSTD_e_flush);
      assert(!ZSTD_isError(left));
    }
  }
  out.size = sizeof compressed;
  ZSTD_inBuffer none{nullptr, 0, 0};
  size_t left = 1;
  while (left != 0) {
    left = ZSTD_compress_generic(context, &out, &none, ZSTD_e_end);
    assert(!ZSTD_isError(left));
  }
  assert(ZSTD_decompress(back, sizeof back, compressed, out.pos) == 8);
  assert(std::memcmp(back, text, 8) == 0);
  ZSTD_freeCCtx(context);
}
