import GarlandText
import HTTPTypes

/// The file name that a response suggests (RFC 6266), made safe, so that it cannot refer to a file in another folder.
public enum DownloadName {
  /// Returns the file name for a download: the name in `Content-Disposition`, otherwise the last segment of the URL's path, otherwise
  /// `download`.
  public static func suggested(by fields: HTTPFields, url path: String) -> String {
    if let value = fields[.contentDisposition], let name = fileName(in: value).flatMap(safe) { return name }
    let segment = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
    return safe(PercentEncoding.text(decoding: segment)) ?? "download"
  }

  /// Returns the value of `filename*` if it is valid, otherwise the value of `filename`; nil if there is neither.
  static func fileName(in disposition: String) -> String? {
    var plain: String?
    var extended: String?
    var scanner = ParameterScanner(disposition)
    while let (name, value) = scanner.next() {
      if name == "filename*", extended == nil { extended = decoded(value) }
      if name == "filename", plain == nil { plain = value }
    }
    return extended ?? plain
  }

  /// Decodes a value such as `UTF-8'en'%e2%82%ac.txt` (RFC 8187). Returns nil if the value is invalid, or if its character set is neither
  /// UTF-8 nor ISO-8859-1.
  private static func decoded(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let bytes = PercentEncoding.decode(parts[2])
    switch parts[0].lowercased() {
    case "utf-8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: return nil
    }
  }

  /// Returns a file name that cannot refer to another folder and is harmless in shells and terminals; nil if no valid character is left.
  static func safe(_ name: String) -> String? {
    // The name is the text after the last separator; the text before it is a path. `\` is a separator too, as on Windows.
    let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { Substring($0) } ?? ""
    var scalars = String.UnicodeScalarView()
    for scalar in last.unicodeScalars {
      switch scalar.properties.generalCategory {
      // Control characters, and characters that change the direction of later text.
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: continue
      default: scalars.append(scalar)
      }
    }
    var text = Substring(String(scalars))
    // No hidden files, no `.` and `..`, and no option of a command.
    while let first = text.unicodeScalars.first, first == "." || first == " " || first == "-" { text.unicodeScalars.removeFirst() }
    while let last = text.unicodeScalars.last, last == " " || last == "." { text.unicodeScalars.removeLast() }
    var bytes = 0
    let fitting = text.prefix { character in
      bytes += character.utf8.count
      return bytes <= 200
    }
    return fitting.isEmpty ? nil : String(fitting)
  }
}
