import GarlandDiagnostics
import GarlandJSON
import GarlandText

extension Template {
  /// Returns the value of the scalar. If the scalar consists only of one `${…}`, the value keeps its type; otherwise it is text.
  public func evaluate(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    switch content {
    case .constant(let value): return .plain(value)
    case .expression(let expression): return try expression.evaluate(in: context)
    case .text(let pieces):
      var text = ""
      var isSecret = false
      for piece in pieces {
        switch piece {
        case .literal(let literal): text += literal
        case .expression(let expression):
          let value = try expression.evaluate(in: context)
          try SizeLimit.append(try Rendering.text(of: value, for: expression), to: &text, at: expression.range)
          if value.isTainted { isSecret = true }
        }
      }
      return Value(.string(text), isSecret: isSecret)
    }
  }

  /// Returns the value as text, for header fields, path segments and other positions that can only contain text. Numbers and booleans are
  /// converted to text. Null, a list or a mapping is an error.
  public func evaluateText(in context: any EvaluationContext) throws(EvaluationError) -> (text: String, isSecret: Bool) {
    if case .constant(.string(let text)) = content { return (text, false) }
    let value = try evaluate(in: context)
    return (try Rendering.text(of: value.json, at: range), value.isTainted)
  }
}

extension ValueTemplate {
  /// Evaluates a value whose items are read one by one, such as the value of `for_each`. If the value is the list of a loop's results,
  /// items without a result are skipped.
  public func evaluateItems(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    guard case .scalar(let template) = self, case .expression(let expression) = template.content else { return try evaluate(in: context) }
    return try expression.evaluateItems(in: context)
  }

  /// Evaluates all expressions of this template and returns the resulting value. The size of the value is limited, since a list or mapping
  /// may contain a large value many times.
  public func evaluate(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    let value = try tree(in: context)
    switch self {
    case .list, .object: try SizeLimit.check(value, at: range)
    case .constant, .scalar: break
    }
    return value
  }

  private func tree(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    switch self {
    case .constant(let value, _): return .plain(value)
    case .scalar(let template): return try template.evaluate(in: context)
    case .list(let items, _):
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try item.tree(in: context)) }
      return .list(of: values)
    case .object(let members, _):
      var values: [(key: String, value: Value)] = []
      values.reserveCapacity(members.count)
      var hasSecretKey = false
      for member in members {
        let key = try member.key.evaluateText(in: context)
        if key.isSecret { hasSecretKey = true }
        values.append((key.text, try member.value.tree(in: context)))
      }
      let object = Value.object(of: values)
      return hasSecretKey ? .secret(object.json) : object
    }
  }
}

extension URLTemplate {
  /// Evaluates and encodes every expression of the URL. Returns the text of the URL, and whether the text contains a secret.
  public func evaluate(in context: any EvaluationContext) throws(EvaluationError) -> (text: String, isSecret: Bool) {
    var text = ""
    var isSecret = false
    for piece in pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .expression(let expression, let encoding):
        let value = try expression.evaluate(in: context)
        var rendered = try Rendering.text(of: value, for: expression)
        if encoding != .raw {
          rendered = PercentEncoding.encode(rendered)
          if value.isTainted { context.secretRegistry.register(secret: rendered) }
        } else if value.isTainted, let sent = Self.lowercasedHost(of: rendered, after: text) {
          context.secretRegistry.register(secret: sent)
        }
        try SizeLimit.append(rendered, to: &text, at: expression.range)
        if value.isTainted { isSecret = true }
      }
    }
    return (text, isSecret)
  }

  /// Returns the form that an expression's value has in the sent URL: letters that belong to the scheme or the host are in lower case.
  /// Returns nil if this form equals the value. If the value is a secret, the caller must register the returned text as a secret, too.
  ///
  /// - Parameter text: the text of the URL before the value.
  private static func lowercasedHost(of value: String, after text: String) -> String? {
    var bytes = Array(text.utf8) + Array(value.utf8)
    let start = text.utf8.count
    guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return nil }
    let authority = colon + 3
    let end = bytes[authority...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    let host = bytes[authority..<end].lastIndex(of: UInt8(ascii: "@")) ?? authority
    for index in start..<bytes.count where index < colon || (host..<end).contains(index) {
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index]) { bytes[index] |= 0x20 }
    }
    let sent = String(decoding: bytes[start...], as: UTF8.self)
    return sent == value ? nil : sent
  }
}

extension Setting {
  /// Returns the value of the setting. Throws an error if the value of an expression is invalid for the setting.
  public func resolve(in context: any EvaluationContext) throws(EvaluationError) -> Wrapped {
    switch content {
    case .constant(let value): return value
    case .template(let template):
      let value = try template.evaluate(in: context)
      do {
        return try Wrapped.read(value.json)
      } catch {
        throw EvaluationError(
          Diagnostic(
            .wrongType, value.isTainted ? "expected \(Wrapped.expectation), found \(Words.found(value))" : error.message, at: range))
      }
    }
  }
}
