import HTTPTypes

/// The usual field names of responses. They are created only once instead of for each response.
enum FieldNames {
  /// Returns the field name in `bytes`, with its original letter case; nil if the bytes are not a
  /// token.
  static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
    if bytes.count < usual.count {
      for name in usual[bytes.count] where name.rawName.utf8.elementsEqual(bytes) { return name }
    }
    return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
  }

  /// The field names that are frequent in responses, in the spellings of HTTP/1 and HTTP/2. The array index is the length of the name.
  private static let usual: [[HTTPField.Name]] = {
    let names = [
      "Server", "Date", "Content-Type", "Content-Length", "Connection", "ETag", "Last-Modified", "Accept-Ranges", "Cache-Control",
      "Transfer-Encoding", "Content-Encoding", "Vary", "Set-Cookie", "Location", "Keep-Alive", "Expires", "Age", "Pragma",
      "Strict-Transport-Security", "X-Content-Type-Options", "X-Frame-Options", "Access-Control-Allow-Origin",
      "Access-Control-Allow-Credentials",
    ]
    var table: [[HTTPField.Name]] = []
    for spelling in names + names.map({ $0.lowercased() }) {
      guard let name = HTTPField.Name(spelling) else { continue }
      while table.count <= spelling.utf8.count { table.append([]) }
      table[spelling.utf8.count].append(name)
    }
    return table
  }()
}
