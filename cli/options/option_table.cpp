#include "cli/options/option_table.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "cli/options/duration.h"
#include "cli/options/shard.h"
#include "cli/options/values.h"
#include "reex/search/sampling_state.h"

namespace reex {
namespace {

using Text = const std::string&;

constexpr unsigned k_run = verb_bit(Verb::run);
constexpr unsigned k_merge = verb_bit(Verb::merge);
constexpr unsigned k_compare = verb_bit(Verb::compare);
constexpr unsigned k_change = k_run | verb_bit(Verb::impact) | k_compare;
constexpr unsigned k_reports = k_run | k_merge | verb_bit(Verb::replay) | verb_bit(Verb::minimize) |
                               verb_bit(Verb::hook) | verb_bit(Verb::imunit);
constexpr unsigned k_promote = verb_bit(Verb::promote);
constexpr unsigned k_flags = verb_bit(Verb::flags);
constexpr unsigned k_imunit = verb_bit(Verb::imunit);
// `doctor` shows the settings of a run, and the hook runs with them.
constexpr unsigned k_settings = k_run | verb_bit(Verb::doctor) | verb_bit(Verb::hook);
// `compare` passes them on to its runs.
constexpr unsigned k_passed_on = k_settings | k_compare;

std::chrono::milliseconds duration(Text name, Text text) {
  const auto parsed = parse_duration(text);
  if (!parsed) throw UsageError(name + ": '" + text + "' is no time: give one as in 500ms, 60s, 5m or 1h");
  return *parsed;
}

constexpr std::array k_verbs = {
    VerbRow{Verb::run, "run", "TEST_BINARY [-- ARGUMENTS] | -- PROGRAM ARGUMENTS",
            "explore the schedules of a test; the word run may be left out"},
    VerbRow{Verb::merge, "merge", "REPORT...", "join the JSON reports of all shards of a run"},
    VerbRow{Verb::replay, "replay", "SCHEDULE_FILE", "run one recorded schedule again"},
    VerbRow{Verb::minimize, "minimize", "SCHEDULE_FILE",
            "leave out the switches that a recorded failure does not need"},
    VerbRow{Verb::promote, "promote", "SCHEDULE_FILE",
            "write a test with a schedule of events from a recorded failure"},
    VerbRow{Verb::impact, "impact", "[TEST_BINARY]", "show the code points that a change impacts"},
    VerbRow{Verb::compare, "compare", "TEST_BINARY [-- ARGUMENTS] | --evaluation REPORT...",
            "compare heuristics and strategies on a change: schedules to the failure"},
    VerbRow{Verb::list, "list", "[strategies | heuristics | tests TEST_BINARY]",
            "list what there is to choose from"},
    VerbRow{Verb::flags, "flags", "--compile | --link",
            "print the compiler's flags for an instrumented test"},
    VerbRow{Verb::hook, "hook", "install [-- BINARY...] | uninstall | print | run",
            "test what git push sends, before it is sent; install sets this up"},
    VerbRow{Verb::imunit, "imunit", "infer | migrate TEST_BINARY [-- ARGUMENTS]",
            "a schedule in place of a test's sleeps: show it, or rewrite the test"},
    VerbRow{Verb::doctor, "doctor", "[TEST_BINARY]",
            "show settings with their origins, and what machine and test lack"},
};

constexpr const char* k_change_group = "The change under test";
constexpr const char* k_exploration = "Exploration";
constexpr const char* k_comparison = "Comparison";
constexpr const char* k_native = "Any command";
constexpr const char* k_promotion = "The promoted test";
constexpr const char* k_tests = "Tests";
constexpr const char* k_output = "Output";
constexpr const char* k_hook = "The pre-push hook";
constexpr const char* k_sleeps = "Sleep-based tests";
constexpr const char* k_edits = "Changes of sources";

const std::array k_options = {
    OptionRow{"--base", "REV", k_change_group, k_change | k_settings, true, "", "what the change is compared with, as HEAD~1",
              [](Options& o, Text, Text t) { o.change.base = t; }},
    OptionRow{"--head", "REV", k_change_group, k_change, false, "", "the new side; without it, the files on disk",
              [](Options& o, Text, Text t) { o.change.head = t; }},
    OptionRow{"--merge-base", "", k_change_group, k_change, false, "", "compare with the merge base of base and head",
              [](Options& o, Text n, Text t) { o.change.merge_base = parse_flag(n, t); }},
    OptionRow{"--diff", "FILE", k_change_group, k_change, false, "", "the change is a unified diff; -: standard input",
              [](Options& o, Text, Text t) { o.change.diff = t; }},
    OptionRow{"--staged", "", k_change_group, k_change, false, "", "the change is what is staged",
              [](Options& o, Text n, Text t) { o.change.staged = parse_flag(n, t); }},
    OptionRow{"--worktree", "", k_change_group, k_change, false, "", "the change is what is not committed yet",
              [](Options& o, Text n, Text t) { o.change.worktree = parse_flag(n, t); }},
    OptionRow{"--all", "", k_change_group, k_run, false, "", "no change: explore everything alike (default)",
              [](Options& o, Text n, Text t) { o.change.all = parse_flag(n, t); }},
    OptionRow{"--repo", "DIR", k_change_group, k_change, true, "", "the repository; else of the folder or the binary",
              [](Options& o, Text, Text t) { o.change.repository = t; }},
    OptionRow{"--compile-commands", "PATH", k_change_group, k_change | k_promote, true, "", "compile_commands.json or its folder",
              [](Options& o, Text, Text t) { o.change.compile_commands = t; }},
    OptionRow{"--no-cache", "", k_change_group, k_run | verb_bit(Verb::impact), false, "", "parse anew what an earlier run has parsed",
              [](Options& o, Text n, Text t) { o.change.no_cache = parse_flag(n, t); }},
    OptionRow{"--wait-for-impact", "", k_change_group, k_settings, true, "false", "explore nothing before the change is analysed",
              [](Options& o, Text n, Text t) { o.change.wait_for_impact = parse_flag(n, t); }},
    OptionRow{"--select", "", k_change_group, k_settings, true, "false", "skip the tests that can reach nothing impacted",
              [](Options& o, Text n, Text t) { o.change.select = parse_flag(n, t); }},
    OptionRow{"--binary", "TEST_BINARY", k_change_group, verb_bit(Verb::impact), false, "", "the test the change is judged for",
              [](Options& o, Text, Text t) { o.binary_option = t; }},
    OptionRow{"--why", "FILE:LINE", k_change_group, verb_bit(Verb::impact), false, "", "what the change has to do with this line",
              [](Options& o, Text n, Text t) { o.change.why = parse_place(n, t); }},
    OptionRow{"--base-binary", "PATH", k_change_group, k_run | verb_bit(Verb::replay), false, "", "the test built from the base: does it fail, too?",
              [](Options& o, Text, Text t) { o.base_binary = t; }},
    OptionRow{"--gdb", "", "Debugging", verb_bit(Verb::replay), false, "", "gdb at the failure; after --: its arguments",
              [](Options& o, Text n, Text t) { o.gdb = parse_flag(n, t); }},

    OptionRow{"--strategy", "NAME", k_exploration, k_settings, true, "auto", "reex list strategies names them",
              [](Options& o, Text n, Text t) { o.strategy = parse_strategy(n, t); }},
    OptionRow{"--bound", "N", k_exploration, k_passed_on | k_promote, true, "2", "most preemptions, or none; the default deepens",
              [](Options& o, Text n, Text t) { o.bound = parse_bound(n, t); }},
    OptionRow{"--heuristic", "NAME", k_exploration, k_passed_on, true, "", "order of exploration; with a change LOA",
              [](Options& o, Text n, Text t) {
                o.heuristic = parse_heuristic(n, t);
                o.heuristic_by_option = n == "--heuristic";
              }},
    OptionRow{"--iterations", "N", k_exploration, k_run, false, "", "of the heuristic: explore only the first N",
              [](Options& o, Text n, Text t) {
                o.iterations = static_cast<unsigned>(parse_number(n, t, 1, UINT32_MAX));
              }},
    OptionRow{"--depth", "D", k_exploration, k_settings, true, "3", "of pct: one more than the changes of priority",
              [](Options& o, Text n, Text t) { o.depth = static_cast<unsigned>(parse_number(n, t, 1, k_max_depth)); }},
    OptionRow{"--interesting", "WHAT", k_exploration, k_settings, true, "", "of surw, auto: shared, impacted (with a change)",
              [](Options& o, Text n, Text t) {
                o.interesting = parse_choice<Interesting>(
                    n, t, {{"shared", Interesting::shared}, {"impacted", Interesting::impacted}});
              }},
    OptionRow{"--seed", "N", k_exploration, k_settings, true, "0", "of samples; not 0: order of icb, dfs too",
              [](Options& o, Text n, Text t) { o.seed = parse_number(n, t); }},
    OptionRow{"--budget", "TIME", k_exploration, k_passed_on, true, "", "wall time of the whole run: 500ms, 60s, 5m, 1h",
              [](Options& o, Text n, Text t) { o.budget = duration(n, t); }},
    OptionRow{"--schedules", "N", k_exploration, k_passed_on, true, "", "most schedules of each test; samples: 10000",
              [](Options& o, Text n, Text t) { o.schedules = parse_number(n, t, 1); }},
    OptionRow{"--max-steps", "N", k_exploration, k_passed_on, true, "20000", "operations; or 10 times those of the first",
              [](Options& o, Text n, Text t) { o.max_steps = parse_number(n, t, 1); }},
    OptionRow{"--hang-after", "TIME", k_exploration, k_passed_on, true, "10s", "most time without a scheduling point",
              [](Options& o, Text n, Text t) { o.hang_after = duration(n, t); }},
    OptionRow{"--memory-limit", "SIZE", k_exploration, k_passed_on, true, "4GiB", "most heap of an execution: 500MiB, none",
              [](Options& o, Text n, Text t) { o.memory_limit = parse_size(n, t); }},
    OptionRow{"-j,--jobs", "N", k_exploration, k_passed_on, true, "1", "workers that share the search; 0: all cores",
              [](Options& o, Text n, Text t) { o.jobs = parse_jobs(n, t); }},
    OptionRow{"--portfolio", "LIST", k_exploration, k_settings, true, "", "side by side until one fails: LOA,icb,pos:7",
              [](Options& o, Text n, Text t) {
                o.portfolio = parse_portfolio(n, t);
                for (const PortfolioMember& member : o.portfolio)
                  o.heuristic_by_option = o.heuristic_by_option || !member.heuristic.empty();
              }},
    OptionRow{"-k,--keep-going", "N", k_exploration, k_settings, true, "1", "stop after N distinct failures; 0: never",
              [](Options& o, Text n, Text t) { o.keep_going = static_cast<unsigned>(parse_number(n, t, 0, UINT32_MAX)); }},
    OptionRow{"--accesses", "KIND", k_exploration, k_passed_on, true, "racy", "plain accesses as points: sync, racy or all",
              [](Options& o, Text n, Text t) { o.accesses = parse_accesses(n, t); }},
    OptionRow{"--races", "WHAT", k_exploration, k_passed_on, true, "", "data races that fail: fail, changed; report, off",
              [](Options& o, Text n, Text t) { o.races = parse_races(n, t); }},
    OptionRow{"--strict-findings", "", k_exploration, k_passed_on, true, "false", "every finding makes the run fail (status 1)",
              [](Options& o, Text n, Text t) { o.strict_findings = parse_flag(n, t); }},
    OptionRow{"--suppressions", "FILE", k_exploration, k_passed_on, true, "", "known races, in ThreadSanitizer's format",
              [](Options& o, Text, Text t) { o.suppressions = t; }},
    OptionRow{"--isolation", "KIND", k_exploration, k_passed_on, true, "auto", "between executions: auto, restore or fork",
              [](Options& o, Text n, Text t) {
                o.isolation = parse_choice<Isolation>(
                    n, t, {{"auto", Isolation::automatic}, {"restore", Isolation::restore}, {"fork", Isolation::fork}});
              }},
    OptionRow{"--reduction", "KIND", k_exploration, k_settings, true, "auto",
              "cut equivalent schedules: auto, none, hb",
              [](Options& o, Text n, Text t) {
                o.reduction = parse_choice<Reduction>(
                    n, t, {{"auto", Reduction::automatic}, {"none", Reduction::none}, {"hb", Reduction::happens_before}});
              }},
    OptionRow{"--audit", "N", k_exploration, k_passed_on, true, "64", "try out one in N of what is cut; 0: none",
              [](Options& o, Text n, Text t) { o.audit = static_cast<std::uint32_t>(parse_number(n, t, 0, UINT32_MAX)); }},
    OptionRow{"--timeouts", "", k_exploration, k_passed_on, true, "false", "a timed wait may end at any time",
              [](Options& o, Text n, Text t) { o.timeouts = parse_flag(n, t); }},
    OptionRow{"--sleeps", "KIND", k_exploration, k_passed_on, true, "timed", "sleeps: timed; any: may end at once",
              [](Options& o, Text n, Text t) {
                o.sleeps_any = parse_choice<bool>(n, t, {{"timed", false}, {"any", true}});
              }},
    OptionRow{"--slice", "N", k_exploration, k_passed_on, true, "500", "operations of a time slice; 0: none",
              [](Options& o, Text n, Text t) { o.slice = static_cast<std::uint32_t>(parse_number(n, t, 0, UINT32_MAX)); }},
    OptionRow{"--patience", "N", k_exploration, k_passed_on, true, "", "slices until time passes; else of the first run",
              [](Options& o, Text n, Text t) { o.patience = static_cast<std::uint32_t>(parse_number(n, t, 0, UINT32_MAX)); }},
    OptionRow{"--spurious", "", k_exploration, k_passed_on, true, "false", "explore spurious wake-ups and weak CAS failures",
              [](Options& o, Text n, Text t) { o.spurious = parse_flag(n, t); }},
    OptionRow{"--reuse", "", k_exploration, k_passed_on, true, "false", "explore that freed addresses come again (ABA)",
              [](Options& o, Text n, Text t) { o.reuse = parse_flag(n, t); }},
    OptionRow{"--outcomes", "", k_exploration, k_settings, true, "false", "report what the executions printed, counted",
              [](Options& o, Text n, Text t) { o.outcomes = parse_flag(n, t); }},

    OptionRow{"--shard", "I/N", k_exploration, k_run, false, "", "explore one of N parts; auto: of the job array",
              [](Options& o, Text n, Text t) { o.shard = parse_shard(n, t); }},
    OptionRow{"--promote-from", "FILE", k_exploration, k_run, false, "", "begin with the races of this JSON report",
              [](Options& o, Text, Text t) { o.promote_from = t; }},
    OptionRow{"--profile", "FILE", k_exploration, k_run, false, "", "what samplers learn: read, else written",
              [](Options& o, Text, Text t) { o.profile = t; }},
    OptionRow{"--partial", "", k_exploration, k_merge, false, "", "join also where shards are missing",
              [](Options& o, Text n, Text t) { o.partial = parse_flag(n, t); }},
    OptionRow{"--resume", "", k_exploration, k_run, false, "", "go on where the same run was ended",
              [](Options& o, Text n, Text t) { o.resume = parse_flag(n, t); }},
    OptionRow{"--schedule-log", "PATH", k_exploration, k_run, false, "", "a line of JSON for each execution",
              [](Options& o, Text, Text t) { o.schedule_log = t; }},

    OptionRow{"--seeds", "N", k_comparison, k_compare, false, "6", "randomized orders of each strategy",
              [](Options& o, Text n, Text t) { o.seeds = static_cast<unsigned>(parse_number(n, t, 0, 1000)); }},
    OptionRow{"--contestants", "LIST", k_comparison, k_compare, false, "", "who takes part: LOA,MA,random; else all",
              [](Options& o, Text, Text t) { o.contestants = t; }},
    OptionRow{"--label", "NAME", k_comparison, k_compare, false, "", "its name; of --evaluation the command to show",
              [](Options& o, Text, Text t) { o.label = t; }},
    OptionRow{"--fresh", "", k_comparison, k_compare, false, "", "do not go on with the runs of an earlier one",
              [](Options& o, Text n, Text t) { o.fresh = parse_flag(n, t); }},
    OptionRow{"--evaluation", "", k_comparison, k_compare, false, "", "report on JSON files of comparisons",
              [](Options& o, Text n, Text t) { o.evaluation = parse_flag(n, t); }},
    OptionRow{"--published", "FILE", k_comparison, k_compare, false, "", "figures to show beneath, for --evaluation",
              [](Options& o, Text, Text t) { o.published = t; }},

    OptionRow{"--until-fail", "", k_native, k_run, false, "", "again and again without control, until it fails",
              [](Options& o, Text n, Text t) { o.until_fail = parse_flag(n, t); }},
    OptionRow{"--time-limit", "TIME", k_native, k_run, false, "5m", "of --until-fail: a longer run hangs",
              [](Options& o, Text n, Text t) { o.timeout = duration(n, t); }},

    OptionRow{"--to", "FILE", k_promotion, k_promote, false, "", "a new file; else beside the failing test",
              [](Options& o, Text, Text t) { o.promote_to = t; }},
    OptionRow{"--name", "NAME", k_promotion, k_promote, false, "", "as Suite.Test; else with UnderSchedule",
              [](Options& o, Text, Text t) { o.promote_name = t; }},
    OptionRow{"--expect", "WHAT", k_promotion, k_promote, false, "fails", "fails now; once mended: infeasible, passes",
              [](Options& o, Text n, Text t) {
                using promotion::Expect;
                o.expect = parse_choice<Expect>(
                    n, t, {{"fails", Expect::fails}, {"infeasible", Expect::infeasible}, {"passes", Expect::passes}});
              }},
    OptionRow{"--form", "FORM", k_promotion, k_promote, false, "source", "source, or external: events at operations",
              [](Options& o, Text n, Text t) {
                o.external = parse_choice<bool>(n, t, {{"source", false}, {"external", true}});
              }},
    OptionRow{"--in-product", "", k_promotion, k_promote, false, "", "events may stand in other files than the test's",
              [](Options& o, Text n, Text t) { o.in_product = parse_flag(n, t); }},

    OptionRow{"--build", "COMMAND", k_edits, k_promote | k_imunit, false, "", "builds a copy of the project; else of .reex.toml",
              [](Options& o, Text, Text t) { o.build = t; }},
    OptionRow{"--apply", "", k_edits, k_promote | k_imunit, false, "", "write the files; else the difference is shown",
              [](Options& o, Text n, Text t) { o.apply = parse_flag(n, t); }},

    OptionRow{"--filter", "PATTERN", k_tests, k_run | k_compare | k_imunit | verb_bit(Verb::list), false, "", "which tests, in GoogleTest's filter language",
              [](Options& o, Text, Text t) { o.filter = t; }},
    OptionRow{"--list-tests", "", k_tests, k_run, false, "", "list the tests that would be explored",
              [](Options& o, Text n, Text t) { o.list_tests = parse_flag(n, t); }},

    OptionRow{"--logs", "KIND", k_sleeps, k_imunit, false, "exact", "exact: under reex; native:N: from N runs",
              [](Options& o, Text n, Text t) { o.native_logs = parse_logs(n, t); }},
    OptionRow{"--scale", "N", k_sleeps, k_imunit, false, "3", "sleeps in native logs last N times as long",
              [](Options& o, Text n, Text t) { o.sleep_scale = static_cast<unsigned>(parse_number(n, t, 1, 1000)); }},
    OptionRow{"--confidence", "C", k_sleeps, k_imunit, false, "0.5", "the part of the logs that must agree, 0 to 1",
              [](Options& o, Text n, Text t) { o.confidence = parse_part(n, t); }},
    OptionRow{"--region", "KIND", k_sleeps, k_imunit, false, "open", "of a sleep: open, or printed as published",
              [](Options& o, Text n, Text t) {
                o.region_printed = parse_choice<bool>(n, t, {{"open", false}, {"printed", true}});
              }},
    OptionRow{"--verify", "", k_sleeps, k_imunit, false, "", "of migrate: build the new test, and compare",
              [](Options& o, Text n, Text t) { o.verify = parse_flag(n, t); }},
    OptionRow{"--force", "", k_sleeps, k_imunit, false, "", "write it although git or --verify objects",
              [](Options& o, Text n, Text t) { o.force = parse_flag(n, t); }},

    OptionRow{"--format", "LIST", k_output, k_change | k_merge | k_imunit | k_settings, true, "text", "text, json:PATH; others below",
              [](Options& o, Text n, Text t) { o.format = parse_format(n, t); }},
    OptionRow{"-o,--output", "DIR", k_output, k_passed_on | verb_bit(Verb::impact), true, "", "where .reex is kept; else the repository's root",
              [](Options& o, Text, Text t) { o.output_folder = t; }},
    OptionRow{"-q,--quiet", "", k_output, k_reports | k_compare, true, "false", "failures, and a few lines per test",
              [](Options& o, Text n, Text t) { o.quiet = parse_flag(n, t); }},
    OptionRow{"-v,--verbose", "", k_output, k_reports | k_promote, true, "false", "whole traces, library frames, all output",
              [](Options& o, Text n, Text t) { o.verbose = parse_flag(n, t); }},
    OptionRow{"--color", "WHEN", k_output, k_reports | k_passed_on, true, "auto", "auto, always or never",
              [](Options& o, Text n, Text t) {
                o.color = parse_choice<ColorMode>(
                    n, t, {{"auto", ColorMode::automatic}, {"always", ColorMode::always}, {"never", ColorMode::never}});
              }},
    OptionRow{"--dry-run", "", k_output, k_run, false, "", "what would be explored, and how much it is",
              [](Options& o, Text n, Text t) { o.dry_run = parse_flag(n, t); }},
    OptionRow{"--strict", "", k_output, k_merge | k_settings, true, "false", "status 3 if the bound was not explored in full",
              [](Options& o, Text n, Text t) { o.strict = parse_flag(n, t); }},

    OptionRow{"hook.budget", "TIME", k_hook, verb_bit(Verb::doctor) | verb_bit(Verb::hook), true, "60s", "wall time of the hook's run",
              [](Options& o, Text n, Text t) { o.hook_budget = duration(n, t); }},
    OptionRow{"hook.on-error", "WHAT", k_hook, verb_bit(Verb::doctor) | verb_bit(Verb::hook), true, "warn", "what is not the test's fault: warn, block",
              [](Options& o, Text n, Text t) {
                o.hook_on_error = parse_choice<HookOnError>(
                    n, t, {{"warn", HookOnError::warn}, {"block", HookOnError::block}});
              }},

    OptionRow{"--compile", "", "Flags", k_flags, false, "", "what the compiler is given to instrument a file",
              [](Options& o, Text n, Text t) { o.flags_compile = parse_flag(n, t); }},
    OptionRow{"--link", "", "Flags", k_flags, false, "", "what it is given to link the program",
              [](Options& o, Text n, Text t) { o.flags_link = parse_flag(n, t); }},
};

} // namespace

std::span<const VerbRow> verb_table() { return k_verbs; }

std::span<const OptionRow> option_table() { return k_options; }

std::string OptionRow::long_name() const {
  const std::string all = names;
  return is_option() ? all.substr(all.find("--")) : all;
}

std::string OptionRow::key() const { return long_name().substr(is_option() ? 2 : 0); }

bool OptionRow::belongs_to(Verb verb) const {
  return (verbs & verb_bit(verb)) != 0 || (setting && verb == Verb::doctor);
}

bool OptionRow::is_option() const { return *names == '-'; }

bool OptionRow::is_path() const {
  const std::string_view kind = value;
  return kind == "PATH" || kind == "DIR" || kind == "FILE";
}

std::string OptionRow::variable() const {
  std::string name = "REEX_" + key();
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c == '-' || c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return name;
}

} // namespace reex
