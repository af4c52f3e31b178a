import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow
import Testing

/// Documents for tests in a short form, which ``Shorthand`` expands.
struct Sample {
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  /// A file system in which every file exists, except for those in the folder `none`.
  struct AllFiles: WorkflowFiles {
    func kind(of path: String) -> WorkflowFileKind { path.contains("/none/") ? .missing : path.contains(".") ? .file : .folder }
    func resolve(_ path: String) -> String? { path }
    func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] { [] }
  }

  let workflows: [Workflow]

  init(files: [(name: String, text: String)], isWrittenOut: Bool = false) throws {
    let access = FileAccess(AllFiles(), roots: ["/project"])
    workflows = try files.map { name, text in
      let bytes = Array((isWrittenOut ? text : Shorthand.writtenOut(text)).utf8)
      let (workflow, diagnostics) = WorkflowDecoder.decode(name: name, bytes: bytes, directory: "/project", options: .init(files: access))
      guard let workflow else { throw Refused(description: plainText(diagnostics)) }
      return workflow
    }
  }

  func result() -> Planner.Result { Planner(workingDirectory: "/project").plan(workflows) }

  func plan() throws -> Plan { try #require(result().plan) }

  static func plan(_ texts: String...) throws -> Plan {
    try Sample(files: texts.enumerated().map { ($0 == 0 ? "test.yaml" : "test\($0 + 1).yaml", $1) }).plan()
  }
}

/// Expands the short form of documents for tests.
///
/// The form has no `garland: 1`, writes a step on one line without YAML's quotes, uses `${a.id}` for the member `id` of the JSON from step
/// `a`, and `headers: X` for a header with that value. A document without a base URL gets one.
enum Shorthand {
  static func writtenOut(_ text: String) -> String {
    var lines = ["garland: 1"]
    if !text.contains("base_url") {
      if text.contains("defaults: {") {
        lines.append("")
      } else {
        lines.append("defaults: {base_url: http://h}")
      }
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("defaults: {bearer") {
        lines[lines.count - 1] = "defaults:\n  base_url: http://h"
        lines.append("  " + entry(String(line.dropFirst("defaults: {".count).dropLast())))
      } else if line.hasPrefix("  "), !line.hasPrefix("   "), let brace = line.firstIndex(of: "{"), line.hasSuffix("}") {
        lines.append(String(line[..<brace]).trimmingEnd())
        lines += parts(line[line.index(after: brace)...].dropLast()).map { "    " + entry($0) }
      } else if line.hasPrefix("    ") {
        lines.append("    " + entry(String(line.dropFirst(4))))
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Splits a text at commas that are not within brackets.
  private static func parts(_ text: Substring) -> [String] {
    var result = [""]
    var depth = 0
    for character in text {
      if character == "{" || character == "[" { depth += 1 }
      if character == "}" || character == "]" { depth -= 1 }
      if character == ",", depth == 0 { result.append("") } else { result[result.count - 1].append(character) }
    }
    return result.map { String($0.drop { $0 == " " }) }
  }

  private static func entry(_ text: String) -> String {
    guard let colon = text.firstIndex(of: ":"), !text.hasPrefix("#") else { return text }
    let key = text[..<colon]
    var value = String(text[colon...].dropFirst().drop { $0 == " " })
    if value.hasPrefix("\"") || value.hasPrefix("'") { value = String(value.dropFirst().dropLast()) }
    value = members(value)
    if value.contains("${") || value.contains("#") { value = "\"\(value)\"" }
    return key == "headers" ? "headers: {X-Test: \(value)}" : "\(key): \(value)"
  }

  /// Expands `${a.id` to `${a.json.id`.
  private static func members(_ text: String) -> String {
    let pieces = text.split(separator: "${", omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      let name = piece.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard index > 0, piece.dropFirst(name.count).first == "." else { return String(piece) }
      return name + ".json" + piece.dropFirst(name.count)
    }.joined(separator: "${")
  }
}

extension String {
  fileprivate func trimmingEnd() -> String {
    guard let end = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[...end])
  }
}
