#include "cli/receipts/receipt.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli/receipts/newest_files.h"
#include "reex/run/sha256.h"
#include "reex/symbols/binary_info.h"
#include "reex/symbols/build_id.h"

namespace reex {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int k_format = 1;
constexpr const char* k_suffix = ".receipt";

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  Json array = Json::array();
  for (const auto& [name, value] : list) array.push_back(Json::array({name, value}));
  return array;
}

std::vector<std::pair<std::string, std::string>> read_pairs(const Json& array) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Json& pair : array)
    list.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  return list;
}

// Paths and arguments need not be UTF-8.
std::string text_of(const Json& json) { return json.dump(1, ' ', true, Json::error_handler_t::replace); }

fs::path path_of(const std::string& folder, const ReceiptIdentity& identity) {
  constexpr std::size_t k_digits = 24;
  return fs::path(folder) / (sha256_hex(text_of(pairs(identity))).substr(0, k_digits) + k_suffix);
}

Json json_of(const Receipt& receipt) {
  return {{"reex_receipt", k_format},
          {"identity", pairs(receipt.identity)},
          {"bound", receipt.bound ? Json(*receipt.bound) : Json()},
          {"files", pairs(receipt.files)},
          {"time", receipt.time},
          {"by", receipt.by},
          {"tests", receipt.tests},
          {"schedules", receipt.schedules}};
}

// Throws Json::exception for anything that is no receipt.
Receipt receipt_of(const Json& json) {
  Receipt receipt;
  if (json.at("reex_receipt").get<int>() != k_format) return receipt;
  receipt.identity = read_pairs(json.at("identity"));
  if (!json.at("bound").is_null()) receipt.bound = json.at("bound").get<unsigned>();
  receipt.files = read_pairs(json.at("files"));
  receipt.time = json.at("time").get<std::uint64_t>();
  receipt.by = json.at("by").get<std::string>();
  receipt.tests = json.at("tests").get<std::uint64_t>();
  receipt.schedules = json.at("schedules").get<std::uint64_t>();
  return receipt;
}

bool is_link(const std::string& folder) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(folder, error));
}

bool reaches(const Receipt& receipt, std::optional<unsigned> bound) {
  return !receipt.bound || (bound && *receipt.bound >= *bound);
}

bool files_are_the_same(const Receipt& receipt) {
  return !receipt.files.empty() &&
         std::all_of(receipt.files.begin(), receipt.files.end(), [](const auto& file) {
           return !file.second.empty() && version_of_file(file.first) == file.second;
         });
}

} // namespace

std::string version_of_file(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  const std::string id =
      is_system_library(path) || name == "libreex_rt.so" ? build_id_of(path) : std::string();
  return id.empty() ? digest_of_file(path) : "build " + id;
}

std::string write_receipt(const std::string& folder, const Receipt& receipt) {
  if (is_link(folder)) return "it is a symbolic link";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return error.message();
  const fs::path path = path_of(folder, receipt.identity);
  const fs::path beside = path.string() + '.' + std::to_string(getpid());
  errno = 0;
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << text_of(json_of(receipt)) << '\n';
  out.close();
  if (!out) {
    const int cause = errno != 0 ? errno : EIO;
    fs::remove(beside, error);
    return std::strerror(cause);
  }
  fs::rename(beside, path, error);
  if (error) return error.message();
  keep_the_newest(folder, k_most_receipts);
  return "";
}

std::optional<Receipt> find_receipt(const std::string& folder, const ReceiptIdentity& identity,
                                    std::optional<unsigned> bound) {
  if (is_link(folder)) return std::nullopt;
  std::ifstream in(path_of(folder, identity), std::ios::binary);
  const Json json = Json::parse(in, nullptr, false);
  try {
    // Compared as it was written: what is no UTF-8 became a replacement character.
    if (json.is_discarded() || json.at("identity") != Json::parse(text_of(pairs(identity))))
      return std::nullopt;
    Receipt receipt = receipt_of(json);
    if (receipt.identity.empty() || !reaches(receipt, bound) || !files_are_the_same(receipt))
      return std::nullopt;
    return receipt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void withdraw_receipt(const std::string& folder, const ReceiptIdentity& identity) {
  std::error_code error;
  if (!is_link(folder)) fs::remove(path_of(folder, identity), error);
}

} // namespace reex
