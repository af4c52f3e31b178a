import GarlandJSON
import Glibc
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

@Suite struct NetrcTests {
  private static let text = """
    # a comment
    machine api.example.com login alice password "two words \\"quoted\\" \\\\ \\t#" # another
    machine ftp.example.com
      login bob
      account guests
      password #not-a-comment
    macdef init
      cd /pub
      machine not.a.machine login x

    MACHINE api.example.com login carol password s3cr3t
    default login anonymous password a@b
    """

  @Test func `the entries of a netrc file are parsed, including quoted words and the default entry`() throws {
    let netrc = try Netrc(text: Self.text)
    #expect(
      netrc.entries == [
        .init(machine: "api.example.com", login: "alice", password: "two words \"quoted\" \\ \t#"),
        .init(machine: "ftp.example.com", login: "bob", password: "#not-a-comment", account: "guests"),
        .init(machine: "api.example.com", login: "carol", password: "s3cr3t"), .init(machine: nil, login: "anonymous", password: "a@b"),
      ])
    #expect(netrc.entry(for: "API.example.com")?.login == "alice")
    #expect(netrc.entry(for: "api.example.com", login: "carol")?.password == "s3cr3t")
    #expect(netrc.entry(for: "elsewhere")?.login == "anonymous")
    #expect(netrc.entry(for: "elsewhere", login: "dave") == nil)
    #expect(try Netrc(text: "machine a login b").entry(for: "c") == nil)
    #expect(try Netrc(text: "").entries.isEmpty)
    #expect(try Netrc(text: "macdef x\nuntil the end").entries.isEmpty)
    #expect(try Netrc(text: "machine a user b passwd c").entries == [.init(machine: "a", login: "b", password: "c")])
  }

  @Test(arguments: [
    ("machine", 1, "nothing follows"), ("\n\nmachine a login", 3, "nothing follows"), ("login a", 1, "before any machine"),
    ("machine a\nport 22", 2, "not a keyword"), ("machine a password \"open\nmore", 1, "not closed"), ("machine \"\0\"", 1, "zero"),
  ])
  func `an error in a netrc file is reported with its line`(_ text: String, _ line: Int, _ words: String) {
    let error = #expect(throws: NetrcError.self) { try Netrc(text: text) }
    guard case .syntax(line, let detail) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.contains(words))
  }

  @Test func `a netrc file with a password is refused if other users can read it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/netrc"
    try folder.write("netrc", Array("machine a login b password c".utf8))
    chmod(path, 0o644)
    #expect(throws: NetrcError(.readableByOthers(mode: 0o644), path: path)) { try Netrc(path: path) }
    #expect(NetrcError(.readableByOthers(mode: 0o644), path: path).description.contains("chmod 600 \(path)"))
    chmod(path, 0o600)
    #expect(try Netrc(path: path).entries.count == 1)
    #expect(try Netrc.ofUser(["NETRC": path, "HOME": "/nowhere"]).entries.count == 1)
    // The password is public.
    try folder.write("public", Array("default login anonymous password guest".utf8))
    chmod(folder.path + "/public", 0o644)
    #expect(try Netrc(path: folder.path + "/public").entries.count == 1)
  }

  @Test func `the netrc file is found by the variable NETRC or in the home directory`() throws {
    let folder = try TemporaryFolder()
    #expect(try Netrc.ofUser(["HOME": folder.path]).entries.isEmpty)
    #expect(try Netrc.ofUser([:]).entries.isEmpty)
    #expect(throws: NetrcError.self) { try Netrc.ofUser(["NETRC": folder.path + "/none", "HOME": folder.path]) }
    #expect(throws: NetrcError.self) { try Netrc(path: folder.path) }
    try folder.write(".netrc", Array("machine h login b password c".utf8))
    chmod(folder.path + "/.netrc", 0o600)
    #expect(try Netrc.ofUser(["HOME": folder.path, "NETRC": ""]).entry(for: "h")?.login == "b")
  }

  /// Python's parser returns the same entries.
  @Test func `the netrc parsers of Python and of Garland find the same entries`() throws {
    let folder = try TemporaryFolder()
    // Differences of Python: keywords are in lower case, a host has one entry, and `\t` is the
    // letter.
    let text = Self.text.replacing("MACHINE api.example.com", with: "machine last.example.com").replacing("\\t", with: "")
    let path = try folder.write("netrc", text)
    let script = """
      import sys, json, netrc
      print(json.dumps({k: [None if k == "default" else k] + list(v) for k, v in netrc.netrc(sys.argv[1]).hosts.items()}))
      """
    let result = try ChildProcess.runBlocking("/usr/bin/python3", ["-c", script, path])
    let hosts = try JSONValue(parsing: result.outputBytes)
    chmod(path, 0o600)
    let entries = try Netrc(path: path).entries
    #expect(entries.count == 4 && hosts.objectValue?.count == 4, "\(result.output)\(result.error)")
    for entry in entries {
      let found = hosts[entry.machine ?? "default"]
      #expect(
        found == [
          entry.machine.map { .string($0) } ?? .null, .string(entry.login ?? ""), .string(entry.account ?? ""),
          .string(entry.password ?? ""),
        ])
    }
  }

  @Test func `random netrc files never crash the parser`() {
    var generator = SeededRandom(seed: 11)
    let words = [
      "machine", "default", "login", "password", "macdef", "\"", "\\", "\n", " ", "a", "#", "\u{FFFF}", "account", "\n\n", "x y",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
      _ = try? Netrc(text: text.joined(separator: Bool.random(using: &generator) ? " " : ""))
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct SessionCredentialsTests {
  @Test func `a session sends a credential only to the origin for which it was set`() async throws {
    let seen = Captured()
    let other = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        seen.add(head)
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let target = other.url
    let first = Captured()
    let server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        first.add(head)
        connection.send("HTTP/1.1 302 Off\r\nLocation: \(target)/\r\nContent-Length: 0\r\n\r\n")
      }
    }
    var configuration = SessionConfiguration.ephemeral
    try configuration.credentials.set(.bearer("canary"), for: server.url)
    let session = Session(configuration)
    #expect(await session.request(server.url).response().status == 200)
    #expect(first.text.contains("Authorization: Bearer canary"))
    // A credential for the original URL is not sent to another URL that an adapter sets.
    let adapter = Interceptor { request in
      var request = request
      request.url = target + "/adapted"
      return request
    }
    let sent = session.request(server.url, interceptor: adapter).authenticate(.digest(user: "canary", password: "p"))
    #expect(await sent.response().status == 200)
    #expect(
      await session.request(server.url, interceptor: adapter).authenticate(user: "canary", password: "p", preemptive: true).response()
        .status == 200)
    #expect(seen.all.count == 3)
    #expect(seen.all.allSatisfy { !$0.contains("Authorization") })
  }

  /// The example of RFC 7617, section 2.1.
  @Test func `basic credentials are encoded as UTF-8, and a colon in the user name is refused`() async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        seen.add(head)
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let session = Session(.ephemeral)
    #expect(await session.request(server.url).authenticate(user: "test", password: "123\u{A3}", preemptive: true).response().status == 200)
    #expect(seen.text.contains("Authorization: Basic dGVzdDoxMjPCow==\r\n"))
    let colon = await session.request(server.url).authenticate(user: "a:b", password: "c", preemptive: true).response()
    #expect(colon.error?.reason.kind == .invalidRequest)
    #expect(seen.all.count == 1)
  }

  @Test func `a netrc entry authenticates a request that has no credential of its own`() async throws {
    var configuration = SessionConfiguration.ephemeral
    configuration.credentials.netrc = try Netrc(text: "machine 127.0.0.1 login user password \"p w\"")
    let session = Session(configuration)
    let url = try HTTPBinServer.shared().url + "/basic-auth/user/p%20w"
    #expect(try await session.request(url).validate().json["authenticated"] == true)
    #expect(await session.request(url).authenticate(user: "user", password: "other").response().status == 401)
  }

  @Test func `the credential for a URL comes from the session's entry for the URL's origin, or else from the netrc file`() throws {
    var credentials = SessionCredentials()
    #expect(credentials.isEmpty)
    try credentials.set(.bearer("t"), for: "https://Example.com/any/path")
    credentials.netrc = try Netrc(text: "machine example.com login a password b\nmachine example.com login c password d")
    func credential(_ url: String) throws -> Credential? { credentials.credential(for: try URLReference(url)) }
    #expect(try credential("https://example.com:443/x") == .bearer("t"))
    #expect(try credential("http://example.com/x") == .basic(user: "a", password: "b"))
    #expect(try credential("https://c@example.com/x") == .basic(user: "c", password: "d"))
    #expect(try credential("https://z@example.com/x") == nil)
    #expect(try credential("https://c:own@example.com/x") == nil)
    #expect(try credential("https://sub.example.com/x") == nil)
    try credentials.set(nil, for: "https://example.com")
    #expect(try credential("https://example.com/x") == .basic(user: "a", password: "b"))
    #expect(throws: URLReferenceError.self) { try credentials.set(.bearer("t"), for: "/x") }
  }

  @Test func `a credential or Authorization field of the request overrides the credential of the session`() throws {
    var credentials = SessionCredentials()
    try credentials.set(.bearer("t"), for: "http://h")
    var request = TransferRequest(url: "http://h/", credential: .bearer("own"))
    credentials.complete(&request)
    #expect(request.credential == .bearer("own"))
    request = TransferRequest(url: "http://h/", headerFields: [.authorization: "Key own"])
    credentials.complete(&request)
    #expect(request.credential == nil)
    request = TransferRequest(url: "http://h/")
    request.removedFields = [.authorization]
    credentials.complete(&request)
    #expect(request.credential == nil)
    request.removedFields = []
    credentials.complete(&request)
    #expect(request.credential == .bearer("t"))
  }
}
