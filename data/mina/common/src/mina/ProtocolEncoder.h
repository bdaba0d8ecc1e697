#pragma once

#include <memory>
#include <string>

#include "mina/ConcurrentLinkedQueue.h"

namespace mina {

// Takes what an encoder makes of a message.
class ProtocolEncoderOutput {
public:
  explicit ProtocolEncoderOutput(ConcurrentLinkedQueue& messageQueue) : messageQueue(messageQueue) {}
  virtual ~ProtocolEncoderOutput() = default;

  ConcurrentLinkedQueue& getMessageQueue() { return messageQueue; }
  void write(std::unique_ptr<Message> encodedMessage) { messageQueue.offer(std::move(encodedMessage)); }

private:
  ConcurrentLinkedQueue& messageQueue;
};

// Makes one buffer of each line of a text message.
class TextLineEncoder {
public:
  void encode(const Message& message, ProtocolEncoderOutput& out) const {
    const auto* text = dynamic_cast<const TextMessage*>(&message);
    if (text == nullptr) return;
    std::size_t begin = 0;
    while (begin < text->getText().size()) {
      std::size_t end = text->getText().find('\n', begin);
      if (end == std::string::npos) end = text->getText().size();
      out.write(std::make_unique<IoBuffer>(text->getText().substr(begin, end - begin) + "\r\n"));
      begin = end + 1;
    }
  }
};

} // namespace mina
