import GarlandNetworking
import TestSupport
import Testing

/// Tests serializers that are given by name, and the serializers that wrap others.
@Suite(.timeLimit(.minutes(15))) struct PreprocessorTests {
  private struct User: Codable, Equatable, Sendable {
    var name: String
  }

  private func request(_ text: String, status: Int = 200, method: HTTPRequest.Method = .get) -> DataRequest {
    Session(.stubbed { _ in StubbedResponse.text(text).with(status: status) }).request("https://h/", method: method)
  }

  @Test func `a response serializer can be passed to the method 'response' in a short form, such as '.json'`() async throws {
    let user = request(#"{"name":"Ada"}"#)
    #expect(try await user.response(.decodable(of: User.self)).value == User(name: "Ada"))
    #expect(try await user.response(.json).value == ["name": "Ada"])
    #expect(try await user.response(.string).value == #"{"name":"Ada"}"#)
    #expect(try await user.response(.data).value.count == 14)
    #expect(try await request("<p>x</p>").response(.html).value.select("string(//p)").text == "x")
    let asNumber = DecodableResponseSerializer(of: Int.self).map { "\($0)" }
    let asUser = DecodableResponseSerializer(of: User.self).map { $0.name }
    let either = await user.response(.first(of: asNumber, asUser))
    #expect(try either.value == "Ada")
  }

  @Test func `a preprocessor changes the response body before the response serializer reads the body`() async throws {
    let value = await request(")]}',\n{\"name\":\"Ada\"}").response(.decodable(of: User.self).preprocessed(by: .googleXSSI))
    #expect(try value.value == User(name: "Ada"))
    let plain = await request(#"{"name":"Ada"}"#).response(.decodable(of: User.self).preprocessed(by: .googleXSSI))
    #expect(try plain.value == User(name: "Ada"))
    let unchanged = await request(#"{"name":"Ada"}"#).response(.decodable(of: User.self).preprocessed(by: .passthrough))
    #expect(try unchanged.value == User(name: "Ada"))
  }

  @Test func `an error of a preprocessor is reported as a serialization error`() async throws {
    struct Broken: DataPreprocessor, Error {
      func preprocess(_ bytes: [UInt8]) throws -> [UInt8] { throw self }
    }
    let response = await request("x").response(.string.preprocessed(by: Broken()))
    #expect(response.error?.reason == .serialization(.custom(.init(Broken()))))
  }

  @Test func `an empty response is accepted if the serializer allows empty responses for the status or for the request method`()
    async throws
  {
    #expect(await request("").response(.string).error?.reason == .serialization(.empty))
    #expect(try await request("").response(.string.allowingEmpty(statuses: [200])).value == "")
    #expect(try await request("", method: .post).response(.json.allowingEmpty(methods: [.post])).value == .null)
    #expect(await request("", status: 204).response(.string.allowingEmpty(statuses: [200])).error?.reason == .serialization(.empty))
  }

  @Test func `the methods 'map' and 'mapError' of a response convert its value and its error`() async throws {
    let response = await request("5").response(.json)
    #expect(try response.map { "\($0)" }.value == "5")
    #expect(try response.mapError { _ in NetworkingError(.cancelled) }.value == 5)
    let failed = await request("").response(.json)
    #expect(failed.mapError { _ in NetworkingError(.shutDown) }.error?.reason == .shutDown)
    struct Odd: Error {}
    #expect(failed.tryMapError { _ in throw Odd() }.error?.reason == .serialization(.custom(.init(Odd()))))
    #expect(response.tryMap { _ throws -> Int in throw Odd() }.error?.reason == .serialization(.custom(.init(Odd()))))
    #expect(response.tryMap { _ in 1 }.status == 200)
    #expect(try response.tryMapError { _ in throw Odd() }.value == 5)
    #expect(failed.map { _ in 1 }.error?.reason == .serialization(.empty))
    #expect(failed.tryMap { _ throws -> Int in throw Odd() }.error?.reason == .serialization(.empty))
  }

  @Test func `map, tryMap, mapError and tryMapError convert the value or the error of a download response`() async throws {
    let folder = try TemporaryFolder()
    let request = Session(.stubbed { _ in .text("5") }).download("https://h/", to: DownloadTarget(path: folder.path + "/five"))
    let response = await request.response(.json)
    #expect(try response.map { "\($0)" }.value == "5")
    #expect(response.map { _ in 0 }.path == request.path)
    struct Odd: Error {}
    #expect(response.tryMap { _ throws -> Int in throw Odd() }.error?.reason == .serialization(.custom(.init(Odd()))))
    #expect(try response.mapError { _ in NetworkingError(.cancelled) }.value == 5)
    #expect(try response.tryMapError { _ in throw Odd() }.value == 5)
    #expect(try await request.response(of: Int.self).value == 5)
    let failed = await request.response(of: [Int].self)
    #expect(failed.map { _ in 1 }.error?.reason == failed.error?.reason)
    #expect(failed.tryMap { _ throws -> Int in throw Odd() }.error?.reason == failed.error?.reason)
    #expect(failed.mapError { _ in NetworkingError(.shutDown) }.error?.reason == .shutDown)
    #expect(failed.tryMapError { _ in throw Odd() }.error?.reason == .serialization(.custom(.init(Odd()))))
  }

  @Test(arguments: [true, false])
  func `the connection of a stream is closed if its serializer throws, or if the caller ends the loop over the stream`(_ isSerializer: Bool)
    async throws
  {
    struct Odd: Error {}
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
      connection.readToEnd()
      end.finish()
    }
    let stream = Session(.ephemeral).stream(server.url)
    await #expect(throws: (any Error).self) {
      if isSerializer {
        for try await _ in stream.values(with: .decodable(of: User.self)) {}
      } else {
        for try await _ in stream { throw Odd() }
      }
    }
    // Ends when the server has seen the end of the connection.
    for await _ in ends {}
    withExtendedLifetime(stream) {}
  }

  @Test func `each piece of a stream can be read as text or decoded from JSON`() async throws {
    let session = Session(.stubbed { _ in .text(#"{"name":"Ada"}"#) })
    var text = ""
    for try await piece in session.stream("https://h/").values(with: .string) { text += piece }
    #expect(text == #"{"name":"Ada"}"#)
    var users: [User] = []
    for try await user in session.stream("https://h/").values(with: .decodable(of: User.self)) { users.append(user) }
    #expect(users == [User(name: "Ada")])
  }

  @Test func `a preprocessor changes each piece of a stream before the serializer reads it`() async throws {
    let stream = Session(.stubbed { _ in .text(")]}',\n{\"name\":\"Ada\"}") }).stream("https://h/")
    var users: [User] = []
    for try await user in stream.values(with: .decodable(of: User.self, preprocessor: .googleXSSI)) { users.append(user) }
    #expect(users == [User(name: "Ada")])
  }

  @Test func `a custom serializer converts the pieces of a stream`() async throws {
    struct Count: DataStreamSerializer {
      func serialize(_ piece: [UInt8]) -> Int { piece.count }
    }
    var total = 0
    let text = String(repeating: "x", count: 100_000)
    for try await count in Session(.stubbed { _ in .text(text) }).stream("https://h/").values(with: Count()) { total += count }
    #expect(total == 100_000)
  }

  @Test func `if the serializer of a stream refuses a piece of the body, the stream ends with an error`() async throws {
    let stream = Session(.stubbed { _ in .text("{") }).stream("https://h/").values(with: .decodable(of: User.self))
    let error = await #expect(throws: NetworkingError.self) { for try await _ in stream {} }
    #expect(error?.reason.kind == .serialization)
  }

  @Test func `a DataResponse and a DownloadResponse can be created from a request, a response and a result`() throws {
    let request = TransferRequest(url: "https://h/")
    let made = DataResponse(request: request, response: TransferResponse(to: request, status: .notFound), result: .success(1))
    #expect(made.status == 404)
    #expect(made.description == "GET https://h/ (404): 1")
    let download = DownloadResponse(request: nil, response: nil, path: "/x", result: .success("/x"))
    #expect(try download.value == "/x")
  }
}
