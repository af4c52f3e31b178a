import GarlandResults
import GarlandText

/// A cookie of a request or a response, as an HTTP Archive lists it.
struct HARCookie {
  private let name: String
  private let value: String
  private var path: String?
  private var domain: String?
  private var isHTTPOnly = false
  private var isSecure = false

  /// Returns the cookies that a request sent. Secrets are masked before the `Cookie` field is split into cookies.
  static func sent(in fields: [Exchange.Field], _ mask: Mask) -> [HARCookie] {
    fields.filter { $0.name.lowercased() == "cookie" }.flatMap { field in
      mask.text(field.value).split(separator: ";").map { HARCookie($0) }
    }
  }

  /// Returns the cookies that a response set. Secrets are masked before a `Set-Cookie` field is split into the cookie and its attributes.
  static func received(in fields: [Exchange.Field], _ mask: Mask) -> [HARCookie] {
    fields.filter { $0.name.lowercased() == "set-cookie" }.map { field in
      let parts = mask.text(field.value).split(separator: ";", omittingEmptySubsequences: false)
      var cookie = HARCookie(parts.first ?? "")
      for part in parts.dropFirst() { cookie.add(part) }
      return cookie
    }
  }

  private init(_ pair: Substring) { (name, value) = Self.halves(pair) }

  private mutating func add(_ attribute: Substring) {
    let (name, value) = Self.halves(attribute)
    switch name.lowercased() {
    case "path": path = value
    case "domain": domain = value
    case "httponly": isHTTPOnly = true
    case "secure": isSecure = true
    default: break
    }
  }

  func write(in json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.member("value", value)
      json.member("path", path)
      json.member("domain", domain)
      if isHTTPOnly { json.member("httpOnly", true) }
      if isSecure { json.member("secure", true) }
    }
  }

  private static func halves(_ pair: Substring) -> (String, String) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.withoutBlanks) }
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
  }
}
