import GarlandDiagnostics
import GarlandJSON

extension ExpressionCompiler {
  mutating func compileFilter(
    _ input: SyntaxNode, _ name: String, _ nameRange: Range<Int>, _ arguments: [SyntaxNode], _ range: Range<Int>
  ) throws(Refused) -> Typed {
    if name == Filter.default.rawValue { return try compileDefault(input, nameRange, arguments, range) }
    let inputResult = attempt(input)
    guard let filter = Filter(rawValue: name) else { throw unknownFilter(name, nameRange) }
    let signature = filter.signature
    try checkCount(name, nameRange, arguments, signature.parameters, range, example: signature.example)
    var nodes: [ExpressionNode] = []
    for (argument, parameter) in zip(arguments, signature.parameters) {
      if parameter.isPerItem { itemDepth += 1 }
      let result = attempt(argument)
      if parameter.isPerItem { itemDepth -= 1 }
      let typed = try result.get()
      try check(typed, is: parameter.kinds, argument.range)
      nodes.append(typed.node)
    }
    let typed = try inputResult.get()
    if typed.kinds.isDisjoint(with: signature.input) {
      let found = typed.node.constant.map { Words.found($0) } ?? typed.kinds.words
      throw refuse(
        .wrongType, "`\(name)` takes \(signature.input.words), found \(found)", at: input.range,
        help: ExpressionNode.inputHelp(filter, typed.kinds))
    }
    try checkConstants(filter, arguments, nodes)
    let kinds = filter == .raw ? typed.kinds : signature.result
    if ablation == .filter(name) { return Typed(node: typed.node, kinds: kinds) }
    let kind: ExpressionNode.Kind = .filter(filter, typed.node, arguments: nodes)
    // An argument that uses `item` is not a constant, so `map` is folded only if it does not use `item`. The filter `raw` is never folded,
    // since the URL template must recognise it.
    guard filter != .raw else { return Typed(node: ExpressionNode(kind, at: range), kinds: kinds) }
    return try foldChecked(kind, range, kinds: kinds, over: [typed.node] + nodes)
  }

  /// Compiles `| default(value)`, which means the same as `??`.
  private mutating func compileDefault(
    _ input: SyntaxNode, _ nameRange: Range<Int>, _ arguments: [SyntaxNode], _ range: Range<Int>
  ) throws(Refused) -> Typed {
    let signature = Filter.default.signature
    try checkCount(Filter.default.rawValue, nameRange, arguments, signature.parameters, range, example: signature.example)
    if ablation == .filter(Filter.default.rawValue) { return try compile(input) }
    return try compileBinary(.coalesce, input, arguments[0], range)
  }

  private mutating func unknownFilter(_ name: String, _ range: Range<Int>) -> Refused {
    let all = Filter.allCases.map(\.rawValue)
    let aliases = [
      "tojson": "json", "to_json": "json", "dump": "json", "int": "number", "float": "number", "to_number": "number", "toString": "string",
      "str": "string", "size": "length", "count": "length", "len": "length", "uppercase": "upper", "lowercase": "lower", "upcase": "upper",
      "downcase": "lower", "strip": "trim", "url_encode": "urlencode", "urlEncode": "urlencode", "encodeURIComponent": "urlencode",
      "b64": "base64", "b64encode": "base64", "base64_encode": "base64", "base64encode": "base64", "base64decode": "base64_decode",
      "to_upper": "upper", "to_lower": "lower", "format": "date", "strftime": "date", "uniq": "unique",
      "select": "filter", "where": "filter", "collect": "map", "sort_by": "sort", "d": "default", "b64decode": "base64_decode",
      "from_json": "parse_json", "fromjson": "parse_json", "json_decode": "parse_json", "jsonParse": "parse_json",
      "regex_search": "match", "regex_find": "match", "regex_findall": "match_all", "regex_sub": "regex_replace", "splitlines": "lines",
      "to_datetime": "parse_date", "strptime": "parse_date", "to_date": "parse_date", "jwt": "jwt_claims", "jwt_payload": "jwt_claims",
      "urlparse": "url_parts", "urlsplit": "url_parts", "url": "url_parts",
    ]
    let near = aliases[name] ?? Suggestion.nearest(to: name, in: all)
    return refuse(
      .unknownFilter, "there is no filter `\(name)`", at: range,
      help: near.map { "did you mean `\($0)`?" } ?? "available: \(Words.list(all))",
      replacement: near)
  }

  mutating func compileCall(
    _ name: String, _ nameRange: Range<Int>, _ arguments: [SyntaxNode], _ range: Range<Int>
  ) throws(Refused) -> Typed {
    guard let function = ExpressionFunction(rawValue: name) else {
      if let filter = Filter(rawValue: name) {
        let isWhole = range.lowerBound > 0 && bytes[range.lowerBound - 1] == UInt8(ascii: "{")
        // If the filter requires an argument, such as the format of `date`, a single argument is not necessarily the value.
        let takesValueOnly = arguments.count == 1 && filter.signature.parameters.allSatisfy(\.isOptional)
        let written = takesValueOnly ? arguments.first.map { "\(text($0.range)) | \(name)" } : nil
        throw refuse(
          .unknownFunction, "`\(name)` is a filter, not a function", at: nameRange,
          help: "write the value first: `\(written ?? filter.signature.example)`",
          replacement: written.map { isWhole ? $0 : "(\($0))" }, fixRange: range)
      }
      let all = ExpressionFunction.allCases.map(\.rawValue)
      let near = Suggestion.nearest(to: name, in: all)
      throw refuse(
        .unknownFunction, "there is no function `\(name)`", at: nameRange,
        help: near.map { "did you mean `\($0)`?" } ?? "available: \(Words.list(ExpressionFunction.allCases.map(\.call)))",
        replacement: near)
    }
    let signature = function.signature
    try checkCount(name, nameRange, arguments, signature.parameters, range, example: signature.example)
    var nodes: [ExpressionNode] = []
    for (argument, parameter) in zip(arguments, signature.parameters) {
      let typed = try compile(argument)
      try check(typed, is: parameter.kinds, argument.range)
      nodes.append(typed.node)
    }
    if function == .random, let low = nodes[0].constant?.numberValue, let high = nodes[1].constant?.numberValue {
      for node in nodes where node.constant?.intValue == nil {
        throw refuse(.wrongType, "expected a whole number, found \(Words.found(node.constant ?? .null))", at: node.range)
      }
      if high < low { throw refuse(.wrongType, "the first number of `random` must not be greater than the second", at: range) }
    }
    if function.readsFile, let path = nodes[0].constant?.stringValue {
      do {
        // The path is relative to the file in which it is written, which is not necessarily the document.
        if let found = try checkFile.flatMap({ (check) throws(WorkflowFileError) in try check(path, locator.file) }) {
          nodes[0] = ExpressionNode(.constant(.string(found)), at: nodes[0].range)
        }
      } catch {
        throw refuse(
          .file, "the file `\(Words.excerpt(path))` can't be read: \(error.message)", at: arguments[0].range,
          help: error.meant.map { "did you mean `\($0)`?" }, replacement: error.meant.flatMap { quoted($0, as: arguments[0].range) })
      }
    }
    let kind: ExpressionNode.Kind = ablation == .function(name) ? .constant(.null) : .function(function, arguments: nodes)
    return Typed(node: ExpressionNode(kind, at: range), kinds: signature.result)
  }

  private mutating func checkCount(
    _ name: String, _ nameRange: Range<Int>, _ arguments: [SyntaxNode], _ parameters: [Filter.Signature.Parameter], _ range: Range<Int>,
    example: String
  ) throws(Refused) {
    let least = parameters.filter { !$0.isOptional }.count
    guard arguments.count < least || arguments.count > parameters.count else { return }
    let expected: String
    switch (least, parameters.count) {
    case (0, 0): expected = "no argument"
    case (1, 1): expected = "one argument"
    case (0, 1): expected = "at most one argument"
    case (1, 2): expected = "one argument or two"
    default: expected = "\(parameters.count) arguments"
    }
    throw refuse(
      .wrongArguments, "`\(name)` takes \(expected), found \(arguments.count == 0 ? "none" : "\(arguments.count)")",
      at: nameRange.lowerBound..<max(nameRange.upperBound, arguments.last?.range.upperBound ?? 0), help: "for example `\(example)`")
  }

  private mutating func checkZone(_ name: String, _ range: Range<Int>) throws(Refused) {
    do throws(ZoneDatabase.Mistake) {
      _ = try ZoneDatabase.system.rules(of: name)
    } catch {
      throw refuse(.wrongType, error.message, at: range, help: error.help, replacement: error.near.flatMap { quoted($0, as: range) })
    }
  }

  /// Returns `text` in quotes, as a replacement for the quoted text at `range`; the kind of quotes stays the same. Returns nil if there is
  /// no quoted text at `range`, or if `text` would need an escape.
  private func quoted(_ text: String, as range: Range<Int>) -> String? {
    guard let quote = bytes[range].first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
      !text.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: "\\") || $0 < 0x20 })
    else { return nil }
    let mark = String(decoding: [quote], as: UTF8.self)
    return mark + text + mark
  }

  /// Reports constant arguments of a filter that are invalid for every input, such as an invalid regular expression or time format.
  private mutating func checkConstants(_ filter: Filter, _ arguments: [SyntaxNode], _ nodes: [ExpressionNode]) throws(Refused) {
    if [.date, .parseDate].contains(filter), nodes.count > 1, let zone = nodes[1].constant?.stringValue {
      try checkZone(zone, arguments[1].range)
    }
    guard let text = nodes.first?.constant?.stringValue else { return }
    switch filter {
    case .match, .matchAll, .regexReplace:
      do throws(FilterPattern.Mistake) {
        let pattern = try FilterPattern(text)
        if nodes.count > 1, let argument = nodes[1].constant { try pattern.check(filter, argument) }
      } catch {
        throw refuse(.badRegex, error.message, at: arguments[0].range)
      }
    case .parseDate:
      guard !Timestamp.isReadable(text) else { return }
      throw refuse(
        .wrongType, ExpressionNode.unreadableFormat(text), at: arguments[0].range, help: ExpressionNode.readableFormats)
    case .add:
      let digits = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
      guard Duration(workflowText: digits) == nil else { return }
      let duration = JSONNumber(digits) == nil ? Duration.shortened(digits) : "\(digits)s"
      let right = duration.map { "'\(text.dropLast(digits.count))\($0)'" }
      throw refuse(
        .wrongType, "expected a duration such as `30s`, found \(Words.found(.string(text)))", at: arguments[0].range,
        help: right.map { "write `\($0)`" } ?? "units are `ms`, `s`, `m`, `h` and `d`; a minus goes back in time", replacement: right)
    case .date:
      guard !["iso", "http", "unix", "unix_ms"].contains(text), Timestamp(nanoseconds: 0).format(text) == nil || !text.contains("%") else {
        return
      }
      throw refuse(
        .wrongType, "`\(Words.excerpt(text))` is not a valid time format", at: arguments[0].range,
        help: "use `iso`, `http`, `unix`, `unix_ms`, or directives such as `%Y-%m-%d %H:%M:%S`")
    default: break
    }
  }
}
