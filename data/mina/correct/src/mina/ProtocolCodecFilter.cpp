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
  encoderOut.flushWithoutFuture();

  nextFilter.filterWrite(session, MessageWriteRequest(writeRequest));
}

ProtocolEncoderOutputImpl::ProtocolEncoderOutputImpl(IoSession& session, NextFilter& nextFilter,
                                                     const WriteRequest& writeRequest)
    : ProtocolEncoderOutput(session.getMessageQueue()), session(session), nextFilter(nextFilter),
      writeRequest(writeRequest) {}

std::shared_ptr<WriteFuture> ProtocolEncoderOutputImpl::flush() {
  ConcurrentLinkedQueue& bufferQueue = getMessageQueue();
  std::shared_ptr<WriteFuture> future;

  for (;;) {
    std::unique_ptr<Message> encodedMessage = bufferQueue.poll();

    if (encodedMessage == nullptr) {
      break;
    }

    // Flush only when the buffer has remaining.
    const auto* buffer = dynamic_cast<const IoBuffer*>(encodedMessage.get());
    if (buffer == nullptr || buffer->hasRemaining()) {
      future = doFlush(std::move(encodedMessage));
    }
  }

  if (future == nullptr) {
    future = std::make_shared<WriteFuture>();
    future->setException("nothing was written");
  }

  return future;
}

void ProtocolEncoderOutputImpl::flushWithoutFuture() {
  ConcurrentLinkedQueue& bufferQueue = getMessageQueue();

  for (;;) {
    std::unique_ptr<Message> encodedMessage = bufferQueue.poll();

    if (encodedMessage == nullptr) {
      break;
    }

    // Flush only when the buffer has remaining.
    const auto* buffer = dynamic_cast<const IoBuffer*>(encodedMessage.get());
    if (buffer == nullptr || buffer->hasRemaining()) {
      const std::string& destination = writeRequest.getDestination();
      nextFilter.filterWrite(session, EncodedWriteRequest(std::move(encodedMessage), nullptr, destination));
    }
  }
}

std::shared_ptr<WriteFuture> ProtocolEncoderOutputImpl::doFlush(std::unique_ptr<Message> encodedMessage) {
  auto future = std::make_shared<WriteFuture>();
  nextFilter.filterWrite(session,
                         EncodedWriteRequest(std::move(encodedMessage), future, writeRequest.getDestination()));
  return future;
}

} // namespace mina
