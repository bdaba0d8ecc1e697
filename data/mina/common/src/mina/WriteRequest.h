#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "mina/Message.h"

namespace mina {

class NullPointerException : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Completed by whoever writes the message in the end.
class WriteFuture {
public:
  void setWritten() { written = true; }
  void setException(const std::string& reason) { exception = reason; }
  bool isWritten() const { return written; }
  const std::string& getException() const { return exception; }

private:
  bool written = false;
  std::string exception;
};

// A message on its way to a destination. There is no request without a message.
class WriteRequest {
public:
  WriteRequest(const Message* message, std::shared_ptr<WriteFuture> future, std::string destination)
      : message(message), future(std::move(future)), destination(std::move(destination)) {
    if (message == nullptr) throw NullPointerException("message");
  }
  virtual ~WriteRequest() = default;

  const Message* getMessage() const { return message; }
  const std::shared_ptr<WriteFuture>& getFuture() const { return future; }
  const std::string& getDestination() const { return destination; }

private:
  const Message* message;
  std::shared_ptr<WriteFuture> future;
  std::string destination;
};

// The request to write what an encoder made; owns it.
class EncodedWriteRequest : public WriteRequest {
public:
  EncodedWriteRequest(std::unique_ptr<Message> encoded, std::shared_ptr<WriteFuture> future, std::string destination)
      : WriteRequest(encoded.get(), std::move(future), std::move(destination)), encoded(std::move(encoded)) {}

private:
  std::unique_ptr<Message> encoded;
};

// Follows the encoded messages of a request, so that the chain knows when the request as a whole is through.
class MessageWriteRequest : public WriteRequest {
public:
  explicit MessageWriteRequest(const WriteRequest& request)
      : WriteRequest(request.getMessage(), request.getFuture(), request.getDestination()) {}
};

} // namespace mina
