#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace groovy::runtime {

// A method as a meta-class knows it.
class MetaMethod {
public:
  MetaMethod(std::string name, std::size_t parameters) : name(std::move(name)), parameters(parameters) {}

  const std::string& getName() const { return name; }
  bool isApplicable(const std::string& called, std::size_t arguments) const {
    return called == name && arguments == parameters;
  }

private:
  std::string name;
  std::size_t parameters;
};

} // namespace groovy::runtime
