// One thread writes, and another one asks how much memory the data base uses.
#include "leveldb/db.h"
#include "leveldb/env.h"
#include <string>
#include <thread>

int main() {
  leveldb::Options options;
  options.create_if_missing = true;
  std::string folder;
  leveldb::Env::Default()->GetTestDirectory(&folder);
  folder += "/usage";
  leveldb::DestroyDB(folder, options);
  leveldb::DB* db = nullptr;
  if (!leveldb::DB::Open(options, folder, &db).ok()) return 1;
  std::thread writer([&] { db->Put(leveldb::WriteOptions(), "key", std::string(5000, 'x')); });
  std::string value;
  const bool good = db->GetProperty("leveldb.approximate-memory-usage", &value);
  writer.join();
  delete db;
  return good ? 0 : 1;
}
