import GarlandTransfer
import Glibc
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Compares the request of a curl command, run by a shell, with that of the engine.
@Suite(.timeLimit(.minutes(15))) struct CURLCommandTests {
  private static func requests(_ url: String) -> [TransferRequest] {
    var form = MultipartFormData(boundary: "b0")
    form.append("it's \"quoted\"\r\n", name: "text")
    form.append(Array("{}".utf8), name: "odd\"name", fileName: "a.json", contentType: "application/json")
    return [
      TransferRequest(url: url + "/a b?x=[1]&y={2}"),
      TransferRequest(url: url + "/", method: .delete, headerFields: [.accept: "a/b; q='1'", .referer: ""]),
      TransferRequest(url: url + "/", method: .put),
      TransferRequest(
        url: url + "/", method: .post, headerFields: [.contentType: "text/plain"], body: .bytes(Array("@it's\n$HOME `x` \\ é".utf8))),
      TransferRequest(url: url + "/", method: .patch, body: .bytes([0, 255, 37, 92, 39, 10, 13, 65])),
      TransferRequest(url: url + "/", method: .post, body: .multipart(form)),
      TransferRequest(url: url + "/", credential: .basic(user: "alice", password: "p'w")),
    ]
  }

  @Test(arguments: 0..<7) func `the curl command of a request sends the same request as the transfer engine`(_ index: Int) async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      guard let (head, body) = connection.readRequest() else { return }
      let lines = head.split(separator: "\r\n").map(String.init)
      seen.add(([lines[0]] + lines.dropFirst().sorted()).joined(separator: "\n") + "\n\n\(body)")
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    let request = Self.requests(server.url)[index]
    let engine = Engine()
    _ = try await engine.response(for: request)
    let shell = try #require(popen("{ \(request.cURLDescription); } >/dev/null 2>&1", "w"))
    #expect(pclose(shell) == 0)
    #expect(seen.all.count == 2)
    #expect(seen.all.first == seen.all.last)
  }

  @Test func `a curl command contains the options for its request's kind of credential, such as --digest or --ntlm`() {
    var key = AWSCredential(accessKey: "AK", secretKey: "SK", region: "eu-central-1", service: "s3")
    key.payload = .unsigned
    func text(_ credential: Credential) -> String {
      CURLCommand(
        TransferRequest(url: "http://h/", credential: credential),
        secrets: [.init(value: "p:w", variable: "PASSWORD"), .init(value: "SK", variable: "SECRET")]
      ).text.replacing("\n  ", with: " ").replacing(" \\", with: "")
    }
    #expect(text(.digest(user: "alice", password: "p:w")).contains("--digest --user \"alice:${PASSWORD}\""))
    #expect(text(.ntlm(user: "HOME\\alice", password: "p:w")).contains("--ntlm --user "))
    #expect(text(.negotiate).contains("--negotiate --user :"))
    let signed = text(.aws(key))
    #expect(signed.contains("--aws-sigv4 aws:amz:eu-central-1:s3 --user \"AK:${SECRET}\""))
    #expect(signed.contains("--header 'X-Amz-Content-Sha256: UNSIGNED-PAYLOAD'"))
    #expect(signed.contains("--location"))
    key.sessionToken = "token"
    #expect(!text(.aws(key)).contains("--location"))
    key.placement = .query(expires: .seconds(60))
    #expect(text(.aws(key)).contains("http://h/?X-Amz-Algorithm=AWS4-HMAC-SHA256&"))
    var request = TransferRequest(url: "http://h/")
    for (scheme, flag) in [
      (ProxyCredentials.Scheme.digest, "--proxy-digest"), (.ntlm, "--proxy-ntlm"), (.negotiate, "--proxy-negotiate"),
      (.any, "--proxy-anyauth"),
    ] {
      request.settings.proxy = .url("http://p:1", credentials: ProxyCredentials(user: "a", password: "b", scheme: scheme))
      #expect(request.cURLDescription.contains(flag))
    }
  }

  @Test func `a curl command contains the options for the socket, the interface, the IP version and the rate of its request`() {
    var request = TransferRequest(url: "http://h/")
    request.settings.unixSocket = "/run/a.sock"
    request.settings.interface = "eth0"
    request.settings.addressFamily = .ipv6
    request.settings.sendRate = 2000
    func text() -> String { request.cURLDescription.replacing("\n  ", with: " ").replacing(" \\", with: "") }
    #expect(text().contains("--unix-socket /run/a.sock --interface eth0 --ipv6 --limit-rate 2000 http://h/"))
    request.settings.receiveRate = 1000
    #expect(text().contains("--ipv6 --limit-rate 1000 http://h/"))
  }

  /// Both requests go to Apache, which requires a digest.
  @Test func `Apache accepts the digest credentials of the curl command that was generated for a request`() async throws {
    let request = TransferRequest(
      url: try ApacheServer.shared().url + "/digest/secret.txt", credential: .digest(user: "user", password: "pass"))
    let result = try await ChildProcess.run("/bin/sh", ["-c", request.cURLDescription])
    #expect(result.output == "secret\n")
  }

  @Test func `the curl command of a request contains shell variables instead of secrets`() {
    let request = TransferRequest(url: "http://h/", credential: .bearer("s3cr3t"))
    let text = CURLCommand(request, secrets: [.init(value: "s3cr3t", variable: "TOKEN")]).text
    #expect(text.contains("--header \"Authorization: Bearer ${TOKEN}\""))
    #expect(!text.contains("s3cr3t"))
  }
}
