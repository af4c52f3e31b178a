import GarlandNetworking

// Names that the snippets of doc comments use and do not declare. The snippets are compiled only.

nonisolated(unsafe) var configuration = SessionConfiguration.ephemeral
nonisolated(unsafe) var settings = TransferSettings()
nonisolated(unsafe) var form = MultipartFormData()
let session = Session(.ephemeral)
let engine = Engine()
let url = "https://example.com/"
let name = "Ada"
let tags = ["a"]
let nickname: String? = nil
let secret = "s"
let password = "p"
let text = "{}"
let bytes: [UInt8] = []
let environment: [String: String] = [:]
let user = User(id: 1, name: "Ada")
let target = DownloadTarget.temporary
let jar = CookieJar()
let response = TransferResponse(to: TransferRequest(url: url))
let error = NetworkingError(.cancelled)
let yesterday: Int64 = 0
let file = Chunks()

func password(of space: ProtectionSpace) -> String { "p" }

struct User: Codable, Sendable {
  var id: Int
  var name: String
}
struct Event: Codable, Sendable { var id: Int }
struct Hello: Codable, Sendable { var user: String }
struct Success: Codable, Sendable { var id: Int }
struct Problem: Codable, Sendable { var title: String }
enum Reply: Sendable {
  case success(Success)
  case problem(Problem)
}
struct Token: AuthenticationCredential {
  var text = "t"
  var requiresRefresh: Bool { false }
}
struct Chunks: Sendable {
  var chunks: AsyncStream<[UInt8]> { AsyncStream { $0.finish() } }
}
