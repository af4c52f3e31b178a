import GarlandTransfer
import GarlandPlanner
import GarlandWorkflow

/// Assigns a number to each origin (scheme, host and port) of a run, and finds the origins that are known before any request is sent.
struct RunOrigins {
  private let hosts: Hosts
  /// A cache of the origins (scheme, host and port) of URL templates. Each key consists of a document and a URL template in the document.
  /// The value is the number of the origin, or nil if the origin depends on a response.
  private var known: [Key: Int?] = [:]

  private struct Key: Hashable {
    var document: Int
    var source: String
  }

  init(_ hosts: Hosts) { self.hosts = hosts }

  /// Returns the number of the origin of a URL. Returns nil if the URL has no origin, for example because it is a `file:` URL.
  func number(of url: String) -> Int? {
    guard let reference = try? URLReference(url), let origin = reference.origin, origin.isHTTP else {
      return Self.otherOrigin(of: url).map(hosts.number)
    }
    return hosts.number(of: origin)
  }

  /// Returns the origin of a URL with the scheme `file`, `data` or `ftp`; nil for any other URL. All files of this machine share one
  /// origin.
  private static func otherOrigin(of url: String) -> Origin? {
    switch OtherScheme(of: url) {
    case nil: nil
    case .ftp?: (try? URLReference(url))?.origin
    case .some(let scheme): Origin(scheme: scheme.rawValue, host: "", port: 0)
    }
  }

  /// Returns the scheme, host and port that have the given number.
  func origin(_ number: Int) -> Origin? { hosts.origin(number) }

  /// Returns the number of the origin to which a step's request is sent. Returns nil if the origin is unknown before the run. The origin is
  /// known if it depends only on literal text, variables, secrets and environment variables.
  mutating func number(of step: PlannedStep, in context: StepContext) -> Int? {
    guard let request = step.step.action.addressed else { return nil }
    let isRelative: Bool
    switch request.url.pieces.first {
    case .literal(let text)?: isRelative = !Self.hasScheme(text)
    case .expression?: return beginning(of: request.url, step.workflowIndex, context)
    case nil: isRelative = true
    }
    guard let template = isRelative ? request.baseURL : request.url else { return nil }
    return beginning(of: template, step.workflowIndex, context)
  }

  private mutating func beginning(of template: URLTemplate, _ document: Int, _ context: StepContext) -> Int? {
    let isLiteral = template.constant != nil
    let key = Key(document: isLiteral ? -1 : document, source: isLiteral ? Self.authority(of: template.source) : template.source)
    if let found = known[key] { return found }
    var text = ""
    var isKnown = true
    for piece in template.pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .expression(let expression, _):
        guard !expression.namesSteps, let value = try? expression.evaluate(in: context), case .string(let part) = value.json else {
          isKnown = false
          break
        }
        text += part
      }
      if !isKnown || Self.hasWholeAuthority(text) { break }
    }
    // If the authority is incomplete, the unknown part may belong to the host's name.
    let found = isKnown || Self.hasWholeAuthority(text) ? number(of: text) : nil
    known[key] = .some(found)
    return found
  }

  /// Whether a text begins with a scheme such as `https:`. A URL without a scheme is relative to the base URL.
  private static func hasScheme(_ text: String) -> Bool {
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: ":"): return index > 0
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if index == 0 { return false }
      default: return false
      }
    }
    return false
  }

  private static func hasWholeAuthority(_ text: String) -> Bool { authority(of: text).utf8.count < text.utf8.count }

  /// Returns the scheme and authority of a URL: its beginning up to the first `/`, `?` or `#` after `://`.
  private static func authority(of text: String) -> String {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return text }
    var index = bytes.index(after: colon)
    var slashes = 0
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "/") where slashes < 2: slashes += 1
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return String(text[..<index])
      default: if slashes < 2 { return text }
      }
      index = bytes.index(after: index)
    }
    return text
  }
}
