import GarlandText

/// The formats that can be checked, as defined by the RFCs to which [JSON Schema's validation vocabulary
/// §7.3](https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3) refers.
enum SchemaFormat: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date
  case time
  case duration
  case email
  case idnEmail = "idn-email"
  case hostname
  case idnHostname = "idn-hostname"
  case ipv4
  case ipv6
  case uri
  case uriReference = "uri-reference"
  case iri
  case iriReference = "iri-reference"
  case uriTemplate = "uri-template"
  case uuid
  case jsonPointer = "json-pointer"
  case relativeJSONPointer = "relative-json-pointer"
  case regex

  func admits(_ text: String) -> Bool {
    switch self {
    case .dateTime: DateTimeFormat.isDateTime(text)
    case .date: DateTimeFormat.isDate(text)
    case .time: DateTimeFormat.isTime(text)
    case .duration: DateTimeFormat.isDuration(text)
    case .email: NetworkFormat.isEmail(text, allowsNonASCII: false)
    case .idnEmail: NetworkFormat.isEmail(text, allowsNonASCII: true)
    case .hostname: HostNameFormat.isHostname(text)
    case .idnHostname: HostNameFormat.isInternational(text)
    case .ipv4: NetworkFormat.isIPv4(text)
    case .ipv6: NetworkFormat.isIPv6(text)
    case .uri: URIFormat.isURI(text, allowsNonASCII: false)
    case .uriReference: URIFormat.isReference(text, allowsNonASCII: false)
    case .iri: URIFormat.isURI(text, allowsNonASCII: true)
    case .iriReference: URIFormat.isReference(text, allowsNonASCII: true)
    case .uriTemplate: URIFormat.isTemplate(text)
    case .uuid: SchemaFormat.isUUID(text)
    case .jsonPointer: (try? JSONPointer(text)) != nil
    case .relativeJSONPointer: SchemaFormat.isRelativePointer(text)
    case .regex: (try? RegularExpression(ecmaScript: text)) != nil
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { position, byte in
      [8, 13, 18, 23].contains(position) ? byte == UInt8(ascii: "-") : byte.isHexDigit
    }
  }

  /// Whether a text is a relative JSON Pointer: the number of levels upwards, then `#` or a pointer.
  private static func isRelativePointer(_ text: String) -> Bool {
    let digits = text.utf8.prefix(while: \.isDigit)
    guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0") else { return false }
    let rest = String(text.dropFirst(digits.count))
    return rest == "#" || (try? JSONPointer(rest)) != nil
  }
}
