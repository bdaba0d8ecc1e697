// Reads the record "audit" (reex/shared/audit.h).
#pragma once

#include "reex/shared/audit.h"

namespace reex {

AuditRecord read_audit(const AuditRecord& shared);

} // namespace reex
