#pragma once

#include <string>
#include <utility>

namespace mina {

// What travels through the filter chain.
class Message {
public:
  virtual ~Message() = default;
};

// A message of the application, not yet encoded.
class TextMessage : public Message {
public:
  explicit TextMessage(std::string text) : text(std::move(text)) {}
  const std::string& getText() const { return text; }

private:
  std::string text;
};

// Encoded bytes, ready to be sent.
class IoBuffer : public Message {
public:
  explicit IoBuffer(std::string bytes) : bytes(std::move(bytes)) {}
  bool hasRemaining() const { return position < bytes.size(); }
  std::size_t remaining() const { return bytes.size() - position; }

private:
  std::string bytes;
  std::size_t position = 0;
};

} // namespace mina
