import GarlandDiagnostics
import GarlandJSON

/// Compiles references to responses, such as `login.status`.
extension ExpressionCompiler {
  /// Compiles a reference to a part of a step's response, such as `login.status`, or to one of its extracts.
  mutating func compileResponse(
    _ source: ExpressionNode.Source, name root: String, _ range: Range<Int>, _ rest: inout ArraySlice<SyntaxNode>
  ) throws(Refused) -> Typed {
    if case .own = source, !scope.hasResponse {
      throw refuse(
        .undefinedName, "`response` is not available here", at: range,
        help: scope.stream.map { "the \($0.itemName) that has just arrived is `\($0.itemName)`" }
          ?? "`response` exists in `expect` and `extract`; for the response of another step, write `STEP.json`, `STEP.status` and so on")
    }
    guard let member = try takeName(&rest) else { return try compileName(root, range) }
    let whole = range.lowerBound..<member.end
    var ordinal: Int?
    if case .step(let step, _) = source { ordinal = step }
    let owner = ordinal ?? scope.step
    func extracts() -> [String] { owner.map { names.extracts(of: $0).map(\.name) } ?? [] }
    let stepKind = owner.map(names.owner) ?? .request
    // In a step that reads a stream, the name of the list of items, such as `events`, cannot be the name of an extract.
    if let index = owner.flatMap({ names.extract(member.name, of: $0) }),
      StreamFormat(rawValue: member.name).map({ stepKind != .stream($0) }) ?? true
    {
      return try compileExtract(index, member.name, member.range, of: source, ordinal, root, whole)
    }
    if let ordinal, names.kinds.calls.contains(ordinal) { throw unknownOutput(member.name, member.range, root, ordinal, extracts()) }
    if let ordinal, stepKind == .listening, member.name == ResponseMember.url.rawValue {
      return try compileAddress(of: ordinal, name: root, member.name, whole)
    }
    guard let part = ResponseMember(rawValue: member.name), part.isThere(for: stepKind) else {
      let advice = stepKind == .request ? bodyAdvice(member.name, root, step: ordinal) : ""
      // The extracts of the step itself do not exist yet.
      throw unknownMember(member.name, member.range, root, ordinal == nil ? [] : extracts(), stepKind, advice)
    }
    if let ordinal {
      names.neededByOthers[ordinal].insert(part.needs)
      if part == .json { names.jsonNeededByOthers[ordinal, default: .paths([])].add(names.kinds.hasLoop[ordinal] ? [] : Self.path(rest)) }
      addStep(ordinal, .response(part), member.name, whole)
    } else {
      ownNeeds.insert(part.needs)
    }
    guard part == .headers || part == .cookies || part == .query, let key = rest.first else {
      return forEach(source, Typed(node: ExpressionNode(.response(source, part), at: whole), kinds: part.kinds))
    }
    rest.removeFirst()
    return try compileField(part, of: source, key, whole, range)
  }

  /// Reports an undefined name that probably means one of the following:
  /// - a part of the response, such as `status` instead of `response.status`
  /// - the items of a stream, such as `lines` instead of `b.lines`, if `b` is the only other step that reads a stream of this kind
  /// - a single item of a stream, such as `event`, which this expression cannot use
  ///
  /// Returns nil, without an error, for any other name. Also returns nil if the name is similar to the id of a step, or if the expression
  /// is evaluated before all steps.
  mutating func misplacedPart(_ name: String, _ range: Range<Int>) -> Refused? {
    guard !scope.isBeforeSteps, Suggestion.nearest(to: name, in: names.stepIDs) == nil else { return nil }
    let owner = scope.step.map(names.owner) ?? .request
    if scope.hasResponse, let part = ResponseMember(rawValue: name), part.isThere(for: owner) {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "a part of the response is `response.\(name)`",
        replacement: "response.\(name)")
    }
    if let format = StreamFormat(rawValue: name) {
      let readers = names.stepIDs.indices.filter { $0 != scope.step && names.owner(of: $0) == .stream(format) }
      guard let reader = readers.first, readers.count == 1 else { return nil }
      let value = "\(names.stepIDs[reader]).\(name)"
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "the \(name) of `\(names.stepIDs[reader])` are `\(value)`",
        replacement: value)
    }
    guard let format = StreamFormat.allCases.first(where: { $0.itemName == name }) else { return nil }
    if let stream = scope.stream {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "the current \(stream.itemName) is `\(stream.itemName)`",
        replacement: stream.itemName)
    }
    let list = scope.hasResponse && owner == .stream(format) ? "; the list of all \(format.rawValue) is `response.\(format.rawValue)`" : ""
    return refuse(.undefinedName, "`\(name)` is not available here", at: range, help: "`\(name)` exists in \(format.placesOfItem)\(list)")
  }

  /// Compiles a reference to an extract of a step: `login.token`.
  private mutating func compileExtract(
    _ index: Int, _ name: String, _ nameRange: Range<Int>, of source: ExpressionNode.Source, _ step: Int?, _ root: String,
    _ range: Range<Int>
  ) throws(Refused) -> Typed {
    guard let step else {
      throw refuse(
        .undefinedName, "`\(name)` can't be used here, because it is extracted only after the response has been checked", at: nameRange,
        help: "read the value from the response, such as `response.json`")
    }
    names.useExtract(index, of: step)
    names.neededByOthers[step].insert(.extracts)
    addStep(step, .extract(index), name, range)
    let node = ExpressionNode(.extract(Int32(clamping: index), step: Int32(clamping: step), id: root, name: name), at: range)
    return forEach(source, Typed(node: node, kinds: names.kinds(ofExtract: index, of: step)))
  }

  /// Reports the name of an output that the called document does not have. Reports nothing if the called document can't be read, since its
  /// outputs are then unknown.
  private mutating func unknownOutput(
    _ name: String, _ range: Range<Int>, _ root: String, _ step: Int, _ outputs: [String]
  ) -> Refused {
    guard !names.kinds.unreadableCalls.contains(step) else { return Refused() }
    let near = Suggestion.nearest(to: name, in: outputs)
    return refuse(
      .undefinedMember, "the call `\(root)` has no output `\(name)`", at: range,
      help: near.map { "did you mean `\($0)`?" }
        ?? (outputs.isEmpty
          ? "the called document has no `outputs`"
          : "the called document has the output\(outputs.count == 1 ? "" : "s") \(Words.list(outputs))"),
      replacement: near)
  }

  /// Compiles a reference to a header field, cookie or query parameter, such as `login.headers.etag`.
  ///
  /// - Parameter range: the source range of the word before the name: `headers`, `cookies` or `query`.
  private mutating func compileField(
    _ part: ResponseMember, of source: ExpressionNode.Source, _ key: SyntaxNode, _ range: Range<Int>, _ start: Range<Int>
  ) throws(Refused) -> Typed {
    let name = try name(key, of: range)
    let kind: ExpressionNode.Kind =
      switch part {
      case .headers: .header(source, name: name)
      case .query: .parameter(source, name: name)
      default: .cookie(source, name: name)
      }
    let node = ExpressionNode(kind, at: start.lowerBound..<key.range.upperBound)
    return forEach(source, Typed(node: node, kinds: part == .cookies ? .text : [.text, .list]))
  }

  /// Compiles the name of a header field, cookie or query parameter. The name may be an expression.
  ///
  /// - Parameters:
  ///   - key: the part of the expression that contains the name.
  ///   - range: the source range of the word before the name, such as `headers`.
  private mutating func name(_ key: SyntaxNode, of range: Range<Int>) throws(Refused) -> ExpressionNode {
    switch try self.key(of: key) {
    case .name(let name): return ExpressionNode(.constant(.string(name)), at: Self.keyRange(of: key))
    case .dynamic(let node): return node
    case .index(let index):
      throw refuse(
        .wrongType, "`\(text(range))` is a mapping, not a list, so it has no item \(index)", at: Self.keyRange(of: key),
        help: "select a header field by its name: `.Content-Type`")
    }
  }

  /// Compiles a reference to the URL at which a step listens. The URL is known before the listening step runs, so a step that uses the URL
  /// does not wait for the listening step.
  private mutating func compileAddress(of step: Int, name: String, _ member: String, _ range: Range<Int>) throws(Refused) -> Typed {
    if scope.step == step {
      throw refuse(
        .undefinedMember, "`\(text(range))` is known only after a request has been received", at: range,
        help: "the requested URL is available in `expect` and `extract`")
    }
    addStep(step, .address, member, range)
    return Typed(node: ExpressionNode(.address(step: step, id: name), at: range), kinds: names.kinds.hasLoop[step] ? .list : .text)
  }

  /// Returns the JSONPath elements for the keys at the start of `parts`. The result ends before the first key that is a negative index, or
  /// that is not a constant.
  private static func path(_ parts: ArraySlice<SyntaxNode>) -> [JSONPathElement] {
    var path: [JSONPathElement] = []
    for part in parts {
      switch part.kind {
      case .member(_, let name, _): path.append(.name(name))
      case .element(_, let index):
        guard case .literal(let key) = index.kind else { return path }
        if case .string(let name) = key {
          path.append(.name(name))
        } else if case .number(let number) = key, let index = number.intValue, index >= 0 {
          path.append(.index(index))
        } else {
          return path
        }
      default: return path
      }
    }
    return path
  }

  /// Returns the given expression if the step has no loop. For a step with a loop, returns an expression whose value is a list: the value
  /// of the given expression for each item of the loop.
  private func forEach(_ source: ExpressionNode.Source, _ typed: Typed) -> Typed {
    guard case .step(let ordinal, let id) = source, names.kinds.hasLoop[ordinal] else { return typed }
    return Typed(node: ExpressionNode(.eachIteration(step: ordinal, id: id, typed.node), at: typed.node.range), kinds: .list)
  }

  private mutating func addStep(_ ordinal: Int, _ member: StepReference.Member, _ name: String, _ range: Range<Int>) {
    steps.append(
      ExpressionStepUse(target: ordinal, member: member, name: name, range: locator.range(range), isOptional: isOptional))
  }

  /// Compiles a reference to a part of the current stream item, such as `event.data`.
  mutating func compileStreamItem(
    _ stream: StreamFormat, _ range: Range<Int>, _ rest: inout ArraySlice<SyntaxNode>
  ) throws(Refused) -> Typed {
    let members = stream.members.map(\.rawValue)
    guard let part = try takeName(&rest) else {
      throw refuse(
        .undefinedName, "`\(stream.itemName)` can't be used as a value", at: range,
        help: "write a member, such as `\(stream.itemName).json`; the members are \(Words.list(members))")
    }
    guard let member = StreamItemMember(rawValue: part.name), stream.members.contains(member) else {
      let near = Suggestion.nearest(to: part.name, in: members)
      throw refuse(
        .undefinedMember, "`\(stream.itemName)` has no member `\(part.name)`", at: part.range,
        help: near.map { "did you mean `\($0)`?" } ?? "it has \(Words.list(members))", replacement: near)
    }
    if member == .headers, let key = rest.first {
      rest.removeFirst()
      let header = ExpressionNode.Kind.header(.item(name: stream.itemName), name: try name(key, of: range.lowerBound..<part.end))
      return Typed(node: ExpressionNode(header, at: range.lowerBound..<key.range.upperBound), kinds: [.text, .list])
    }
    return Typed(
      node: ExpressionNode(.streamItem(member, name: stream.itemName), at: range.lowerBound..<part.end), kinds: member.kinds)
  }

  /// Returns advice for an unknown name after `response.` or `STEP.`. The name is probably a member of the JSON body: some other tools
  /// write only the name, but Garland needs `json.` before the name.
  private func bodyAdvice(_ name: String, _ root: String, step: Int?) -> String {
    guard ReservedNames.isName(name), !name.contains("-") else { return "" }
    let read = "for a member of the JSON body, write `\(root).json.\(name)`"
    guard let step else { return read + "; " }
    let extract = "add `extract: { \(name): $.\(name) }` to `\(root)`"
    return (names.kinds.hasLoop[step] ? "for a member of the JSON body, \(extract)" : "\(read), or \(extract)") + "; "
  }

  private mutating func unknownMember(
    _ name: String, _ range: Range<Int>, _ root: String, _ extracts: [String], _ owner: ResponseMember.Owner, _ bodyAdvice: String
  ) -> Refused {
    let members = ResponseMember.allCases.filter { $0.isThere(for: owner) }.map(\.rawValue)
    let own = extracts.isEmpty ? "" : "`\(root)` has the extract\(extracts.count == 1 ? "" : "s") \(Words.list(extracts)); "
    let near = Suggestion.nearest(to: name, in: extracts.filter(ReservedNames.isName) + members)
    let aliases = [
      "body": "`\(root).json` or `\(root).text`", "header": "`\(root).headers.NAME`", "code": "`\(root).status`",
      "statusCode": "`\(root).status`",
      "duration": "`\(root).time`", "data": "`\(root).json`", "response": "`\(root).json`, `\(root).status` and so on",
    ]
    var help = near.map { "did you mean `\($0)`?" } ?? aliases[name].map { "write \($0)" }
    if case .stream(let stream) = owner, ["json", "text", "body", "data"].contains(name) {
      return refuse(
        .undefinedMember, "`\(root)` has no `\(name)`: the response is read as a stream, and its body is not kept", at: range,
        help: "to read the stream, write `${\(root).\(stream.rawValue)\(stream.valueExample)}`")
    }
    if let stream = StreamFormat(rawValue: name) {
      return refuse(
        .undefinedMember, "`\(root)` has no `\(name)`, because the step does not read a stream of \(stream.rawValue)", at: range,
        help: stream.advice)
    }
    if help == nil {
      help = bodyAdvice + own + "\(owner == .listening ? "a request that `listen` waits for" : "every response") has \(Words.list(members))"
    }
    if owner == .listening, ResponseMember(rawValue: name) != nil {
      return refuse(.undefinedMember, "`\(root)` is a received request, so it has no `\(name)`", at: range, help: help)
    }
    return refuse(.undefinedMember, "`\(root)` has no member `\(name)`", at: range, help: help, replacement: near)
  }
}

extension ResponseMember {
  /// The possible kinds of the value of this response member.
  var kinds: ValueKinds {
    switch self {
    case .status, .time, .size, .attempts: .number
    case .headers, .cookies, .query: .mapping
    case .text, .url, .version, .method: .text
    case .redirects, .items: .list
    case .json: .any
    }
  }
}
