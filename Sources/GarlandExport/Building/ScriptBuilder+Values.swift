import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandWorkflow

/// Converts templates and expressions to nodes of the script.
extension ScriptBuilder {
  /// The document that defines the names in an expression.
  struct Scope {
    let workflow: Workflow
    /// The index of the document in the plan; nil if the plan contains no step of the document.
    var index: Int?
  }

  mutating func node(_ template: ValueTemplate, _ scope: Scope) -> ScriptNode {
    switch template {
    case .constant(let value, let range): literal(value, at: range)
    case .scalar(let template): node(template, scope)
    case .list(let items, _): .list(items.map { node($0, scope) })
    case .object(let members, _): .object(members.map { (text($0.key, scope), node($0.value, scope)) })
    }
  }

  /// Converts a template to a node. If the template is a single constant or expression, the value keeps its type, so that a number stays a
  /// number.
  mutating func node(_ template: Template, _ scope: Scope) -> ScriptNode {
    switch template.content {
    case .constant(let value): literal(value, at: template.range)
    case .expression(let expression): node(expression, scope)
    case .text(let pieces):
      .call(
        "text",
        pieces.map { piece in
          switch piece {
          case .literal(let text): .text(text)
          case .expression(let expression): node(expression, scope)
          }
        })
    }
  }

  /// Converts a template to a node whose value is text.
  mutating func text(_ template: Template, _ scope: Scope) -> ScriptNode {
    switch template.content {
    case .constant(.string(let text)): .text(text)
    case .constant(.number(let number)): .text(number.text)
    case .constant(.bool(let flag)): .text(flag ? "true" : "false")
    case .text: node(template, scope)
    case .constant, .expression: .call("text", [node(template, scope)])
    }
  }

  /// Converts an absolute or relative URL to a node.
  mutating func url(_ template: URLTemplate, _ scope: Scope) -> ScriptNode {
    var parts: [ScriptNode] = []
    for piece in template.pieces {
      switch piece {
      case .literal(let text): parts.append(.text(text))
      case .expression(let expression, .raw): parts.append(node(expression, scope))
      case .expression(let expression, .pathSegment), .expression(let expression, .queryComponent):
        parts.append(.call("encode", [node(expression, scope)]))
      }
    }
    if parts.count == 1, case .literal(.string) = parts[0] { return parts[0] }
    return .call("text", parts)
  }

  mutating func condition(_ setting: Setting<Bool>, _ scope: Scope) -> ScriptNode {
    switch setting.content {
    case .constant(let flag): .flag(flag)
    case .template(let template): node(template, scope)
    }
  }

  mutating func seconds(_ setting: Setting<Duration>, _ scope: Scope) -> ScriptNode {
    switch setting.content {
    case .constant(let duration): Self.seconds(duration)
    case .template(let template): .call("seconds", [node(template, scope)])
    }
  }

  static func seconds(_ duration: Duration) -> ScriptNode {
    let microseconds = Int(duration / .microseconds(1))
    guard microseconds % 1_000_000 != 0 else { return .number(microseconds / 1_000_000) }
    return .literal(.number(JSONNumber(Double(microseconds) / 1e6) ?? JSONNumber(0)))
  }

  /// Converts a value of the document to a literal of the script. Refuses a number that the script's language can't represent exactly.
  private mutating func literal(_ value: JSONValue, at range: SourceRange) -> ScriptNode {
    if let number = inexactNumber(in: value) {
      refuse(
        "the number `\(number.text)`", at: range, help: "the script would send other digits: write it as text, if the server takes that")
    }
    return .literal(value)
  }

  /// Returns a number in `value` that would lose digits in the script; nil if there is none. JavaScript's numbers are doubles, and so are
  /// Python's numbers with a fraction or an exponent.
  private func inexactNumber(in value: JSONValue) -> JSONNumber? {
    switch value {
    case .number(let number):
      let isInteger = number.text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
      if target == .locust, isInteger { return nil }
      return JSONNumber(number.doubleValue) == number ? nil : number
    case .array(let items):
      for item in items { if let number = inexactNumber(in: item) { return number } }
      return nil
    case .object(let object):
      for member in object { if let number = inexactNumber(in: member.value) { return number } }
      return nil
    case .null, .bool, .string: return nil
    }
  }

  // MARK: Expressions

  mutating func node(_ expression: Expression, _ scope: Scope) -> ScriptNode { node(expression.root, expression, scope) }

  private mutating func node(_ node: ExpressionNode, _ expression: Expression, _ scope: Scope) -> ScriptNode {
    func part(_ part: ExpressionNode, _ builder: inout ScriptBuilder) -> ScriptNode { builder.node(part, expression, scope) }
    switch node.kind {
    case .constant(let value): return literal(value, at: expression.range)
    case .variable(let index): return .call("variable", [.text(variableName(index, of: scope.workflow))])
    case .secret(_, let name): return .call("secret", [.call("env", [.text(name)])])
    case .environment(_, let name): return .call("env", [.text(name)])
    case .runID: return .call("id", [])
    case .runIteration: return .call("iteration", [])
    case .item: return .parameter("item")
    case .index: return .parameter("index")
    case .subject: return .parameter("subject")
    case .extract(_, let step, _, let name):
      return .call("value", [key(ofStep: Int(step), scope, at: expression.location(node.range)), .text(name)])
    case .response(let source, let member): return response(source, member, expression.location(node.range), scope)
    case .header(let source, let name):
      return .call("defined", [.call("header", [owner(source, expression, node, scope), part(name, &self)])])
    case .cookie(let source, let name):
      return .call("defined", [.call("cookie", [owner(source, expression, node, scope), part(name, &self)])])
    case .access(let base, let accesses):
      return accesses.reduce(part(base, &self)) { value, access in
        switch access.key {
        case .name(let name): .call("get", [value, .text(name)])
        case .index(let index): .call("get", [value, .number(index)])
        case .dynamic(let key): .call("get", [value, part(key, &self)])
        }
      }
    case .list(let items): return .list(items.map { part($0, &self) })
    case .eachIteration(_, _, let value):
      // For a step with a loop, the value of an extract is already the list.
      if case .extract = value.kind { return part(value, &self) }
      refuse("`\(expression.text(node.range))`", at: expression.location(node.range), help: "extract the value in the loop")
      return .literal(.null)
    case .not(let value): return .call("opposite", [part(value, &self)])
    case .negate(let value): return .call("minus", [.number(0), part(value, &self)])
    case .and(let one, let other): return .call("both", [.later(part(one, &self)), .later(part(other, &self))])
    case .or(let one, let other): return .call("either", [.later(part(one, &self)), .later(part(other, &self))])
    case .coalesce(let one, let other): return .call("coalesce", [.later(part(one, &self)), .later(part(other, &self))])
    case .equality(let operation, let one, let other), .comparison(let operation, let one, let other),
      .arithmetic(let operation, let one, let other):
      return .call(Self.name(of: operation), [part(one, &self), part(other, &self)])
    case .filter(let filter, let value, let arguments):
      return self.filter(filter, part(value, &self), arguments, expression, node, scope)
    case .function(let function, let arguments):
      guard [.uuid, .now, .random].contains(function) else {
        if function == .file, let path = arguments.first.flatMap(Self.writtenText) {
          return .call("file", [self.path(of: scope.workflow.directory + "/" + path, isText: true)])
        }
        refuse("`\(function.rawValue)()`", at: expression.location(node.range))
        return .literal(.null)
      }
      return .call(function.rawValue, arguments.map { part($0, &self) })
    case .input, .authentication, .streamItem, .parameter, .address:
      refuse("`\(expression.text(node.range))`", at: expression.location(node.range))
      return .literal(.null)
    }
  }

  /// Returns the text of a literal in an expression; nil for any other node.
  private static func writtenText(_ node: ExpressionNode) -> String? {
    if case .constant(.string(let text)) = node.kind { text } else { nil }
  }

  private static func name(of operation: BinaryOperator) -> String {
    switch operation {
    case .coalesce: "coalesce"
    case .or: "either"
    case .and: "both"
    case .equal: "equal"
    case .notEqual: "unequal"
    case .less: "less"
    case .lessOrEqual: "atmost"
    case .greater: "more"
    case .greaterOrEqual: "atleast"
    case .add: "plus"
    case .subtract: "minus"
    case .multiply: "times"
    case .divide: "over"
    }
  }

  private mutating func filter(
    _ filter: Filter, _ value: ScriptNode, _ arguments: [ExpressionNode], _ expression: Expression, _ node: ExpressionNode, _ scope: Scope
  ) -> ScriptNode {
    let rest = arguments.map { self.node($0, expression, scope) }
    switch filter {
    case .raw: return value
    case .string: return .call("text", [value])
    case .default: return .call("coalesce", [.later(value)] + rest.map { .later($0) })
    case .join: return .call("joined", [value] + rest)
    case .map, .filter, .sort, .unique: return .call(filter.rawValue, [value] + rest.map { .closure(["item", "index"], $0) })
    case .match:
      guard arguments.count == 1, let pattern = Self.writtenText(arguments[0]) else { break }
      return .call("defined", [.call("match", [value, self.pattern(pattern, at: expression.location(arguments[0].range))])])
    case .base64, .base64url, .base64Decode, .lower, .upper, .trim, .length, .first, .last, .split, .replace, .json, .number, .sha256, .md5,
      .hmacSHA256, .range, .parseJSON, .lines, .keys, .values:
      return .call(filter.rawValue, [value] + rest)
    case .urlencode: return .call("encode", [value])
    // A filter without a counterpart in the scripts' run time.
    default: break
    }
    refuse("the filter `\(filter.rawValue)`", at: expression.location(node.range))
    return value
  }

  private mutating func key(ofStep ordinal: Int, _ scope: Scope, at range: SourceRange) -> ScriptNode {
    guard let index = scope.index, let planned = plan.step(ordinal, of: index) else {
      refuse("a value of a step that is not exported", at: range)
      return .literal(.null)
    }
    return .text(key(of: planned))
  }

  /// Returns the script node for the step whose response an expression reads: the key of that step as text, or `null` if the expression
  /// reads the response of the step that contains the expression.
  ///
  /// A script can't contain an expression that reads an item of a stream, or the response of a step that is not exported. For such an
  /// expression, reports that the expression is not exported, and returns `null`.
  private mutating func owner(
    _ source: ExpressionNode.Source, _ expression: Expression, _ node: ExpressionNode, _ scope: Scope
  ) -> ScriptNode {
    switch source {
    case .own: return .literal(.null)
    case .step(let ordinal, _): return key(ofStep: ordinal, scope, at: expression.location(node.range))
    case .item:
      refuse("`\(expression.text(node.range))`", at: expression.location(node.range))
      return .literal(.null)
    }
  }

  private mutating func response(
    _ source: ExpressionNode.Source, _ member: ResponseMember, _ range: SourceRange, _ scope: Scope
  ) -> ScriptNode {
    guard [.status, .json, .text, .url, .time, .size].contains(member) else {
      refuse("`\(member.rawValue)` of a response", at: range)
      return .literal(.null)
    }
    switch source {
    case .own: return .call("own", [.text(member.rawValue)])
    case .step(let ordinal, _): return .call("response", [key(ofStep: ordinal, scope, at: range), .text(member.rawValue)])
    case .item(let name):
      refuse("`\(name).\(member.rawValue)`", at: range)
      return .literal(.null)
    }
  }

  // MARK: Patterns and paths

  /// Converts a regular expression. Reports a pattern that does not have the same meaning in Python, JavaScript and PCRE.
  mutating func pattern(_ pattern: String, at range: SourceRange) -> ScriptNode {
    guard let portable = PortablePattern(pattern) else {
      refuse("the pattern `\(pattern)`", at: range)
      return .literal(.null)
    }
    return .text(target == .k6 ? portable.javaScript : pattern)
  }

  mutating func pattern(_ template: PatternTemplate) -> ScriptNode {
    guard case .constant(let expression) = template.content else {
      refuse("a pattern that an expression gives", at: template.range)
      return .literal(.null)
    }
    return pattern(expression.pattern, at: template.range)
  }

  /// Converts a JSONPath to a list of its names and indexes, in which `*` selects all members or items.
  mutating func path(_ path: JSONPath, at range: SourceRange) -> ScriptNode {
    var parts: [ScriptNode] = []
    for (number, piece) in path.text.split(separator: "[*]", omittingEmptySubsequences: false).enumerated() {
      if number > 0 { parts.append(.list([.text("*")])) }
      guard let elements = (try? JSONPath(number > 0 ? "$" + piece : String(piece)))?.singularElements else {
        refuse("the JSONPath `\(path.text)`", at: range, help: "use only names, indexes and `[*]`")
        return .literal(.null)
      }
      for element in elements {
        switch element {
        case .name(let name): parts.append(.text(name))
        case .index(let index): parts.append(.number(index))
        }
      }
    }
    return .list(parts)
  }
}
