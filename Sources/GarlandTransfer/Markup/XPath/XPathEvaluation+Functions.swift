import GarlandText

/// The function library of XPath 1.0 (section 4).
extension XPathEvaluation {
  mutating func call(
    _ function: XPathExpression.Function, _ arguments: [XPathExpression], _ context: Context
  ) throws(Stop) -> XPathValue {
    switch function {
    case .last: return .number(Double(context.size))
    case .position: return .number(Double(context.position))
    case .isTrue: return .boolean(true)
    case .isFalse: return .boolean(false)
    case .count, .sum, .localName, .namespaceURI, .name: return try callOnNodes(function, arguments, context)
    case .concat:
      var text = ""
      for argument in arguments {
        text += try string(of: value(of: argument, context))
        try checkLength(text)
      }
      return .string(text)
    default: break
    }
    // The remaining functions use the context if they have no argument.
    var values: [XPathValue] = []
    for argument in arguments { values.append(try value(of: argument, context)) }
    let first = values.first ?? .nodes([context.node])
    switch function {
    case .id: return .nodes(try identified(by: first))
    case .boolean: return .boolean(try boolean(of: first))
    case .not: return .boolean(try !boolean(of: first))
    case .number: return .number(try number(of: first))
    case .floor: return .number(try number(of: first).rounded(.down))
    case .ceiling: return .number(try number(of: first).rounded(.up))
    case .round: return .number(XPathNumber.rounded(try number(of: first)))
    case .lang: return .boolean(try isInLanguage(string(of: first), context.node))
    default: return try callOnText(function, string(of: first), Array(values.dropFirst()))
    }
  }

  private mutating func callOnNodes(
    _ function: XPathExpression.Function, _ arguments: [XPathExpression], _ context: Context
  ) throws(Stop) -> XPathValue {
    let found = try arguments.first.map { argument throws(Stop) in try nodes(value(of: argument, context)) } ?? [context.node]
    switch function {
    case .count: return .number(Double(found.count))
    case .sum:
      var sum = 0.0
      for node in found { sum += XPathNumber.value(of: try text(of: node)) }
      return .number(sum)
    default: break
    }
    guard let node = found.first else { return .string("") }
    switch function {
    case .localName: return .string(index.name(node))
    case .namespaceURI: return .string(index.namespace(node))
    default: return .string(qualifiedName(of: node))
    }
  }

  /// Returns the name of a node with the prefix that the document uses.
  private func qualifiedName(of node: Int32) -> String {
    let entry = index.entries[Int(node)]
    guard entry.kind == .element || entry.kind == .attribute, let pointer = LibXML2.Pointer(bitPattern: entry.address),
      let namespace = LibXML2.Node.namespace(pointer), case let prefix = LibXML2.Namespace.prefix(namespace), !prefix.isEmpty
    else { return index.name(node) }
    return "\(prefix):\(index.name(node))"
  }

  func checkLength(_ text: String) throws(Stop) {
    if text.utf8.count > Self.longestText { throw .tooMuchText }
  }

  // MARK: Text

  private mutating func callOnText(
    _ function: XPathExpression.Function, _ text: String, _ arguments: [XPathValue]
  ) throws(Stop) -> XPathValue {
    try charge(text.utf8.count / 4)
    switch function {
    case .string: return .string(text)
    case .stringLength: return .number(Double(text.unicodeScalars.count))
    case .normalizeSpace:
      return .string(text.utf8.split(whereSeparator: \.isWhiteSpace).map { String($0) ?? "" }.joined(separator: " "))
    case .startsWith: return .boolean(text.utf8.starts(with: try string(of: arguments[0]).utf8))
    case .contains: return .boolean(try place(of: string(of: arguments[0]), in: text) != nil)
    case .substringBefore:
      let place = try place(of: string(of: arguments[0]), in: text)
      return .string(place.map { String(decoding: text.utf8.prefix($0), as: UTF8.self) } ?? "")
    case .substringAfter:
      let part = try string(of: arguments[0])
      let place = try place(of: part, in: text)
      return .string(place.map { String(decoding: text.utf8.dropFirst($0 + part.utf8.count), as: UTF8.self) } ?? "")
    case .substring: return .string(try substring(text, arguments))
    default: return .string(try translate(text, string(of: arguments[0]), string(of: arguments[1])))
    }
  }

  /// Returns the byte offset of the first occurrence of `part` in `text`; nil if there is none. Uses the algorithm of Knuth, Morris and
  /// Pratt, since both texts may be long and come from the server.
  private mutating func place(of part: String, in text: String) throws(Stop) -> Int? {
    let (part, text) = (Array(part.utf8), Array(text.utf8))
    try charge((part.count + text.count) / 4)
    guard !part.isEmpty else { return 0 }
    var borders = [0]
    for byte in part.dropFirst() {
      var border = borders[borders.count - 1]
      while border > 0, part[border] != byte { border = borders[border - 1] }
      borders.append(part[border] == byte ? border + 1 : 0)
    }
    var matched = 0
    for (place, byte) in text.enumerated() {
      while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
      if part[matched] == byte { matched += 1 }
      if matched == part.count { return place + 1 - matched }
    }
    return nil
  }

  private mutating func substring(_ text: String, _ arguments: [XPathValue]) throws(Stop) -> String {
    let start = XPathNumber.rounded(try number(of: arguments[0]))
    let end = arguments.count > 1 ? start + XPathNumber.rounded(try number(of: arguments[1])) : .infinity
    var result = String.UnicodeScalarView()
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      let position = Double(offset + 1)
      if position >= end { break }
      // The comparison is false for NaN.
      if position >= start, position < end { result.append(scalar) }
    }
    return String(result)
  }

  private mutating func translate(_ text: String, _ from: String, _ to: String) throws(Stop) -> String {
    try charge((from.utf8.count + to.utf8.count) / 4)
    var replacements: [Unicode.Scalar: Unicode.Scalar?] = [:]
    var others = to.unicodeScalars.makeIterator()
    for scalar in from.unicodeScalars {
      let other = others.next()
      if replacements[scalar] == nil { replacements[scalar] = .some(other) }
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = replacements[scalar] {
        if let replacement { result.append(replacement) }
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  // MARK: Identifiers and languages

  private mutating func identified(by value: XPathValue) throws(Stop) -> [Int32] {
    var wanted: Set<String> = []
    var texts: [String] = []
    if case .nodes(let nodes) = value {
      for node in nodes { texts.append(try text(of: node)) }
    } else {
      texts = [try string(of: value)]
    }
    for text in texts { for word in text.utf8.split(whereSeparator: \.isWhiteSpace) { wanted.insert(String(word) ?? "") } }
    var found: [Int32] = []
    for place in index.entries.indices where index.entries[place].kind == .attribute {
      try charge(1)
      let attribute = Int32(place)
      guard index.name(attribute) == "id", isHTML || index.namespace(attribute) == Self.xml else { continue }
      // Each ID identifies one element: the first element that has the ID.
      if wanted.remove(try text(of: attribute)) != nil { found.append(index.entries[place].parent) }
    }
    return found
  }

  private static let xml = "http://www.w3.org/XML/1998/namespace"

  private mutating func isInLanguage(_ wanted: String, _ node: Int32) throws(Stop) -> Bool {
    var place = node
    while place >= 0 {
      for attribute in index.attributes(of: place) where index.name(attribute) == "lang" && index.namespace(attribute) == Self.xml {
        let language = try text(of: attribute).lowercased()
        return language == wanted.lowercased() || language.hasPrefix(wanted.lowercased() + "-")
      }
      place = index.entries[Int(place)].parent
    }
    return false
  }
}
