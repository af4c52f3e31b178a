import GarlandText
import OrderedCollections

/// Writes an XML property list.
struct PropertyListWriter {
  private static let depthLimit = 512
  private let sortsKeys: Bool
  private var output: [UInt8] = []
  private var path: [String] = []

  init(sortsKeys: Bool) { self.sortsKeys = sortsKeys }

  var document: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """.utf8) + output + Array("</plist>\n".utf8)
  }

  mutating func write(_ value: StructuredValue) throws(ParameterEncodingError) {
    if path.count > Self.depthLimit { throw .tooDeep(limit: Self.depthLimit) }
    switch value {
    case .null: throw .null(path: place)
    case .bool(let flag): line(flag ? "<true/>" : "<false/>")
    case .number(let number):
      let isInteger = number.text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
      line(isInteger ? "<integer>\(number.text)</integer>" : "<real>\(number.text)</real>")
    case .string(let text): try element("string", text)
    case .date(let date): line("<date>\(InternetTime.text(secondsSince1970: date.timeIntervalSince1970))</date>")
    case .data(let bytes): line("<data>\(Base64.encode(bytes))</data>")
    case .array(let elements):
      if elements.isEmpty {
        line("<array/>")
        return
      }
      line("<array>")
      for (index, element) in elements.enumerated() {
        path.append("[\(index)]")
        try write(element)
        path.removeLast()
      }
      line("</array>")
    case .object(let object):
      if object.isEmpty {
        line("<dict/>")
        return
      }
      line("<dict>")
      for (key, value) in sortsKeys ? Self.sorted(object) : object {
        path.append(key)
        try element("key", key)
        try write(value)
        path.removeLast()
      }
      line("</dict>")
    }
  }

  private static func sorted(_ object: OrderedDictionary<String, StructuredValue>) -> OrderedDictionary<String, StructuredValue> {
    var object = object
    object.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return object
  }

  private var place: String {
    path.reduce("") { $1.utf8.first == UInt8(ascii: "[") || $0.isEmpty ? $0 + $1 : "\($0).\($1)" }
  }

  /// Appends a line, indented by a tab for each enclosing element except `<plist>`.
  private mutating func line(_ text: String) {
    for _ in 0..<path.count { output.append(UInt8(ascii: "\t")) }
    output += text.utf8
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func element(_ name: String, _ text: String) throws(ParameterEncodingError) {
    let isEncodable = text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "\t", "\n", "\r", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}": true
      default: false
      }
    }
    guard isEncodable else { throw .unencodableCharacter(path: place) }
    // XML reads a single carriage return as a line feed.
    line("<\(name)>" + Markup.escape(text) { $0 == "\r" ? "&#13;" : nil } + "</\(name)>")
  }
}
