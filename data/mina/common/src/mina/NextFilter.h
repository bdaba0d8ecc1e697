#pragma once

#include "mina/IoSession.h"
#include "mina/WriteRequest.h"

namespace mina {

// The rest of the filter chain, as a filter sees it.
class NextFilter {
public:
  virtual ~NextFilter() = default;
  virtual void filterWrite(IoSession& session, const WriteRequest& request) = 0;
};

} // namespace mina
