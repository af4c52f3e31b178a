import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import Testing

@testable import GarlandWorkflow

/// Documents for the tests, in a few lines of YAML.
struct Sample {
  let workflows: [Workflow]

  init(_ texts: String...) throws {
    self.init(files: texts.enumerated().map { ($0 == 0 ? "test.yaml" : "test\($0 + 1).yaml", $1) })
  }

  init(files: [(name: String, text: String)]) {
    workflows = files.map { Mini(name: $0.name, text: $0.text).workflow() }
  }

  func result() -> Planner.Result { Planner(workingDirectory: "/project").plan(workflows) }

  func plan() throws -> Plan { try #require(result().plan) }

  static func plan(_ texts: String...) throws -> Plan {
    try #require(
      Sample(files: texts.enumerated().map { ($0 == 0 ? "test.yaml" : "test\($0 + 1).yaml", $1) }).result().plan)
  }
}

private final class Mini {
  let file: SourceFile
  let lines: [(offset: Int, text: String)]
  init(name: String, text: String) {
    file = SourceFile(name: name, bytes: Array(text.utf8))
    var offset = 0
    var lines: [(Int, String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append((offset, String(line)))
      offset += line.utf8.count + 1
    }
    self.lines = lines
  }
  func range(_ start: Int, _ count: Int) -> SourceRange { SourceRange(file, start..<start + count) }

  func workflow() -> Workflow {
    var order = Workflow.Order.dependencies
    var name: Located<String>?
    var base: URLTemplate?
    var bearer: (String, Int)?
    var ids: [(String, Int, [(key: String, value: String, at: Int)])] = []
    for (offset, line) in lines {
      if line.hasPrefix("order: file") { order = .file }
      if line.hasPrefix("name: ") { name = Located(String(line.dropFirst(6)), at: range(offset + 6, line.utf8.count - 6)) }
      if line.hasPrefix("defaults: {base_url: ") {
        let text = String(line.dropFirst(21).dropLast())
        base = url(text, offset + 21)
      }
      if line.hasPrefix("defaults: {bearer: \"") { bearer = (String(line.dropFirst(20).dropLast(2)), offset + 20) }
      if line.hasPrefix("    "), let colon = line.firstIndex(of: ":") {
        let key = String(line[..<colon].dropFirst(4))
        let value = String(line[colon...].dropFirst(2))
        ids[ids.count - 1].2.append((key, value, offset + line.utf8.count - value.utf8.count))
      } else if line.hasPrefix("  "), line.contains(":") {
        let id = String(line.dropFirst(2).prefix { $0 != ":" })
        ids.append((id, offset + 2, []))
        if let brace = line.firstIndex(of: "{") {
          let inner = line[line.index(after: brace)...].dropLast()
          var start = offset + line[..<brace].utf8.count + 1
          for part in inner.split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            let colon = trimmed.firstIndex(of: ":") ?? trimmed.startIndex
            let value = String(trimmed[colon...].dropFirst(2))
            ids[ids.count - 1].2.append((String(trimmed[..<colon]), value, start + part.utf8.count - value.utf8.count))
            start += part.utf8.count + 1
          }
        }
      }
    }
    let ordinals = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1.0, $0) })
    var steps: [Step] = []
    for (ordinal, (id, at, keys)) in ids.enumerated() {
      var references: [StepReference] = []
      func refer(_ text: String, _ start: Int, _ key: String, isDefault: Bool = false) {
        var rest = text[...]
        while let open = rest.range(of: "${"), let close = rest[open.upperBound...].firstIndex(of: "}") {
          let source = rest[open.upperBound..<close]
          let name = source.prefix { $0 != " " }
          let parts = name.split(separator: ".").map(String.init)
          if let target = ordinals[parts[0]] {
            references.append(
              StepReference(
                target: target, member: .response(.json), name: parts.dropFirst().joined(separator: "."),
                range: range(start + text[..<open.upperBound].utf8.count, name.utf8.count), isOptional: source.contains("??"),
                place: StepReference.Place(key: key, isDefault: isDefault)))
          }
          rest = rest[close...]
        }
      }
      var after: [StepFlow.After] = []
      var cleanup: StepFlow.Cleanup?
      var always = false
      var mayFail = false
      var tags: [String] = []
      var description: String?
      var request = RequestTemplate(method: Located("GET", at: range(at, 0)), url: url("/\(id)", at))
      request.baseURL = base
      for (key, value, start) in keys {
        switch key {
        case "get", "put", "post", "delete", "patch", "head":
          request = RequestTemplate(
            method: Located(key.uppercased(), at: range(start - key.utf8.count - 2, key.utf8.count)), url: url(value, start))
          request.baseURL = base
          refer(value, start, "url")
        case "after":
          if value.hasPrefix("{") {
            let name = String(value.dropFirst().prefix { $0 != ":" })
            after.append(StepFlow.After(step: ordinals[name] ?? 0, condition: .ended, range: range(start + 1, name.utf8.count)))
          } else if value.hasPrefix("[") {
            for name in value.dropFirst().dropLast().split(separator: ",").map({ String($0.drop { $0 == " " }) }) {
              after.append(StepFlow.After(step: ordinals[name] ?? 0, condition: .passed, range: range(start, value.utf8.count)))
            }
          } else {
            after.append(StepFlow.After(step: ordinals[value] ?? 0, condition: .passed, range: range(start, value.utf8.count)))
          }
        case "cleanup": cleanup = StepFlow.Cleanup(step: ordinals[value] ?? 0, range: range(start, value.utf8.count))
        case "always": always = true
        case "allow_failure": mayFail = true
        case "description": description = value
        case "tags": tags = value.dropFirst().dropLast().split(separator: ",").map { String($0.drop { $0 == " " }) }
        case "download":
          let path = String(value.dropFirst(5).prefix { $0 != "," && $0 != "}" })
          request.download = DownloadTemplate(
            to: Template(.constant(.string(path)), at: range(start + 5, path.utf8.count)), usesSuggestedName: false,
            replace: value.contains("replace: true") ? Setting(.constant(true), at: range(start, 1)) : nil, createDirs: nil,
            range: range(start, value.utf8.count))
        case "body":
          let path = String(value.dropFirst(7).dropLast())
          request.body = BodyTemplate(
            kind: .file(FileTemplate(path: Template(.constant(.string(path)), at: range(start + 7, path.utf8.count)), resolved: nil)),
            key: Located("body", at: range(start - 6, 4)), isDefault: false)
        default: refer(value, start, key)
        }
      }
      if let bearer, !keys.contains(where: { $0.key == "bearer" || $0.key == "auth" }) {
        refer(bearer.0, bearer.1, "defaults.bearer", isDefault: true)
      }
      steps.append(
        Step(
          id: id, idRange: range(at, id.utf8.count), range: SourceRange(file, at..<file.bytes.count), ordinal: ordinal,
          description: description,
          tags: tags, action: .request(request), expectations: [], extractions: [],
          flow: StepFlow(after: after, always: always, cleanup: cleanup, allowFailure: mayFail), references: references, inputs: [],
          neededByItself: [], neededByOthers: []))
    }
    return Workflow(
      file: file, directory: "/project", name: name, description: nil, order: order, variables: [], variableOrder: [], secrets: [],
      environmentVariables: [], profiles: [], steps: steps, ordinals: ordinals)
  }

  func url(_ text: String, _ start: Int) -> URLTemplate {
    var pieces: [URLTemplate.Piece] = []
    var rest = text[...]
    while let open = rest.range(of: "${"), let close = rest[open.upperBound...].firstIndex(of: "}") {
      if open.lowerBound > rest.startIndex { pieces.append(.literal(String(rest[..<open.lowerBound]))) }
      pieces.append(
        .expression(
          Expression(
            range: range(start, 1), source: String(rest[open.upperBound..<close]),
            root: ExpressionNode(.constant(.plain(.null)), at: range(0, 0)),
            steps: [], inputs: [], ownNeeds: []), .pathSegment))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
    return URLTemplate(pieces: pieces, source: text, range: range(start, text.utf8.count))
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
