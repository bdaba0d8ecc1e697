#pragma once

namespace pool {

// What is pooled: something that costs much to make.
class Object {
public:
  virtual ~Object() = default;
};

} // namespace pool
