import GarlandJSON
import GarlandTransfer
import GarlandWorkflow
import Synchronization

extension ResponseDataError {
  /// Creates the error for an XML or HTML body that can't be parsed.
  init(_ error: NetworkingError.Serialization) {
    if case .unavailable = error { self.init(error.description, isLocal: true) } else { self.init(error.description) }
  }
}

/// A response's body, parsed as XML or HTML.
package final class MarkupBody: Sendable {
  /// The result of an XPath: the texts of nodes, or a single value.
  enum Selection {
    /// The texts of nodes, in document order.
    case texts([String])
    /// The value of an XPath that computes a number, text or boolean; nil for NaN and infinity.
    case value(JSONValue?)
  }

  /// The parsed document.
  let document: MarkupDocument
  /// Whether the body was parsed as HTML, where there are no namespaces and all names are in lower case.
  let isHTML: Bool
  private let known = Mutex<[String: String]?>(nil)

  init(_ document: MarkupDocument, isHTML: Bool) {
    self.document = document
    self.isHTML = isHTML
  }

  /// Parses a body as XML or HTML, depending on its media type. If the media type is neither XML nor HTML, the content of the body decides.
  static func parse(_ bytes: [UInt8], contentType: String?) -> Result<MarkupBody, ResponseDataError> {
    guard !bytes.isEmpty else { return .failure(ResponseDataError("the body is empty")) }
    guard let isHTML = isHTML(bytes, contentType) else {
      let type = contentType.map { ", its type is `\(Shown.cut($0, 80))`" } ?? ""
      return .failure(ResponseDataError("the body is neither XML nor HTML\(type)"))
    }
    var charset = contentType.flatMap(BodyText.charset(ofContentType:))
    // libxml2 reads HTML without a declared charset as ISO-8859-1, which hardly any page uses today.
    if isHTML, charset == nil, !saysCharset(bytes), String(validating: bytes, as: UTF8.self) != nil { charset = "utf-8" }
    do throws(NetworkingError.Serialization) {
      let document = try isHTML ? MarkupDocument(html: bytes, charset: charset) : MarkupDocument(xml: bytes, charset: charset)
      return .success(MarkupBody(document, isHTML: isHTML))
    } catch {
      guard case .markup(let detail) = error else { return .failure(ResponseDataError(error)) }
      return .failure(ResponseDataError("the body is not \(isHTML ? "HTML" : "XML"): \(detail)"))
    }
  }

  /// Whether a body is HTML (true) or XML (false); nil for any other body.
  private static func isHTML(_ bytes: [UInt8], _ contentType: String?) -> Bool? {
    let type = contentType?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
    if type == "text/html" { return true }
    if type.hasSuffix("/xml") || type.hasSuffix("+xml") || type == "application/xml-dtd" { return false }
    let start = String(decoding: bytes.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    guard start.hasPrefix("<") else { return nil }
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  private static func saysCharset(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased().contains("charset")
  }

  /// Returns the nodes or the value that an XPath selects.
  func select(_ path: XPath) throws(ResponseDataError) -> Selection {
    do throws(XPathError) {
      switch try document.select(path.text, namespaces: path.usesPrefixes ? namespaces : [:]) {
      case .nodes(let nodes): return .texts(try document.texts(of: nodes, selectedBy: path.text))
      case .boolean(let value): return .value(.bool(value))
      case .string(let text): return .value(.string(text))
      case .number(let number):
        if let integer = Int(exactly: number) { return .value(JSONValue(integer)) }
        return .value(JSONNumber(number).map { .number($0) })
      }
    } catch {
      var message = "the XPath can't be evaluated: \(error.detail)"
      if path.usesPrefixes {
        let prefixes = namespaces.keys.sorted()
        message += prefixes.isEmpty ? "; the response declares no prefixes" : "; the response declares only \(Shown.list(prefixes))"
      }
      throw ResponseDataError(message)
    }
  }

  /// Returns the probable reason why an XPath selects nothing; nil if the reason is unknown.
  func advice(for path: XPath) -> String? {
    if isHTML, path.text.contains(where: \.isUppercase), path.namesPlainElements { return "in HTML all names are in lower case" }
    if !isHTML, path.namesPlainElements, let uri = namespaces["_"] {
      return "the document's elements are in the namespace `\(Shown.cut(uri, 80))`: write `_:` in front of their names, as in `//_:title`"
    }
    return nil
  }

  private var namespaces: [String: String] {
    known.withLock { known in
      if let known { return known }
      let found = document.namespaces
      known = found
      return found
    }
  }
}
