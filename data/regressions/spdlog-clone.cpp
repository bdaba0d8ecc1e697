// A logger is copied while another thread writes to its backtrace.
#define SPDLOG_HEADER_ONLY
#include <spdlog/logger.h>
#include <spdlog/sinks/null_sink.h>
#include <thread>

int main() {
  spdlog::logger logger("one", std::make_shared<spdlog::sinks::null_sink_mt>());
  logger.set_level(spdlog::level::info);
  logger.enable_backtrace(4);
  std::thread writer([&] { logger.debug("text"); });
  spdlog::logger copy(logger);
  writer.join();
}
