import GarlandPlanner
import GarlandReports

extension RunCommand: PlainCommand {
  static var unset: RunCommand {
    var command = RunCommand()
    command.paths = .unset
    command.selection = .unset
    command.values = .unset
    command.output = .unset
    command.tokens = .unset
    command.concurrency = defaultConcurrency
    command.perOrigin = defaultPerOrigin
    command.engines = defaultEngines
    command.serial = false
    command.shuffle = nil
    command.failFast = false
    command.maxFailures = nil
    command.deadline = nil
    command.from = nil
    command.preflight = false
    command.wait = nil
    command.sandbox = false
    command.updateSnapshots = false
    command.strict = false
    command.report = []
    command.show = nil
    command.print = []
    return command
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    switch option {
    case "--concurrency", "-j": concurrency = try words.value { Int($0) }
    case "--per-origin": perOrigin = try words.value { Int($0) }
    case "--engines": engines = try words.value { Int($0) }
    case "--serial": serial = try words.flag()
    case "--shuffle": shuffle = try words.value(ShuffleSeed.init(argument:))
    case "--fail-fast": failFast = try words.flag()
    case "--max-failures": maxFailures = try words.value { Int($0) }
    case "--deadline": deadline = try words.value(DurationArgument.init(argument:))
    case "--from": from = try words.value()
    case "--preflight": preflight = try words.flag()
    case "--wait": wait = try words.value(DurationArgument.init(argument:))
    case "--sandbox": sandbox = try words.flag()
    case "--update-snapshots": updateSnapshots = try words.flag()
    case "--strict": strict = try words.flag()
    case "--report": report.append(try words.value(ReportOption.init(parsing:)))
    case "--show": show = try words.value(ConsoleOptions.Show.init(rawValue:))
    case "--print": print.append(try words.value())
    default:
      if try paths.take(option, &words) { return true }
      if try selection.take(option, &words) { return true }
      if try values.take(option, &words) { return true }
      if try tokens.take(option, &words) { return true }
      return try output.take(option, &words)
    }
    return true
  }
}

extension CheckCommand: PlainCommand {
  static var unset: CheckCommand {
    var command = CheckCommand()
    command.paths = .unset
    command.values = .unset
    command.output = .unset
    command.strict = false
    return command
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    if option == "--strict" {
      strict = try words.flag()
      return true
    }
    if try paths.take(option, &words) { return true }
    if try values.take(option, &words) { return true }
    return try output.take(option, &words)
  }
}

extension PlanCommand: PlainCommand {
  static var unset: PlanCommand {
    var command = PlanCommand()
    command.paths = .unset
    command.selection = .unset
    command.values = .unset
    command.output = .unset
    command.format = .text
    command.why = []
    command.criticalPath = false
    command.stats = false
    command.from = nil
    return command
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    switch option {
    case "--format": format = try words.value(DrawingFormat.init(rawValue:))
    case "--why": why.append(try words.value())
    case "--critical-path": criticalPath = try words.flag()
    case "--stats": stats = try words.flag()
    case "--from": from = try words.value()
    default:
      if try paths.take(option, &words) { return true }
      if try selection.take(option, &words) { return true }
      if try values.take(option, &words) { return true }
      return try output.take(option, &words)
    }
    return true
  }
}
