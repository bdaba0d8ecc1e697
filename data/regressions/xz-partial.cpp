// A decoder with threads gets a block and half of another one, and is asked for what it can give of them.
#include <lzma.h>
#include <cassert>
#include <cstring>

static size_t encode(unsigned char* file, size_t room) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = 4096;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  unsigned char data[64];
  for (unsigned i = 0; i < sizeof data; i++) data[i] = static_cast<unsigned char>(i * 37);
  lzma_stream_flags flags;
  std::memset(&flags, 0, sizeof flags);
  flags.check = LZMA_CHECK_CRC32;
  lzma_ret ret = lzma_stream_header_encode(&flags, file);
  assert(ret == LZMA_OK);
  size_t size = LZMA_STREAM_HEADER_SIZE;
  for (int i = 0; i < 2; i++) {
    lzma_block block;
    std::memset(&block, 0, sizeof block);
    block.check = LZMA_CHECK_CRC32;
    block.filters = filters;
    ret = lzma_block_buffer_encode(&block, nullptr, data, sizeof data, file, &size, room);
    assert(ret == LZMA_OK);
  }
  return size;
}

int main() {
  unsigned char file[512], out[256];
  const size_t size = encode(file, sizeof file);
  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_mt mt;
  std::memset(&mt, 0, sizeof mt);
  mt.threads = 2;
  mt.memlimit_threading = mt.memlimit_stop = 64 << 20;
  lzma_ret ret = lzma_stream_decoder_mt(&stream, &mt);
  assert(ret == LZMA_OK);
  stream.next_out = out;
  stream.avail_out = sizeof out;
  stream.next_in = file;
  stream.avail_in = size - 30;
  while (ret == LZMA_OK) ret = lzma_code(&stream, LZMA_RUN);
  assert(ret == LZMA_BUF_ERROR);
  assert(stream.total_out >= 64);
  lzma_end(&stream);
}
