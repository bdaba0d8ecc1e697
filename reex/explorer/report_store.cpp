#include "reex/explorer/report_store.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

#include "reex/run/result_json.h"

namespace reex {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StoredReport, worker, serial, slot, failure_key, first, failures, findings,
                                   how_of_findings, notes, gaps)

void ReportStore::clear() const {
  if (!m_path.empty()) unlink(m_path.c_str());
}

std::vector<StoredReport> ReportStore::load() const {
  std::vector<StoredReport> reports;
  std::ifstream file(m_path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::size_t at = 0;
  for (std::uint64_t length = 0; at + sizeof length <= bytes.size(); at += sizeof length + length) {
    std::memcpy(&length, bytes.data() + at, sizeof length);
    if (length > bytes.size() - at - sizeof length) break;
    const char* begin = bytes.data() + at + sizeof length;
    reports.push_back(nlohmann::json::from_cbor(begin, begin + length).get<StoredReport>());
  }
  std::error_code ignored;
  if (at < bytes.size()) std::filesystem::resize_file(m_path, at, ignored);
  return reports;
}

void ReportStore::append(const StoredReport& report) const {
  if (m_path.empty()) return;
  std::vector<std::uint8_t> record(sizeof(std::uint64_t));
  nlohmann::json::to_cbor(nlohmann::json(report), record);
  const std::uint64_t length = record.size() - sizeof length;
  std::memcpy(record.data(), &length, sizeof length);
  const int file = open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && write(file, record.data(), record.size()) == static_cast<ssize_t>(record.size());
  const int error = errno;
  if (file >= 0) close(file);
  if (!written) throw std::system_error(error, std::generic_category(), "cannot write " + m_path);
}

} // namespace reex
