#pragma once

#include "mina/NextFilter.h"
#include "mina/ProtocolEncoder.h"

namespace mina {

// Encodes the messages that are written to a session and hands the encoded ones to the next filter.
// Any number of threads may write to one session.
class ProtocolCodecFilter {
public:
  void filterWrite(NextFilter& nextFilter, IoSession& session, const WriteRequest& writeRequest);

private:
  TextLineEncoder encoder;
};

// The output of one request: puts encoded messages into the session's queue and flushes it.
class ProtocolEncoderOutputImpl : public ProtocolEncoderOutput {
public:
  ProtocolEncoderOutputImpl(IoSession& session, NextFilter& nextFilter, const WriteRequest& writeRequest);

  // Writes what is queued. The future is that of the last message.
  std::shared_ptr<WriteFuture> flush();

private:
  IoSession& session;
  NextFilter& nextFilter;
  const WriteRequest& writeRequest;
};

} // namespace mina
