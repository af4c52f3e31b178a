import ArgumentParser

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Re-render a run from its JSON report, merge shards, or compare many runs.",
    discussion: """
      Nothing is sent. The reports are those that `garland run … --report json=FILE`
      has written, also on another machine.

      Examples:
        garland report result.json
        garland report result.json --report junit=report.xml --quiet
        garland report merge shard-*.json --report junit=report.xml
        garland report history nightly/*.json
      """,
    subcommands: [ReportShowCommand.self, ReportMergeCommand.self, ReportHistoryCommand.self],
    defaultSubcommand: ReportShowCommand.self)
}
