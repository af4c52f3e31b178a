import GarlandJSON
import GarlandText
import GarlandWorkflow

/// Decodes a body as text in the charset that its `Content-Type` names.
enum BodyText {
  /// Returns the value of the parameter `charset` in a `Content-Type` field, in lower case; nil if the field has no such parameter.
  static func charset(ofContentType field: String) -> String? { TextDecoding.charset(of: field) }

  /// Decodes bytes as text. Without a charset, UTF-8 is assumed: JSON must be UTF-8, most other text is UTF-8, and ASCII is a subset of
  /// UTF-8.
  static func decode(_ bytes: [UInt8], charset: String?) -> Result<String, ResponseDataError> {
    guard Computation.hasRoom(for: bytes.count) else { return .failure(ResponseDataError("the body does not fit into the memory as text")) }
    let name = charset.flatMap { ["us-ascii", "ascii"].contains($0) ? nil : $0 } ?? "utf-8"
    let computation = Computation.current
    return TextDecoding.text(of: bytes, charset: name) { computation?.isOver() ?? false }.mapError { problem in
      switch problem {
      case .unknown: ResponseDataError("the character set \(name) of the body is unknown")
      case .outOfTime: ResponseDataError("the body could not be read as text within the time limit")
      case .oddCount: ResponseDataError("the body is not text: UTF-16 needs an even number of bytes")
      case .invalid:
        switch name {
        case "utf-8", "utf8": ResponseDataError("the body is not text: its bytes are not valid UTF-8")
        case "utf-16", "utf-16le", "utf-16be": ResponseDataError("the body is not text: its bytes are not valid UTF-16")
        default: ResponseDataError("the body is not text: its bytes are not valid \(name)")
        }
      }
    }
  }
}
