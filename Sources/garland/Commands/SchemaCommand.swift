import ArgumentParser
import GarlandWorkflow
import Glibc

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of workflow documents, project files or quarantine lists, for editors.",
    discussion: """
      Examples:
        garland schema > workflow.schema.json
        garland schema --project > project.schema.json
        garland schema --quarantine > quarantine.schema.json

      Editors use the schema to complete keys and to show their descriptions.
      For editors with yaml-language-server, begin each document with
        # yaml-language-server: $schema=./workflow.schema.json
      """)

  @Flag(name: .long, help: "The schema of project files, garland.project.yaml.")
  var project = false

  @Flag(name: .long, help: "The schema of quarantine lists, quarantine.yaml.")
  var quarantine = false

  func validate() throws {
    if project, quarantine { throw ValidationError("--project and --quarantine can't be combined: give one of them.") }
  }

  func run() throws {
    let text = project ? WorkflowSchema.projectText : quarantine ? WorkflowSchema.quarantineText : WorkflowSchema.text
    try CommandOutput.writeAll(Array(text.utf8), to: STDOUT_FILENO)
  }
}
