import GarlandJSON
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests the bytes of forms, and how other programs read them.
@Suite(.timeLimit(.minutes(15))) struct MultipartEncodingTests {
  let engine = Engine()

  private func bytes(_ form: MultipartFormData) throws -> [UInt8] {
    let reader = try MultipartEncoder.reader(for: form) {}
    var output: [UInt8] = []
    // The buffer has a small odd size, so that every boundary is crossed.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 13, alignment: 1)
    defer { buffer.deallocate() }
    while case .bytes(let count) = reader.read(into: buffer) { output += UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
    if let length = reader.length { #expect(Int(length) == output.count) }
    return output
  }

  private func text(_ form: MultipartFormData) throws -> String { String(decoding: try bytes(form), as: UTF8.self) }

  // MARK: Bytes

  @Test func `a multipart form is encoded as browsers and Alamofire encode it`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("cover.png", [0x89, 0x50, 0x4E, 0x47])
    var form = MultipartFormData(boundary: "garland.boundary.1")
    form.append("Front cover", name: "caption")
    form.append(file: path, name: "image")
    form.append(Array("{}".utf8), name: "data", fileName: "data.json", contentType: "application/json")
    let expected =
      Array(
        """
        --garland.boundary.1\r
        Content-Disposition: form-data; name="caption"\r
        \r
        Front cover\r
        --garland.boundary.1\r
        Content-Disposition: form-data; name="image"; filename="cover.png"\r
        Content-Type: image/png\r
        \r

        """.utf8) + [0x89, 0x50, 0x4E, 0x47]
      + Array(
        """
        \r
        --garland.boundary.1\r
        Content-Disposition: form-data; name="data"; filename="data.json"\r
        Content-Type: application/json\r
        \r
        {}\r
        --garland.boundary.1--\r

        """.utf8)
    #expect(try bytes(form) == expected)
    #expect(form.contentType == "multipart/form-data; boundary=garland.boundary.1")
  }

  /// The expected types are those of IANA and browsers.
  @Test(arguments: [
    ("a.png", "image/png"), ("A.JPG", "image/jpeg"), ("/x.d/photo.jpeg", "image/jpeg"), ("notes.txt", "text/plain"),
    ("page.html", "text/html"), ("data.json", "application/json"), ("data.csv", "text/csv"), ("book.pdf", "application/pdf"),
    ("app.js", "text/javascript"), ("s.svg", "image/svg+xml"), ("film.mp4", "video/mp4"), ("song.mp3", "audio/mpeg"),
    ("all.tar.gz", "application/gzip"), ("all.zip", "application/zip"), ("c.yaml", "application/yaml"), ("f.woff2", "font/woff2"),
    ("d.xml", "application/xml"), ("none", "application/octet-stream"), ("x.d/none", "application/octet-stream"),
    ("dot.", "application/octet-stream"), ("what.xyzzy", "application/octet-stream"), ("", "application/octet-stream"),
  ])
  func `in a multipart form, the media type of a file depends on the extension of the file name`(_ path: String, _ type: String) throws {
    #expect(MediaTypes.type(forPath: path) == type)
    var form = MultipartFormData()
    form.append(file: path, name: "f")
    form.append(attachment: path)
    form.append(file: path, name: "f", contentType: "own/type")
    #expect(form.parts.map(\.contentType) == [type, type, "own/type"])
  }

  @Test func `a multipart form can contain another form`() throws {
    let folder = try TemporaryFolder()
    var files = MultipartFormData(kind: .mixed, boundary: "inner")
    files.append(attachment: try folder.write("a.txt", "A"))
    files.append(attachment: try folder.write("b.bin", "B"), fileName: "c.bin", contentType: "x/y")
    var form = MultipartFormData(boundary: "outer")
    form.append(files, name: "files")
    form.append("end", name: "last")
    #expect(
      try text(form) == """
        --outer\r
        Content-Disposition: form-data; name="files"\r
        Content-Type: multipart/mixed; boundary=inner\r
        \r
        --inner\r
        Content-Disposition: attachment; filename="a.txt"\r
        Content-Type: text/plain\r
        \r
        A\r
        --inner\r
        Content-Disposition: attachment; filename="c.bin"\r
        Content-Type: x/y\r
        \r
        B\r
        --inner--\r
        \r
        --outer\r
        Content-Disposition: form-data; name="last"\r
        \r
        end\r
        --outer--\r

        """)
  }

  @Test func `the parts of a multipart/related body have the header fields and dispositions that the caller sets`() throws {
    var related = MultipartFormData(kind: .related, boundary: "b")
    related.append(.init(name: nil, contentType: "application/json", disposition: .none, content: .bytes(Array("{}".utf8))))
    related.append(
      .init(
        name: nil, fileName: "never sent", headerFields: [try #require(HTTPField.Name("Content-ID")): "<1>"], disposition: .none,
        content: .bytes([65])))
    related.append(.init(name: nil, disposition: .inline, content: .bytes([])))
    #expect(
      try text(related) == """
        --b\r
        Content-Type: application/json\r
        \r
        {}\r
        --b\r
        Content-ID: <1>\r
        \r
        A\r
        --b\r
        Content-Disposition: inline\r
        \r
        \r
        --b--\r

        """)
    #expect(related.contentType == "multipart/related; boundary=b")
    #expect(MultipartFormData(kind: .alternative, boundary: "b").contentType == "multipart/alternative; boundary=b")
    #expect(MultipartFormData.Kind("x-mixed-replace")?.name == "x-mixed-replace")
    for name in ["", "a b", "a\r\nX: y", "a;b", "\u{E4}"] { #expect(MultipartFormData.Kind(name) == nil) }
    #expect(try text(MultipartFormData(boundary: "b")) == "--b--\r\n")
  }

  @Test(arguments: ["", "a b", "a\"", "a\r\nX: y", "\u{E4}", String(repeating: "x", count: 71), "a;b", "a,b"])
  func `a multipart form with an invalid boundary is refused before anything is sent`(_ boundary: String) async {
    let error = #expect(throws: NetworkingError.self) { try text(MultipartFormData(boundary: boundary)) }
    #expect(error?.reason.kind == .invalidRequest)
    // Nothing is sent.
    let sent = await #expect(throws: NetworkingError.self) {
      try await engine.response(
        for: TransferRequest(url: "http://127.0.0.1:1/", method: .post, body: .multipart(MultipartFormData(boundary: boundary))))
    }
    #expect(sent?.reason.kind == .invalidRequest)
  }

  @Test func `a multipart form inside another is refused if their boundaries are too similar or the nesting is too deep`() throws {
    for inner in ["outer", "out", "outer-1"] {
      var form = MultipartFormData(boundary: "outer")
      form.append(MultipartFormData(kind: .mixed, boundary: inner), name: "x")
      #expect(throws: NetworkingError.self) { try text(form) }
    }
    var deep = MultipartFormData()
    for _ in 0..<40 {
      var next = MultipartFormData()
      next.append(deep, name: "x")
      deep = next
    }
    #expect(throws: NetworkingError.self) { try text(deep) }
  }

  // MARK: Injection

  @Test(arguments: [
    "a\"; filename=\"evil.sh", "a\r\nX-Evil: yes", "a\r\n\r\nbody", "a\nb", "a\rb", "a\0b", "\"\"", "\u{85}\u{2028}", "%22", "back\\slash",
  ])
  func `a name with quotes or line breaks cannot add header fields to a part of a multipart form`(_ name: String) throws {
    var form = MultipartFormData(boundary: "b")
    form.append(Array("x".utf8), name: name, fileName: name, contentType: "text/plain\r\nX-Evil: yes\r\n\r\nx")
    let lines = try text(form).split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 7, "\(lines)")
    #expect(lines[1].hasPrefix("Content-Disposition: form-data; name=\""))
    #expect(lines[1].utf8.filter { $0 == UInt8(ascii: "\"") }.count == 4)
    #expect(lines[2].hasPrefix("Content-Type: text/plain"))
    #expect(lines[3] == "")
    #expect(!lines[1].utf8.contains { $0 < 0x20 })
  }

  // MARK: Other programs

  @Test func `if the boundary is the same, a multipart form has the same bytes as the form that curl sends`() async throws {
    let folder = try TemporaryFolder()
    let picture = try folder.write("cover \u{E4} \"1\".png", [0x89, 0x50, 13, 10, 45, 45, 0, 255])
    let text = try folder.write("notes.txt", "")
    let heads = Collected<String>()
    let bodies = Collected<[UInt8]>()
    let server = try RawServer { connection in
      guard let (head, body) = connection.readRequest() else { return }
      heads.add(head)
      bodies.add(body)
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let result = try await ChildProcess.run(
      "/usr/bin/curl",
      [
        "--silent", "--show-error", "--form", "caption=Front cover", "--form", "a\"b=\u{1F600}", "--form", "image=@\(picture)", "--form",
        "notes=@\(text);filename=other.md;type=text/x-own", server.url,
      ])
    #expect(result.status == 0, "\(result.error)")
    let boundary = try #require(heads.all.first?.split(separator: "boundary=").last?.split(separator: "\r\n").first)
    var form = MultipartFormData(boundary: String(boundary))
    form.append("Front cover", name: "caption")
    form.append("\u{1F600}", name: "a\"b")
    form.append(file: picture, name: "image")
    form.append(file: text, name: "notes", fileName: "other.md", contentType: "text/x-own")
    #expect(try bytes(form) == bodies.all.first ?? [], "\(String(decoding: bodies.all.first ?? [], as: UTF8.self))")
  }

  /// Python's mail parser reads nested content. werkzeug, which httpbin uses, reads the parts of a form.
  @Test func `from a nested multipart form, Python's mail parser reads the same parts that were added to the form`() async throws {
    let folder = try TemporaryFolder()
    var inner = MultipartFormData(kind: .mixed)
    inner.append(attachment: try folder.write("a.txt", "first"))
    inner.append(attachment: try folder.write("b.bin", [0, 1, 2, 13, 10, 255]))
    var form = MultipartFormData()
    form.append("text \u{E4}", name: "t")
    form.append(inner, name: "files")
    let script = """
      import sys, email.parser, email.policy, json
      data = sys.stdin.buffer.read()
      message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(b"Content-Type: " + sys.argv[1].encode() + b"\\r\\n\\r\\n" + data)
      def show(part):
        if part.is_multipart(): return [part.get_content_type()] + [show(p) for p in part.iter_parts()]
        return [part.get_content_type(), part.get_filename(), list(part.get_payload(decode=True))]
      print(json.dumps(show(message)))
      """
    let result = try await ChildProcess.run("/usr/bin/python3", ["-c", script, form.contentType], input: try bytes(form))
    let read = try JSONValue(parsing: result.outputBytes)
    #expect(
      read == [
        "multipart/form-data", ["text/plain", .null, .array("text \u{E4}".utf8.map { JSONValue(Int($0)) })],
        [
          "multipart/mixed", ["text/plain", "a.txt", .array("first".utf8.map { JSONValue(Int($0)) })],
          ["application/octet-stream", "b.bin", [0, 1, 2, 13, 10, 255]],
        ],
      ], "\(result.output) \(result.error)")
  }

  @Test func `httpbin receives the fields and files of a multipart form as they were sent`() async throws {
    let session = Session(.ephemeral)
    let folder = try TemporaryFolder()
    let stream = BodyStream {
      AsyncStream {
        $0.yield(Array("piece ".utf8)); $0.yield(Array("by piece".utf8)); $0.finish()
      }
    }
    let path = try folder.write("\u{E4} \"quoted\".txt", "from a file")
    let echo = try await session.upload(to: try HTTPBinServer.shared().url + "/post") { form in
      form.append("one", name: "a")
      form.append("two", name: "a")
      form.append("\u{1F600}\r\n", name: "b=;c")
      form.append(file: path, name: "file")
      form.append(stream, name: "stream", fileName: "s")
      form.append(.init(name: "part", fileName: "p", content: .file(path: path, offset: 5, length: 1)))
    }.validate().json
    #expect(echo["form"] == ["a": ["one", "two"], "b=;c": "\u{1F600}\r\n"])
    #expect(echo["files"] == ["file": "from a file", "stream": "piece by piece", "part": "a"])
    #expect(echo["headers"]?["Transfer-Encoding"] == "chunked")
  }

  @Test func `the sandbox receives a multipart form with a large file`() async throws {
    try await withSandbox { session, sandbox in
      let folder = try TemporaryFolder()
      let path = try folder.write("big", (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let echo = try await session.upload(to: sandbox.url + "/multipart") { form in
        form.append(file: path, name: "big")
        form.append("x", name: "small")
      }.validate().json
      let parts = try #require(echo["parts"]?.arrayValue)
      #expect(parts.count == 2)
      #expect(parts[0]["size"] == 500_000)
    }
  }

  @Test func `if a multipart form contains a folder instead of a file, its request fails before anything is sent`() async throws {
    let server = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let folder = try TemporaryFolder()
    var form = MultipartFormData()
    form.append(file: folder.path, name: "x")
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: TransferRequest(url: server.url, method: .post, body: .multipart(form)))
    }
    guard case .upload(let file) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(file.path == folder.path)
  }

  @Test func `if a file of a multipart form is missing, the form fails before anything is sent`() async throws {
    let server = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    var form = MultipartFormData()
    var inner = MultipartFormData(kind: .mixed)
    inner.append(attachment: "/nowhere/at/all")
    form.append(inner, name: "x")
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: TransferRequest(url: server.url, method: .post, body: .multipart(form)))
    }
    guard case .upload(let file) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(file.path == "/nowhere/at/all")
    #expect(file.operation == .open)
  }

  @Test func `a multipart form is not repeatable if it contains a stream that can be read only once`() {
    let once = BodyStream(isRepeatable: false) { AsyncStream<[UInt8]> { $0.finish() } }
    var inner = MultipartFormData(kind: .mixed)
    inner.append(.init(name: nil, content: .stream(once)))
    var form = MultipartFormData()
    form.append(inner, name: "x")
    #expect(!TransferBody.multipart(form).isRepeatable)
    #expect(TransferBody.multipart(MultipartFormData()).isRepeatable)
  }

  // MARK: Round trips

  @Test func `a random multipart form reaches the server with the same part sizes`() async throws {
    var generator = SeededRandom(seed: 3)
    let server = try await Sandbox.start()
    let alphabet: [Character] = ["a", "\"", "\r", "\n", "-", "\\", " ", "\u{E4}", "%", ";", "=", "\u{1F600}", "\0", ":"]
    for _ in 0..<60 {
      var form = MultipartFormData()
      var sizes: [Int] = []
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let name = String((0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in alphabet.randomElement(using: &generator) })
        let content = (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        form.append(content, name: name, fileName: Bool.random(using: &generator) ? name : nil)
        sizes.append(content.count)
      }
      let response = try await engine.response(
        for: TransferRequest(url: server.url + "/multipart", method: .post, body: .multipart(form)))
      let echo = try JSONValue(parsing: response.bytes)
      #expect(response.status == .ok, "\(echo)")
      #expect(echo["parts"]?.arrayValue?.map { $0["size"] ?? .null } == sizes.map { JSONValue($0) })
    }
    await server.stop()
  }
}
