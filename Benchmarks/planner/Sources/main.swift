// Measures the planner and the scheduler; planner.py starts it.
//
//   PlannerBenchmark plan SHAPE STEPS      what it costs to parse, check and plan a document of that form
//   PlannerBenchmark cleanups STEPS COUNT  the same for random references to steps and to their cleanups
//   PlannerBenchmark cleanups STEPS COUNT chain     the same for cleanups of a chain that need its end
//   PlannerBenchmark document …            writes the document of one of these
//   PlannerBenchmark simulate SEEDS        how far simulated schedules are from the lower bound
//   PlannerBenchmark delays SEED UNIT      a document of one of those graphs, whose steps take UNIT seconds times their duration
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "plan", "cleanups": Measurement.plan(arguments)
case "document": Measurement.document(arguments)
case "simulate": Simulation.report(seeds: arguments.dropFirst().first.flatMap { UInt64($0) } ?? 200)
case "delays": Simulation.writeDocument(arguments)
default:
  print(
    "usage: PlannerBenchmark plan chain|star|lattice|random STEPS | cleanups STEPS COUNT [chain] | document … | simulate SEEDS | delays SEED UNIT"
  )
  exit(2)
}
