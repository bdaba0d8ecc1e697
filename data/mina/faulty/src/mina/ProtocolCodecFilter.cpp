#include "mina/ProtocolCodecFilter.h"

namespace mina {

void ProtocolCodecFilter::filterWrite(NextFilter& nextFilter, IoSession& session, const WriteRequest& writeRequest) {
  const Message* message = writeRequest.getMessage();

  // What is encoded already is passed on.
  if (dynamic_cast<const IoBuffer*>(message) != nullptr) {
    nextFilter.filterWrite(session, writeRequest);
    return;
  }

  ProtocolEncoderOutputImpl encoderOut(session, nextFilter, writeRequest);
  encoder.encode(*message, encoderOut);

  // Send what was encoded.
  ConcurrentLinkedQueue& bufferQueue = encoderOut.getMessageQueue();

  while (!bufferQueue.isEmpty()) {
    std::unique_ptr<Message> encodedMessage = bufferQueue.poll();

    // Flush only when the buffer has remaining.
    const auto* buffer = dynamic_cast<const IoBuffer*>(encodedMessage.get());
    if (buffer == nullptr || buffer->hasRemaining()) {
      const std::string& destination = writeRequest.getDestination();
      nextFilter.filterWrite(session, EncodedWriteRequest(std::move(encodedMessage), nullptr, destination));
    }
  }

  nextFilter.filterWrite(session, MessageWriteRequest(writeRequest));
}

ProtocolEncoderOutputImpl::ProtocolEncoderOutputImpl(IoSession& session, NextFilter& nextFilter,
                                                     const WriteRequest& writeRequest)
    : ProtocolEncoderOutput(session.getMessageQueue()), session(session), nextFilter(nextFilter),
      writeRequest(writeRequest) {}

std::shared_ptr<WriteFuture> ProtocolEncoderOutputImpl::flush() {
  ConcurrentLinkedQueue& bufferQueue = getMessageQueue();
  std::shared_ptr<WriteFuture> future;

  while (!bufferQueue.isEmpty()) {
    std::unique_ptr<Message> encodedMessage = bufferQueue.poll();

    // Flush only when the buffer has remaining.
    const auto* buffer = dynamic_cast<const IoBuffer*>(encodedMessage.get());
    if (buffer == nullptr || buffer->hasRemaining()) {
      future = std::make_shared<WriteFuture>();
      nextFilter.filterWrite(session,
                             EncodedWriteRequest(std::move(encodedMessage), future, writeRequest.getDestination()));
    }
  }

  if (future == nullptr) {
    future = std::make_shared<WriteFuture>();
    future->setException("nothing was written");
  }

  return future;
}

} // namespace mina
