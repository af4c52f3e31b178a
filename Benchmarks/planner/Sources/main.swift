// Measures the planner and the scheduler. Each measurement is a process of its own, since its memory counts: planner.py starts them.
//
//   PlannerBenchmark plan SHAPE STEPS      what it costs to parse, check and plan a document of that form
//   PlannerBenchmark cleanups STEPS COUNT  the same for random references to steps and to their cleanups
//   PlannerBenchmark simulate SEEDS        how far simulated schedules are from the lower bound
//   PlannerBenchmark delays SEED UNIT      a document of one of those graphs, whose steps take UNIT seconds times their duration
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "plan": Measurement.plan(arguments)
case "cleanups": Measurement.cleanups(arguments)
case "simulate": Simulation.report(seeds: arguments.dropFirst().first.flatMap { UInt64($0) } ?? 200)
case "delays": Simulation.writeDocument(arguments)
default:
  print("usage: PlannerBenchmark plan chain|star|lattice|random STEPS | cleanups STEPS COUNT | simulate SEEDS | delays SEED UNIT")
  exit(2)
}
