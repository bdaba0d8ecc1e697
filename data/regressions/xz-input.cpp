// Main gives a broken block to a decoder with threads in two parts: a thread finds the fault while the second one is copied.
#include <lzma.h>
#include <cassert>
#include <cstring>

int main() {
  unsigned char data[64], file[512];
  for (unsigned i = 0; i < sizeof data; i++) data[i] = static_cast<unsigned char>(i * 37);
  size_t size = 0;
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = 4096;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  lzma_ret ret = lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, nullptr, data, sizeof data, file, &size, sizeof file);
  assert(ret == LZMA_OK);
  const size_t block = LZMA_STREAM_HEADER_SIZE + lzma_block_header_size_decode(file[LZMA_STREAM_HEADER_SIZE]);
  file[block] = 3; // no chunk of LZMA2 begins so

  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_mt mt;
  std::memset(&mt, 0, sizeof mt);
  mt.threads = 2;
  mt.memlimit_threading = mt.memlimit_stop = 64 << 20;
  ret = lzma_stream_decoder_mt(&stream, &mt);
  assert(ret == LZMA_OK);
  unsigned char out[128];
  stream.next_out = out;
  stream.avail_out = sizeof out;
  stream.next_in = file;
  stream.avail_in = block + 4;
  ret = lzma_code(&stream, LZMA_RUN);
  if (ret == LZMA_OK) {
    stream.avail_in = size - block - 4;
    while (ret == LZMA_OK) ret = lzma_code(&stream, LZMA_FINISH);
  }
  assert(ret == LZMA_DATA_ERROR);
  lzma_end(&stream);
}
