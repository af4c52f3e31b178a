public import GarlandJSON

/// The JSON Schema (draft-07) of workflow documents, for editors. It is generated from the same tables that the decoder uses.
///
/// The schema describes the structure: the keys and their values. `garland check` finds the mistakes that only the whole document shows:
/// names, references, paths.
public enum WorkflowSchema {
  /// The JSON Schema of workflow documents.
  public static let document: JSONValue = SchemaWriter().document()

  /// The JSON Schema of project files.
  public static let project: JSONValue = SchemaWriter().project()

  /// The JSON Schema of quarantine lists.
  public static let quarantine: JSONValue = SchemaWriter().quarantine()

  /// The schema of quarantine lists as text: the content of the file `schemas/quarantine.schema.json`.
  public static var quarantineText: String { quarantine.jsonText(options: .pretty) + "\n" }

  /// The schema of project files as text: the content of the file `schemas/project.schema.json`.
  public static var projectText: String { project.jsonText(options: .pretty) + "\n" }

  /// The schema of documents as text: the content of the file `schemas/workflow.schema.json`.
  public static var text: String { document.jsonText(options: .pretty) + "\n" }
}
