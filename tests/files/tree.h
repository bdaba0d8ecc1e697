// A folder of files for a test, and what is in it.
#pragma once

#include <map>
#include <string>

#include "reex/files/place.h"

namespace reex {

class Tree {
public:
  Tree();
  ~Tree(); // removes it
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const std::string& root() const { return m_root; }
  std::string path(const std::string& name) const { return m_root + "/" + name; }
  FilePlace place(const std::string& name) const; // "a/b"
  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;

  // Everything in it: kind, inode, mode, links, time of the last change and content of each name.
  std::map<std::string, std::string> entries() const;

private:
  std::string m_root;
};

} // namespace reex
