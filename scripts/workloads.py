#!/usr/bin/env python3
"""The workloads of bench/workloads: executions to the first failure, and to the end.

    scripts/workloads.py [--reex BINARY] [--folder build/bench] [--seeds N] [--budget TIME]

Prints three tables. The first counts, of the faulty versions, the executions up to the first failure: of icb,
without and with reduction (executions that ran to their end + those cut short), and the median over the seeds
of the strategies that sample. The second counts, of the correct versions, the executions until nothing is left
at bounds 0, 1, 2 and without a bound, with the seconds it took; > where the budget ended first. The third does
without a bound what other tools do with their reductions: executions that ran to their end + those cut short, and the
schedules that were followed in memory. --large adds the largest of these, which take a minute.
Exit status 1 where a fault was not found, a correct version failed, outcomes are missing, or there were more
executions than promised.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

WORKLOADS = [("W1", "mutex_pairs"), ("W2", "check_then_act"), ("W3", "philosophers"),
             ("W4", "one_slot_buffer"), ("W5", "treiber_stack")]
# Without a bound, with reduction: the executions that come to their end (Mazurkiewicz traces, if memory is
# distinguished in words of four bytes), the limit for those that are cut short, and the outcomes.
TRACES = [("W1", "mutex_pairs", [], 20, 0, 1), ("W2", "check_then_act", [], 2, 0, 1),
          ("W3", "philosophers", [], 6, 0, 1), ("W4", "one_slot_buffer", [], 80, 0, 1),
          ("W5", "treiber_stack", [], 23, 1, 1), ("W6", "shared_counter", [], 90, 0, 1),
          ("W7", "readers", [], 16, 0, 16), ("W7", "readers", ["8"], 256, 0, 256), ("W8", "ring", [], 7, 0, 7),
          ("W9", "last_zero", [], 28, 0, 28), ("W9", "last_zero", ["6"], 144, 0, 144),
          ("W9", "last_zero", ["8"], 704, 0, 704), ("W10", "indexer", [], 2, 0, 1),
          ("W10", "indexer", ["12"], 9, 0, 1), ("W11", "file_system", [], 3, 0, 1)]
LARGE_TRACES = [("W7", "readers", ["13"], 8192, 0, 8192), ("W9", "last_zero", ["10"], 3328, 0, 3328),
                ("W10", "indexer", ["15"], 4097, 0, 1)]
SAMPLERS = ["random", "pct", "pos", "urw", "surw"]


class Runner:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder

    def report(self, workload, version, *words, arguments=()):
        path = os.path.join(self.folder, "report.json")
        if os.path.exists(path):
            os.remove(path)
        binary = os.path.join(self.options.folder, "workload_" + workload)
        subprocess.run([self.options.reex, "-q", "-o", self.folder, "--format", "json:" + path, *words, binary,
                        "--", version, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                       env={**os.environ, "REEX_STRATEGY": "icb"})
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def until_failure(self, workload, reduction):
        report = self.report(workload, "faulty", "-k", "1", "--bound", "none", "--reduction", reduction,
                             "--budget", self.options.budget)
        if not report["failures"]:
            raise SystemExit(f"the fault of {workload} was not found")
        failure = report["failures"][0]
        cut = f" + {report['pruned']}" if report["pruned"] else ""
        return f"{report['schedules']}{cut} ({failure['preemptions']})"

    def sampled(self, workload, strategy):
        found = []
        for seed in range(1, self.options.seeds + 1):
            report = self.report(workload, "faulty", "-k", "1", "--strategy", strategy, "--seed", str(seed),
                                 "--schedules", "10000")
            found.append(min((failure["schedule"] for failure in report["failures"]), default=10000))
        return f"{statistics.median(found):g}"

    def to_the_end(self, workload, bound, reduction):
        report = self.report(workload, "correct", "-k", "0", "--bound", bound, "--reduction", reduction,
                             "--budget", self.options.budget)
        if report["failures"] or report["error"]:
            raise SystemExit(f"{workload} is to be correct: {report['failures'] or report['error']}")
        all_of_it = report["exhausted"] if bound == "none" else report["bound_completed"] is not None and (
            report["exhausted"] or report["bound_completed"] >= int(bound))
        cut = f" + {report['pruned']:,}" if report["pruned"] else ""
        return f"{'' if all_of_it else '> '}{report['schedules']:,}{cut} ({report['wall_seconds']:.2g} s)"

    def traces(self, workload, arguments, runs, cut, outcomes):
        report = self.report(workload, "correct", "-k", "0", "--bound", "none", "--reduction", "hb", "--outcomes",
                             "--budget", self.options.budget, arguments=arguments)
        if not report["exhausted"] or report["failures"]:
            raise SystemExit(f"{workload} was not explored in full: {report['failures']}")
        if len(report["outcomes"]) != outcomes:
            raise SystemExit(f"{workload}: {len(report['outcomes'])} outcomes in place of {outcomes}")
        if report["schedules"] > runs or report["pruned"] > cut:
            raise SystemExit(f"{workload}: {report['schedules']} + {report['pruned']} executions")
        return [f"{report['schedules']:,} + {report['pruned']:,}", f"{report['followed']:,}",
                f"{report['wall_seconds']:.2g} s"]


def table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reex", default="build/cli/reex")
    parser.add_argument("--folder", default="build/bench", help="where the workloads were built")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--large", action="store_true", help="the largest parameters of the third table, too")
    parser.add_argument("--budget", default="60s", help="for one exploration")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        table(["faulty", "icb", "icb, reduced", *SAMPLERS],
              ([name, runner.until_failure(workload, "none"), runner.until_failure(workload, "hb"),
                *(runner.sampled(workload, strategy) for strategy in SAMPLERS)]
               for name, workload in WORKLOADS[1:]))
        table(["correct", "bound 0", "bound 1", "bound 2", "no bound"],
              ([name + words, *(runner.to_the_end(workload, bound, reduction)
                                for bound in ("0", "1", "2", "none"))]
               for name, workload in WORKLOADS
               for words, reduction in (("", "none"), (", reduced", "hb"))))
        table(["no bound, reduced", "executed", "followed", "time"],
              ([", ".join([name, *arguments]), *runner.traces(workload, arguments, *promised)]
               for name, workload, arguments, *promised in TRACES + (LARGE_TRACES if options.large else [])))


if __name__ == "__main__":
    main()
