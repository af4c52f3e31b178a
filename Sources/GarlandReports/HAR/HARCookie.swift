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
      CookiePair.all(of: mask.text(field.value)).map { HARCookie(name: $0.name, value: $0.value) }
    }
  }

  /// Returns the cookies that a response set. Secrets are masked before a `Set-Cookie` field is split into the cookie and its attributes.
  static func received(in fields: [Exchange.Field], _ mask: Mask) -> [HARCookie] {
    fields.filter { $0.name.lowercased() == "set-cookie" }.map { field in
      let parts = mask.text(field.value).split(separator: ";", omittingEmptySubsequences: false)
      let (name, value) = CookiePair.halves(parts.first ?? "")
      var cookie = HARCookie(name: name, value: value ?? "")
      for part in parts.dropFirst() { cookie.add(part) }
      return cookie
    }
  }

  private init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  private mutating func add(_ attribute: Substring) {
    let (name, value) = CookiePair.halves(attribute)
    switch name.lowercased() {
    case "path": path = value ?? ""
    case "domain": domain = value ?? ""
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
}
