import ArgumentParser

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Re-render a run from its JSON report, merge shards, or compare many runs.",
    discussion: """
      Examples:
        garland report result.json
        garland report result.json --report junit=report.xml --quiet
        garland report merge shard-*.json --report junit=report.xml
        garland report history nightly/*.json

      Nothing is sent. `garland run … --report json=FILE` writes the reports, on this
      or another machine.
      """,
    subcommands: [ReportShowCommand.self, ReportMergeCommand.self, ReportHistoryCommand.self],
    defaultSubcommand: ReportShowCommand.self)
}
