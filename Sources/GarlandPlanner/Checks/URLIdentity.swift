import GarlandText
import GarlandWorkflow

/// The identity of the resource that a request addresses. Two requests have the same identity if their URLs are equal, as far as the URLs
/// are known before the run.
///
/// The identity is stored as 64-bit hashes instead of texts, since every step of a run has an identity; ``isSame(as:)`` compares the texts.
struct URLIdentity {
  /// The hash of the URL's scheme, authority and path. An expression in these parts is hashed as source text, not as its value. The same
  /// source text can have another value in another document, so the hash of a URL with an expression also includes the document.
  let resource: Int
  /// The hash of the query's source text; nil if the URL has no query.
  let query: Int?
  private let request: RequestTemplate
  private let document: Int

  /// Creates the identity of a request's URL. Returns nil if the URL has an expression whose value differs in each step, run or iteration.
  init?(_ request: RequestTemplate, document: Int) {
    var parts = Parts(HashedText(), HashedText())
    guard parts.append(request) else { return nil }
    if parts.hasExpression { parts.resource.hasher.combine(document) }
    resource = parts.resource.hasher.finalize()
    query = parts.query.isEmpty ? nil : parts.query.hasher.finalize()
    self.request = request
    self.document = document
  }

  /// Whether scheme, authority and path of both URLs are equal as text. This comparison is necessary since different URLs may have the same
  /// hash. URLs with expressions are never equal if they are in different documents.
  func isSame(as other: URLIdentity) -> Bool {
    var own = Parts(PlainText(), PlainText())
    var others = Parts(PlainText(), PlainText())
    guard own.append(request), others.append(other.request) else { return false }
    return own.resource.text == others.resource.text && (!own.hasExpression || document == other.document)
  }
}

/// A collector for the text of a URL: it either hashes the text or stores it.
private protocol TextSink {
  mutating func append(_ text: some Collection<UInt8>)
}

private struct HashedText: TextSink {
  var hasher = Hasher()
  var isEmpty = true

  mutating func append(_ text: some Collection<UInt8>) {
    let hashed: Void? = text.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if hashed == nil { for byte in text { hasher.combine(byte) } }
    if !text.isEmpty { isEmpty = false }
  }
}

private struct PlainText: TextSink {
  var text: [UInt8] = []

  mutating func append(_ text: some Collection<UInt8>) { self.text.append(contentsOf: text) }
}

/// The two parts of a URL that are compared: the resource (scheme, authority and path) and the query. The first `?` outside of the URL's
/// expressions separates them.
private struct Parts<Sink: TextSink> {
  var resource: Sink
  var query: Sink
  private(set) var hasExpression = false
  private var isInQuery = false

  init(_ resource: Sink, _ query: Sink) {
    self.resource = resource
    self.query = query
  }

  /// Appends scheme, authority and path of a request's URL to ``resource``, and the query with the request's parameters to ``query``.
  /// Returns false if the URL has an expression whose value differs in each step, run or iteration.
  mutating func append(_ request: RequestTemplate) -> Bool {
    if let base = request.baseURL, !isAbsolute(request.url) {
      guard append(base, dropsLastSlash: true) else { return false }
      isInQuery = false
      if request.url.source.utf8.first != UInt8(ascii: "/") { resource.append("/".utf8) }
    }
    guard append(request.url) else { return false }
    if let range = request.query?.range { query.append(range.text.utf8) }
    if let range = request.params?.range, ["GET", "HEAD", "DELETE"].contains(request.method.value) { query.append(range.text.utf8) }
    return true
  }

  private mutating func append(_ url: URLTemplate, dropsLastSlash: Bool = false) -> Bool {
    for (index, piece) in url.pieces.enumerated() {
      switch piece {
      case .literal(let text):
        var bytes = text.utf8[...]
        if dropsLastSlash, index == url.pieces.count - 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        append(literal: bytes)
      case .expression(let expression, _):
        hasExpression = true
        if VolatileNames.occur(in: expression.source) { return false }
        add("${".utf8)
        add(expression.source.utf8)
        add("}".utf8)
      }
    }
    return true
  }

  private mutating func append(literal: Substring.UTF8View) {
    var rest = literal
    if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
    if !isInQuery, let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      add(rest[..<mark])
      isInQuery = true
      rest = rest[rest.index(after: mark)...]
    }
    add(rest)
  }

  private mutating func add(_ text: some Collection<UInt8>) {
    if isInQuery { query.append(text) } else { resource.append(text) }
  }

  /// Whether a URL is absolute. A URL that begins with an expression counts as absolute, since the
  /// expression usually contains the scheme and host.
  private func isAbsolute(_ url: URLTemplate) -> Bool {
    switch url.pieces.first {
    case .expression: true
    case .literal(let text): text.utf8.prefix(while: { $0 != UInt8(ascii: "/") }).last == UInt8(ascii: ":")
    case nil: false
    }
  }
}

/// Searches the source text of an expression for names, such as `item` or `uuid`, whose values differ in each step or in each iteration of
/// a loop.
package enum VolatileNames {
  package static func occur(in source: String) -> Bool {
    let bytes = source.utf8
    var before: UInt8 = 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if !isNamePart(before),
        byte == UInt8(ascii: "i") || byte == UInt8(ascii: "u") || byte == UInt8(ascii: "r") || byte == UInt8(ascii: "n")
      {
        let word = bytes[index...].prefix { isNamePart($0) }
        let next = word.endIndex < bytes.endIndex ? bytes[word.endIndex] : 0
        if word.elementsEqual("item".utf8) || word.elementsEqual("index".utf8) || word.starts(with: "item.".utf8) { return true }
        if next == UInt8(ascii: "("), ["uuid", "random", "now"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
      }
      before = byte
      index = bytes.index(after: index)
    }
    return false
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte >= 0x80
  }
}
