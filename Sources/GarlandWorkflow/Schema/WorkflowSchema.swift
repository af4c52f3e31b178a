public import GarlandJSON

/// The JSON Schema (draft-07) of workflow documents, as editors read it, made of the same tables
/// that the decoder reads by.
///
/// It describes structure: the keys, and their values. Mistakes that only the whole document shows
/// (names, references, paths) are found by `garland check`.
public enum WorkflowSchema {
  /// The schema.
  public static let document: JSONValue = SchemaWriter().document()

  /// The schema of project files.
  public static let project: JSONValue = SchemaWriter().project()

  /// The schema of quarantine lists.
  public static let quarantine: JSONValue = SchemaWriter().quarantine()

  /// The schema of quarantine lists as the file `schemas/quarantine.schema.json` has it.
  public static var quarantineText: String { quarantine.jsonText(options: .pretty) + "\n" }

  /// The schema of project files as the file `schemas/project.schema.json` has it.
  public static var projectText: String { project.jsonText(options: .pretty) + "\n" }

  /// The schema as the file `schemas/workflow.schema.json` has it.
  public static var text: String { document.jsonText(options: .pretty) + "\n" }
}
