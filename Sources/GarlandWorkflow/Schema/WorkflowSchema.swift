import GarlandJSON

/// The JSON Schema (draft-07) of workflow documents, for editors. It is generated from the tables that the decoder uses.
///
/// The schema describes the keys and their possible values. Mistakes that depend on the whole document, such as wrong names, references and
/// paths, are found by `garland check`.
public enum WorkflowSchema {
  /// The JSON Schema of workflow documents.
  static let document: JSONValue = SchemaWriter().document()

  /// The JSON Schema of project files.
  static let project: JSONValue = SchemaWriter().project()

  /// The JSON Schema of lists of quarantined steps.
  static let quarantine: JSONValue = SchemaWriter().quarantine()

  /// The schema of lists of quarantined steps as text. The file `schemas/quarantine.schema.json` has this content.
  public static var quarantineText: String { quarantine.jsonText(options: .pretty) + "\n" }

  /// The schema of project files as text. The file `schemas/project.schema.json` has this content.
  public static var projectText: String { project.jsonText(options: .pretty) + "\n" }

  /// The schema of workflow documents as text. The file `schemas/workflow.schema.json` has this content.
  public static var text: String { document.jsonText(options: .pretty) + "\n" }
}
