import GarlandJSON
import NIOHTTP1

/// An error response that a handler throws instead of returning a regular response.
struct Refusal: Error {
  let response: SandboxResponse

  init(_ response: SandboxResponse) { self.response = response }

  init(_ status: Int, _ message: String, headers: [HeaderField] = []) {
    response = .json(["error": .string(message), "status": JSONValue(status)], status: status, headers: headers)
  }

  static func tooLarge(_ limit: Int) -> Refusal { Refusal(413, "the body is larger than \(limit) bytes") }

  static func notFound(_ what: String) -> Refusal { Refusal(404, "there is no \(what)") }

  /// Returns the response to a message that is not valid HTTP/1.1.
  static func malformed(_ error: HTTPParserError) -> Refusal {
    switch error {
    case .invalidMethod: Refusal(501, "this server does not know the method")
    case .invalidVersion: Refusal(505, "this server speaks HTTP/1.1")
    case .headerOverflow: Refusal(431, "the header section is too large")
    default: Refusal(400, "this is not a valid HTTP/1.1 request (\(error))")
    }
  }
}
