import GarlandDiagnostics

extension ExpressionCompiler {
  /// The predefined names with which an expression can begin. Any other name at the beginning of an expression must be the name of a step
  /// or a document.
  static let roots = ["vars", "inputs", "env", "secrets", "auth", "run", "response", "item", "index"]

  /// The names that steps must not have, since they have another meaning at the beginning of an expression.
  static let meanings = NameSet(roots + ["true", "false", "null"])

  /// Compiles an expression that is a single name, such as `item`.
  mutating func compileName(_ name: String, _ range: Range<Int>) throws(Refused) -> Typed {
    if let stream = scope.stream, name == stream.itemName {
      var rest: ArraySlice<SyntaxNode> = []
      return try compileStreamItem(stream, range, &rest)
    }
    switch name {
    case "item", "index":
      try checkItem(name, range)
      return name == "item"
        ? Typed(node: ExpressionNode(.item, at: range), kinds: itemDepth == 0 ? scope.loopItems?.kinds ?? .any : .any)
        : Typed(node: ExpressionNode(.index, at: range), kinds: .number)
    case "vars", "env", "secrets", "auth", "run", "response", "inputs":
      throw refuse(
        .undefinedName, "`\(name)` can't be used as a value", at: range,
        help: name == "response"
          ? "write a part of the response, such as `response.status` or `response.json`" : "write a member, such as `\(name).x`")
    default: break
    }
    if let own = try compileOwnExtract(name, range) { return own }
    if names.uses[name] != nil {
      throw refuse(
        .undefinedName, "the document `\(name)` can't be used as a value", at: range,
        help: "write a step of the document: `\(name).STEP.json`")
    }
    if names.ordinal(of: name) != nil {
      throw refuse(
        .undefinedName, "the step `\(name)` can't be used as a value", at: range,
        help: "write a part of its response, such as `\(name).json`, or the name of an extract")
    }
    throw try unknownName(name, range)
  }

  /// Compiles the name of an extract of the same step, for an expression in `talk`. Returns nil if the step has no extract with this name.
  ///
  /// The extract must belong to an earlier entry of `talk` than the expression. For a later extract, the method throws an error, unless
  /// `??` with a replacement value follows the name.
  private mutating func compileOwnExtract(_ name: String, _ range: Range<Int>) throws(Refused) -> Typed? {
    guard let talk = scope.talk, let step = scope.step, let index = names.extract(name, of: step) else { return nil }
    names.useExtract(index, of: step)
    if let first = talk.extracts[name], first >= talk.entry, !isOptional {
      throw refuse(
        .undefinedName, "`\(name)` is used before it is extracted", at: range,
        help: first == talk.entry
          ? "`talk[\(first)].receive` extracts it from its last message: only later entries can use it"
          : "`talk[\(first)].receive` extracts it: write `talk[\(talk.entry)]` after that entry")
    }
    return Typed(
      node: ExpressionNode(
        .extract(Int32(clamping: index), step: Int32(clamping: step), id: names.stepIDs[step], name: name), at: range),
      kinds: names.kinds(ofExtract: index, of: step))
  }

  /// Reports an undefined name, and suggests the name that was probably meant.
  ///
  /// - Parameter mayBeDocument: whether the name may be the name of another document. This is the case if this document has a key that is
  ///   probably a misspelling of `use`. If true, an error is reported only if the name has an obvious mistake, such as a missing `vars.`
  ///   before the name of a variable.
  private mutating func unknownName(_ name: String, _ range: Range<Int>, mayBeDocument: Bool = false) throws(Refused) -> Refused {
    if names.variable(name) != nil {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "to use the variable, write `vars.\(name)`",
        replacement: "vars.\(name)")
    }
    if names.hasSecret(name) {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "the secret is `secrets.\(name)`", replacement: "secrets.\(name)")
    }
    if let stream = scope.stream, name == stream.rawValue {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "the current \(stream.itemName) is `\(stream.itemName)`",
        replacement: stream.itemName)
    }
    if !scope.isBeforeSteps, let step = names.onlyStep(extracting: name), step != scope.step {
      let value = "\(names.stepIDs[step]).\(name)"
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "the extract of `\(names.stepIDs[step])` is `\(value)`",
        replacement: value)
    }
    if name == "row" || name == "each" || name == "element", scope.hasLoop {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "the current item of a loop is `item`", replacement: "item")
    }
    if let call = ExpressionFunction(rawValue: name) {
      return refuse(.undefinedName, "`\(name)` is a function", at: range, help: "call it: `\(call.signature.example)`")
    }
    if ["item", "index"].contains(where: { name.hasPrefix("\($0)-") }) { try checkItem(String(name.prefix { $0 != "-" }), range) }
    // `a-b` is a single name, because ids and header names may contain hyphens.
    if let dash = name.firstIndex(of: "-"), names.ordinal(of: String(name[..<dash])) != nil || Self.roots.contains(String(name[..<dash])) {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range,
        help: "to subtract, write a space on both sides of the minus: names can contain `-`",
        replacement: Self.spaced(name))
    }
    if name == "steps", !scope.isBeforeSteps {
      return refuse(
        .undefinedName, "there is no step `steps`", at: range,
        help: "write only the id of the step, such as `\(names.stepIDs.first ?? "login").json`")
    }
    if let refused = misplacedPart(name, range) ?? (mayBeDocument ? Refused() : nil) { return refused }
    let own = scope.talk?.available ?? []
    let candidates = scope.isBeforeSteps ? Self.roots : own + names.stepIDs + names.uses.keys.sorted() + Self.roots
    let near = Suggestion.nearest(to: name, in: candidates.filter(ReservedNames.isName))
    if near == nil, let variable = Suggestion.nearest(to: name, in: names.variables.names) {
      return refuse(
        .undefinedName, "`\(name)` is not defined", at: range, help: "did you mean the variable `vars.\(variable)`?",
        replacement: "vars.\(variable)")
    }
    if !scope.isBeforeSteps, near == nil, names.stepIDs.count > 0, names.stepIDs.count <= 12 {
      return refuse(
        .undefinedName, own.isEmpty ? "there is no step `\(name)`" : "`\(name)` is not defined", at: range,
        help: (own.isEmpty ? "" : "earlier entries of this `talk` extract \(Words.list(own)); ")
          + "the steps are \(Words.list(names.stepIDs)); if the text `\(name)` is meant, write `'\(name)'`")
    }
    return refuse(
      .undefinedName, scope.isBeforeSteps || !own.isEmpty ? "`\(name)` is not defined" : "there is no step `\(name)`", at: range,
      help: near.map { "did you mean `\($0)`?" } ?? "if the text `\(name)` is meant, write `'\(name)'`", replacement: near)
  }

  /// Returns the text `a - 1` for the name `a-1`, as a suggestion: a minus without spaces is part of a name. Returns nil if the name
  /// contains no minus.
  private static func spaced(_ name: String) -> String? {
    guard let dash = name.firstIndex(of: "-") else { return nil }
    return "\(name[..<dash]) - \(name[name.index(after: dash)...])"
  }

  private mutating func checkItem(_ name: String, _ range: Range<Int>) throws(Refused) {
    guard itemDepth == 0, !scope.hasLoop, scope.place != .outside else { return }
    throw refuse(
      .undefinedName, "`\(name)` exists only in a loop or in a filter such as `map`", at: range,
      help:
        "`for_each`, `rows` and `matrix` define `\(name)` for the other keys of the same step; in a filter, write `| map(\(name)…)` or `| filter(\(name)…)`"
    )
  }

  // MARK: Roots

  /// Reports a reference in the syntax of GitHub Actions, such as `steps.login.outputs.token`, if Garland has an expression for the same
  /// value. The error suggests this expression.
  mutating func refuseForeign(_ syntax: SyntaxNode, _ base: SyntaxNode) throws(Refused) {
    let foreign = ForeignName(text(syntax.range))
    guard let value = foreign.value(TemplateCompiler(names: names, checkFile: checkFile), scope) else { return }
    throw refuse(
      .undefinedName, "there is no step `\(text(base.range))`", at: base.range, help: "write only the id of the step: `\(value)`",
      replacement: value, fixRange: syntax.range)
  }

  mutating func compileRoot(_ root: String, _ range: Range<Int>, _ rest: inout ArraySlice<SyntaxNode>) throws(Refused) -> Typed {
    if let stream = scope.stream, root == stream.itemName { return try compileStreamItem(stream, range, &rest) }
    switch root {
    case "response": return try compileResponse(.own, name: root, range, &rest)
    case "auth": return try compileAuthentication(range, &rest)
    case "vars", "env", "secrets", "run", "inputs": break
    default:
      if let own = try compileOwnExtract(root, range) { return own }
      if let document = names.uses[root] { return try compileForeign(root, document, range, &rest) }
      guard let ordinal = names.ordinal(of: root) else { throw try unknownName(root, range, mayBeDocument: names.refused.contains(.use)) }
      if scope.isBeforeSteps {
        let (what, reason, help) =
          switch scope.place {
          case .variable: ("a variable", "variables are", Self.adviceOnVariable)
          case .path: ("the path of `listen`", "the path is", "write a path without values of steps")
          default: ("an `auth` entry", "`auth` entries are", adviceOnAuthentication(range, rest))
          }
        throw refuse(
          .undefinedName, "\(what) can't use the step `\(root)`: \(reason) evaluated before any step runs", at: range, help: help)
      }
      let isOwn = scope.hasResponse && scope.step == ordinal
      return try compileResponse(isOwn ? .own : .step(ordinal, id: root), name: root, range, &rest)
    }
    guard let member = try takeName(&rest) else { return try compileName(root, range) }
    let whole = range.lowerBound..<member.end
    switch root {
    case "vars", "inputs":
      if scope.isInput {
        throw refuse(
          .undefinedName, "the default of an input can't use `\(root)`", at: whole, help: "inputs are evaluated before everything else")
      }
      if root == "inputs" { return try compileInput(member.name, member.range, whole) }
      return try compileVariable(member.name, member.range, whole)
    case "env":
      let index = names.environmentVariable(member.name)
      inputs.append(InputReference(target: .environment(index), range: locator.range(whole), isOptional: isOptional))
      return Typed(node: ExpressionNode(.environment(index, name: member.name), at: whole), kinds: .text)
    case "secrets":
      if !names.hasSecret(member.name), let near = Suggestion.nearest(to: member.name, in: names.secrets.declarations.map(\.name)) {
        throw refuse(
          .undefinedName, "there is no secret `\(member.name)`", at: member.range, help: "did you mean `\(near)`?", replacement: near)
      }
      let index = names.secret(member.name, usedAt: locator.range(whole))
      inputs.append(InputReference(target: .secret(index), range: locator.range(whole), isOptional: isOptional))
      return Typed(node: ExpressionNode(.secret(index, name: member.name), at: whole), kinds: .text)
    default:
      switch member.name {
      case "id": return Typed(node: ExpressionNode(.runID, at: whole), kinds: .text)
      case "iteration": return Typed(node: ExpressionNode(.runIteration, at: whole), kinds: .number)
      default:
        let near = Suggestion.nearest(to: member.name, in: ["id", "iteration"]) ?? "id"
        throw refuse(
          .undefinedName, "`run` has no `\(member.name)`", at: member.range, help: "write `run.id` or `run.iteration`", replacement: near)
      }
    }
  }

  private static let adviceOnVariable = "write the expression in the steps that use the variable"

  /// Returns help for an `auth` entry that uses the value of a step. Such a value is not known before the steps run. The help suggests
  /// moving the `auth` entry to a called document, which receives the value as an input.
  private func adviceOnAuthentication(_ value: Range<Int>, _ rest: ArraySlice<SyntaxNode>) -> String {
    var name = "value"
    if case .member(_, let member, _)? = rest.last?.kind { name = member }
    let whole = text(value.lowerBound..<(rest.last?.range.upperBound ?? value.upperBound))
    return "move the `auth` entry and the steps that use it to another document, which has the input `\(name)`; "
      + "write `${inputs.\(name)}` in the `auth` entry; "
      + "in this document, run the other document with `call: FILE` and `with: { \(name): \"${\(whole)}\" }`"
  }

  private mutating func compileInput(_ name: String, _ nameRange: Range<Int>, _ range: Range<Int>) throws(Refused) -> Typed {
    guard let index = names.inputs.firstIndex(where: { $0.name == name }) else {
      if names.refused.contains(.inputs) { throw Refused() }
      let near = Suggestion.nearest(to: name, in: names.inputs.map(\.name))
      throw refuse(
        .undefinedName, "there is no input `\(name)`", at: nameRange,
        help: near.map { "did you mean `\($0)`?" } ?? Words.available(names.inputs.map(\.name), near: name)
          ?? "declare the input at the top of the document: `inputs: { \(name): { type: string } }`", replacement: near)
    }
    inputs.append(InputReference(target: .input(index), range: locator.range(range), isOptional: isOptional))
    return Typed(node: ExpressionNode(.input(index, name: name), at: range), kinds: names.inputs[index].kinds)
  }

  /// Compiles a reference to a step of another document: `shop.login.token`.
  private mutating func compileForeign(
    _ root: String, _ document: (index: Int, workflow: Workflow)?, _ range: Range<Int>, _ rest: inout ArraySlice<SyntaxNode>
  ) throws(Refused) -> Typed {
    // The mistakes of the other document have already been reported.
    guard let document else { throw Refused() }
    guard let step = try takeName(&rest) else { return try compileName(root, range) }
    let whole = range.lowerBound..<step.end
    guard let ordinal = names.foreignStep(step.name, of: document, named: root) else {
      let known = document.workflow.steps.map(\.id)
      let near = Suggestion.nearest(to: step.name, in: known)
      throw refuse(
        .undefinedName, "`\(root)` has no step `\(step.name)`", at: step.range,
        help: near.map { "did you mean `\($0)`?" } ?? Words.available(known, near: step.name), replacement: near)
    }
    if scope.place == .variable {
      throw refuse(
        .undefinedName, "a variable can't use the step `\(root).\(step.name)`: variables are evaluated before any step runs", at: whole,
        help: Self.adviceOnVariable)
    }
    return try compileResponse(.step(ordinal, id: "\(root).\(step.name)"), name: "\(root).\(step.name)", whole, &rest)
  }

  private mutating func compileVariable(_ name: String, _ nameRange: Range<Int>, _ range: Range<Int>) throws(Refused) -> Typed {
    guard let index = names.variable(name) else {
      if names.mayLackVariables { throw Refused() }
      if names.variables.names.isEmpty {
        throw refuse(
          .undefinedName, "there is no variable `\(name)`", at: nameRange,
          help: "declare it under `vars:`, or give it with `--var \(name)=…`")
      }
      if let dash = name.firstIndex(of: "-"), names.variable(String(name[..<dash])) != nil {
        throw refuse(
          .undefinedName, "there is no variable `\(name)`", at: nameRange,
          help: "to subtract, write a space on both sides of the minus: names can contain `-`",
          replacement: Self.spaced(name))
      }
      let near = Suggestion.nearest(to: name, in: names.variables.names)
      throw refuse(
        .undefinedName, "there is no variable `\(name)`", at: nameRange,
        help: near.map { "did you mean `\($0)`?" } ?? Words.available(names.variables.names, near: name), replacement: near)
    }
    names.variables.used[index] = true
    inputs.append(InputReference(target: .variable(index), range: locator.range(range), isOptional: isOptional))
    return Typed(node: ExpressionNode(.variable(index), at: range), kinds: names.variables.kinds[index])
  }

  /// Compiles a reference to a part of the token of an `auth` entry: `auth.NAME.member`.
  private mutating func compileAuthentication(_ range: Range<Int>, _ rest: inout ArraySlice<SyntaxNode>) throws(Refused) -> Typed {
    guard var name = try takeName(&rest) else { return try compileName("auth", range) }
    guard !scope.isBeforeSteps else {
      throw refuse(
        .undefinedName, "only a step can use a token of an `auth` entry, and this expression is evaluated before any step runs",
        at: range.lowerBound..<name.end, help: "move the expression to a step")
    }
    // `auth.shop.api` is the entry `api` of the document that is used as `shop`, unless this document has an entry `shop` itself.
    if names.authentication(name.name) == nil, names.uses[name.name] != nil, let entry = try takeName(&rest) {
      name = ("\(name.name).\(entry.name)", name.range.lowerBound..<entry.range.upperBound, entry.end)
    }
    guard let index = names.authentication(name.name) else {
      if !names.refused.isDisjoint(with: [.auth, .use]) { throw Refused() }
      let known = names.namableAuthentications
      let near = Suggestion.nearest(to: name.name, in: known)
      throw refuse(
        .undefinedName, "there is no `auth` entry `\(name.name)`", at: name.range,
        help: near.map { "did you mean `\($0)`?" } ?? Words.available(known, near: name.name)
          ?? "define the entry under the document's `auth:`",
        replacement: near)
    }
    let members = AuthMember.allCases.map(\.rawValue)
    guard names.authentications.hasToken[index] else {
      throw refuse(
        .undefinedMember, "the `auth` entry `\(name.name)` has no token, and so no members: its kind is not `oauth2`", at: name.range)
    }
    guard let part = try takeName(&rest) else {
      throw refuse(
        .undefinedName, "`auth.\(name.name)` can't be used as a value", at: range.lowerBound..<name.end,
        help: "write one of its members, such as `auth.\(name.name).\(AuthMember.accessToken.rawValue)`; "
          + "the members are \(Words.list(members))")
    }
    guard let member = AuthMember(rawValue: part.name) else {
      let near = Suggestion.nearest(to: part.name, in: members)
      // The claims are a mapping, and only the document's author knows which claim is meant.
      if near == AuthMember.claims.rawValue, rest.isEmpty {
        throw refuse(
          .undefinedMember, "`auth.\(name.name)` has no member `\(part.name)`", at: part.range,
          help: "did you mean one of its `claims`, such as `auth.\(name.name).claims.sub`?")
      }
      throw refuse(
        .undefinedMember, "`auth.\(name.name)` has no member `\(part.name)`", at: part.range,
        help: near.map { "did you mean `\($0)`?" } ?? "it has \(Words.list(members))", replacement: near)
    }
    let whole = range.lowerBound..<part.end
    var input = InputReference(target: .authentication(index), range: locator.range(whole), isOptional: isOptional)
    input.namesToken = member == .accessToken || member == .idToken
    inputs.append(input)
    return Typed(node: ExpressionNode(.authentication(index, name: name.name, member), at: whole), kinds: member.kinds)
  }
}
