#include "cli/run/guard.h"

#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "reex/process/machine.h"
#include "reex/records/damaged_memory.h"

namespace reex {

ExitStatus guarded(const std::function<ExitStatus()>& command) {
  try {
    return command();
  } catch (const CommandError& error) {
    say(error.what());
    return error.status();
  } catch (const DamagedMemory& error) { // in a replay
    say(error.what());
  } catch (const MachineError& error) { // outside of an exploration, which reports it
    say(error.what());
  } catch (const std::bad_alloc&) {
    say("no memory is left: leave reex more memory, and no limit: ulimit -v unlimited");
  } catch (const std::exception& error) {
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    if (system != nullptr && !remedy_for(system->code()).empty())
      say(with_remedy(*system));
    else
      say(std::string(error.what()) +
          ": this is an error of reex, not of the test: report it with the command");
  }
  return ExitStatus::internal;
}

} // namespace reex
