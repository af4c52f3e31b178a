import GarlandDiagnostics

/// The effects of tags (`!!tag`) on values.
extension Composer {
  mutating func readTag(
    _ tag: UnsafeMutablePointer<UInt8>?, isScalar: Bool, at offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> YAMLTag? {
    guard let tag else { return nil }
    let name = String(cString: tag)
    if name == "!" { return isScalar ? .str : nil }
    let prefix = "tag:yaml.org,2002:"
    let core = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    if let core, let known = YAMLTag(rawValue: core) { return known }
    let place = range(SourceScan.property(UInt8(ascii: "!"), in: bytes, offsets.lowerBound..<bytes.count))
    let known = "`!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!map` and `!!seq`"
    var diagnostic: Diagnostic
    switch core {
    case "binary":
      diagnostic = Diagnostic(.unknownTag, "`!!binary` is not supported", at: place)
        .help("write plain text, or `{ base64: … }` where bytes are expected")
    case "timestamp":
      diagnostic = Diagnostic(.unknownTag, "`!!timestamp` is not supported: a time is text here", at: place)
        .help("leave the tag out")
    case let other?:
      diagnostic = Diagnostic(.unknownTag, "`!!\(other)` is not supported", at: place).help("the supported tags are: \(known)")
    case nil:
      diagnostic = Diagnostic(.unknownTag, "unknown tag `\(place.text)`", at: place).help("the supported tags are: \(known)")
      if let meant = YAMLTag(rawValue: String(place.text.drop { $0 == "!" })), place.text.hasPrefix("!"), !place.text.hasPrefix("!!") {
        diagnostic = diagnostic.help("did you mean `!!\(meant.rawValue)`?", fix: Diagnostic.Fix(place, "!!\(meant.rawValue)"))
      } else if isScalar {
        let rest = SourceScan.lineValue(in: bytes, from: place.offsets.lowerBound, inFlow: frames.last?.isFlow ?? false)
        diagnostic = diagnostic.help(
          "if text that starts with `!` is meant, put it in quotes", fix: Diagnostic.Fix(range(rest), SourceScan.quoted(bytes, rest)))
      }
    }
    report(diagnostic)
    return nil
  }

  /// Applies a tag to a scalar.
  mutating func apply(
    _ tag: YAMLTag, to text: UnsafeBufferPointer<UInt8>, kind written: YAMLScalar.Kind, at place: SourceRange
  ) -> YAMLScalar.Kind {
    let kind: YAMLScalar.Kind?
    switch tag {
    case .str: kind = .string
    case .int: kind = ScalarTyping.isInteger(text) ? .number : nil
    case .float: kind = ScalarTyping.isNumber(text) ? .number : nil
    case .bool: kind = text.elementsEqual("true".utf8) ? .yes : text.elementsEqual("false".utf8) ? .no : nil
    case .null: kind = text.isEmpty || text.elementsEqual("null".utf8) ? .null : nil
    case .map, .seq: kind = nil
    }
    if let kind { return kind }
    let wanted =
      switch tag {
      case .str: "text"
      case .int: "a whole number as JSON writes it"
      case .float: "a number as JSON writes it"
      case .bool: "`true` or `false`"
      case .null: "`null` or nothing"
      case .map: "a mapping"
      case .seq: "a list"
      }
    report(Diagnostic(.invalidTag, "`!!\(tag.rawValue)` needs \(wanted)", at: place))
    return written
  }
}
