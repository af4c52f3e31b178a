import ArgumentParser
import GarlandWorkflow
import Glibc

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of workflow documents, or of project files, for editors.",
    discussion: """
      Examples:
        garland schema > workflow.schema.json
        garland schema --project > project.schema.json

      With it editors complete keys and show what they mean. For those that use
      yaml-language-server, begin each document with
        # yaml-language-server: $schema=./workflow.schema.json
      """)

  @Flag(name: .long, help: "The schema of project files, garland.project.yaml.")
  var project = false

  func run() throws {
    try CommandOutput.writeAll(Array((project ? WorkflowSchema.projectText : WorkflowSchema.text).utf8), to: STDOUT_FILENO)
  }
}
