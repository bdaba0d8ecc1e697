// An encoder with a thread is ended before it has encoded what it was given.
#include <lzma.h>
#include <cassert>
#include <cstring>

int main() {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = 4096;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  lzma_mt mt;
  std::memset(&mt, 0, sizeof mt);
  mt.threads = 1;
  mt.block_size = 16;
  mt.filters = filters;
  mt.check = LZMA_CHECK_CRC32;
  lzma_stream stream = LZMA_STREAM_INIT;
  const lzma_ret ret = lzma_stream_encoder_mt(&stream, &mt);
  assert(ret == LZMA_OK);
  unsigned char data[16] = {}, out[256];
  stream.next_in = data;
  stream.avail_in = sizeof data;
  stream.next_out = out;
  stream.avail_out = sizeof out;
  lzma_code(&stream, LZMA_RUN);
  lzma_end(&stream);
}
