import GarlandCrypto
import GarlandJSON

/// A response as it was received.
struct RawResponse {
  let statusLine: String
  let headers: [(name: String, value: String)]
  var body: [UInt8] = []
  /// The number of chunks of the body; 0 for a body that was not chunked.
  var chunks = 0

  init(head: String) {
    var lines = head.split(separator: "\r\n").map { String($0) }
    statusLine = lines.isEmpty ? "" : lines.removeFirst()
    headers = lines.map { line in
      let pieces = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(pieces[0]), pieces.count > 1 ? String(pieces[1].drop { $0 == " " }) : "")
    }
  }

  var status: Int { statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

  func first(_ name: String) -> String? { all(name).first }

  func all(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

  var sha256: String { (try? Digest(of: body, using: .sha256).hex) ?? "" }
}
