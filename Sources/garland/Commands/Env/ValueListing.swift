import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandRunner
import GarlandWorkflow

/// The values of variables, secrets and the environment before a run, with their sources.
struct ValueListing {
  /// A displayed value, with its name and its source.
  private struct Row: Hashable {
    /// The value's name, such as `vars.base`, `secrets.TOKEN` or `env.HOME`.
    let name: String
    /// The displayed value; nil if the variable, secret or environment variable has no value.
    let value: String?
    let source: String
  }

  private static let mask = "***"

  /// For each document, the rows to show with its values. Rows in ``common`` are not included.
  private var documents: [(name: String, rows: [Row])] = []
  /// The rows that at least two documents have in common, and that are therefore shown only once. If a name has several values in the
  /// documents, only the row with the most frequent value is included.
  private var common: [Row] = []
  private let redactor: Redactor

  init(_ plan: Plan, _ variables: VariableListing, _ workspace: Workspace) {
    redactor = workspace.redactor
    for (index, workflow) in plan.workflows.enumerated() {
      var rows = variables.values(of: index).map { variable, value in
        Row(name: "vars.\(variable.name)", value: Self.text(value), source: Self.source(of: variable, value))
      }
      rows += workflow.secrets.map { Self.row(of: $0, workspace) }
      rows += workflow.environmentVariables.sorted().map { Self.row(ofEnvironment: $0, workspace) }
      documents.append((workflow.file.name, rows))
    }
    guard documents.count > 1 else { return }
    var counts: [Row: Int] = [:]
    var names: [String] = []
    for row in documents.flatMap(\.rows) {
      counts[row, default: 0] += 1
      if !names.contains(row.name) { names.append(row.name) }
    }
    common = names.compactMap { name in
      counts.filter { $0.key.name == name && $0.value > 1 }.max { ($0.value, $1.key.source) < ($1.value, $0.key.source) }?.key
    }
    let shared = Set(common)
    for index in documents.indices { documents[index].rows.removeAll(where: shared.contains) }
  }

  // MARK: Rows

  private static func text(_ value: Result<Value, EvaluationError>) -> String? {
    switch value {
    case .success(.secret): return mask
    case .success(let value):
      guard case .string(let text) = value.json else { return value.json.jsonText() }
      return text
    case .failure: return nil
    }
  }

  private static func source(of variable: Variable, _ value: Result<Value, EvaluationError>) -> String {
    let place =
      switch variable.origin {
      case .project, .document: "\(variable.nameRange)"
      case .profile(let name): "\(variable.nameRange) (profile \(name))"
      case .file(let name): name
      case .commandLine: variable.nameRange.file.name
      }
    guard case .failure(let error) = value else { return place }
    return "\(place): \(error.diagnostic.message)"
  }

  private static func row(of secret: SecretDeclaration, _ workspace: Workspace) -> Row {
    let name = "secrets.\(secret.name)"
    if workspace.secrets[secret.name] != nil {
      return Row(name: name, value: mask, source: workspace.secretSources[secret.name] ?? "")
    }
    let row = row(ofEnvironment: secret.name, workspace)
    guard let value = row.value else { return Row(name: name, value: nil, source: row.source) }
    guard !value.isEmpty else { return Row(name: name, value: nil, source: "\(row.source): an empty text") }
    return Row(name: name, value: mask, source: row.source)
  }

  private static func row(ofEnvironment name: String, _ workspace: Workspace) -> Row {
    if let value = workspace.environment[name] { return Row(name: "env.\(name)", value: value, source: "environment") }
    if let entry = workspace.environmentFiles.entries[name] { return Row(name: "env.\(name)", value: entry.text, source: entry.place) }
    return Row(name: "env.\(name)", value: nil, source: "not set")
  }

  // MARK: Output

  /// The values as text: first the values that all documents have in common, then for each document its other values.
  var table: StyledText {
    var text = StyledText()
    let areSame = documents.allSatisfy(\.rows.isEmpty)
    if !common.isEmpty { text += section(areSame ? "all documents" : "all documents, unless one below overrides it", common) }
    for document in documents where !document.rows.isEmpty {
      if !text.isEmpty { text += "\n" }
      text += section(document.name, document.rows)
    }
    return text
  }

  private func section(_ name: String, _ rows: [Row]) -> StyledText {
    // A secret is masked before its row is laid out.
    func line(_ text: String) -> String { DisplayText.visible(redactor.redact(text)) }
    let nameWidth = rows.map { DisplayWidth.of(line($0.name)) }.max() ?? 0
    let valueWidth = min(48, rows.map { DisplayWidth.of(line($0.value ?? "—")) }.max() ?? 0)
    var text: StyledText = "\(line(name), .emphasis)\n"
    for row in rows {
      text += "  \(StyledText(line(row.name), .key).padded(to: nameWidth))  "
      text += StyledText(line(row.value ?? "—")).padded(to: valueWidth)
      text += "  \(line(row.source), .dim)\n"
    }
    return text
  }

  /// The values as a JSON array of objects with the members `document`, `name`, `value` and `source`.
  ///
  /// An object whose `document` is null applies to every document that has no object of its own with the same `name`.
  var json: String {
    func value(_ row: Row, _ document: String?) -> JSONValue {
      .object([
        "document": document.map { .string($0) } ?? .null, "name": .string(row.name),
        "value": row.value.map { .string(redactor.redact($0)) } ?? .null, "source": .string(redactor.redact(row.source)),
      ])
    }
    let rows = common.map { value($0, nil) } + documents.flatMap { document in document.rows.map { value($0, document.name) } }
    return JSONValue.array(rows).jsonText(options: .pretty)
  }
}
