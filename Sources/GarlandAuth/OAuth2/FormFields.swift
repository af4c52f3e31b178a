import GarlandText
import GarlandTransfer

/// Parses the names and values of a query (application/x-www-form-urlencoded).
enum FormFields {
  static func parse(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decode(parts[0]), parts.count > 1 ? decode(parts[1]) : "")
    }
  }

  private static func decode(_ text: Substring) -> String {
    PercentEncoding.text(decoding: text, plusIsSpace: true)
  }
}
