// Where entries of folders are that a test has removed, until they are put back: in folders of their own,
// each as far up as this user may write on the same file system, so that no folder of the test holds one.
#pragma once

#include <map>
#include <string>

#include "reex/files/place.h"

namespace reex {

class FileShelf {
public:
  FileShelf() = default;
  ~FileShelf(); // removes its folders, where nothing is left in them
  FileShelf(const FileShelf&) = delete;
  FileShelf& operator=(const FileShelf&) = delete;

  // Moves the entry away, and returns its new path; "" with errno if this is not possible.
  std::string take(const FilePlace& place);
  // Moves it back, to where nothing is. False with errno.
  bool give_back(const std::string& kept, const std::string& path);

private:
  std::map<std::string, std::string> m_folders; // by the folder above
  unsigned m_next = 0;
};

} // namespace reex
