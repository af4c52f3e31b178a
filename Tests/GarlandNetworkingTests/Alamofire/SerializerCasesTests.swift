import Foundation
import GarlandNetworking
import TestSupport
import Testing

/// Tests serializers with various contents, statuses and methods, as Alamofire's tests do.
@Suite struct SerializerCasesTests {
  struct Text: Decodable, EmptyResponse, Sendable, Equatable {
    static let emptyValue = Text(string: "")
    var string: String
  }

  private func content(_ text: String = "", status: Int = 200, method: HTTPRequest.Method = .get, type: String? = nil) -> ResponseContent {
    content(bytes: Array(text.utf8), status: status, method: method, type: type)
  }

  private func content(bytes: [UInt8], status: Int = 200, method: HTTPRequest.Method = .get, type: String? = nil) -> ResponseContent {
    let request = TransferRequest(url: "https://h/", method: method)
    var fields = HTTPFields()
    if let type { fields[.contentType] = type }
    let response = TransferResponse(to: request, status: .init(code: status), headerFields: fields, body: bytes)
    return ResponseContent(request: request, response: response, bytes: bytes)
  }

  @Test func `the data serializer fails for a 200 response without content`() throws {
    #expect(try DataResponseSerializer().serialize(content("data")) == Array("data".utf8))
    #expect(throws: NetworkingError.Serialization.empty) { try DataResponseSerializer().serialize(content()) }
  }

  @Test(arguments: [(204, .get), (205, .get), (200, .head)] as [(Int, HTTPRequest.Method)])
  func `serializers accept an empty body for 204, 205 and HEAD`(_ status: Int, _ method: HTTPRequest.Method) throws {
    let empty = content(status: status, method: method)
    #expect(try DataResponseSerializer().serialize(empty) == [])
    #expect(try StringResponseSerializer().serialize(empty) == "")
    #expect(try JSONResponseSerializer().serialize(empty) == .null)
    #expect(try DecodableResponseSerializer<Empty>().serialize(empty) == Empty())
    #expect(try DecodableResponseSerializer<Text>().serialize(empty) == Text(string: ""))
  }

  @Test func `an empty response can't be decoded as a type without an empty value`() {
    #expect(throws: NetworkingError.Serialization.empty) { try DecodableResponseSerializer<Int>().serialize(content(status: 204)) }
  }

  @Test func `the text serializer fails for a 200 response without content`() {
    #expect(throws: NetworkingError.Serialization.empty) { try StringResponseSerializer().serialize(content()) }
  }

  @Test func `text is decoded with the charset of the caller, or else of the response, or else as ISO-8859-1`() throws {
    #expect(try StringResponseSerializer().serialize(content("data")) == "data")
    #expect(try StringResponseSerializer(charset: "utf-8").serialize(content("data")) == "data")
    #expect(try StringResponseSerializer().serialize(content("data", type: "image/jpeg; charset=utf-8")) == "data")
  }

  @Test func `text in UTF-32 is not decoded as UTF-8`() {
    let bytes: [UInt8] = [0xFF, 0xFE, 0, 0] + "random data".unicodeScalars.flatMap { [UInt8($0.value), 0, 0, 0] }
    #expect(throws: NetworkingError.Serialization.string(charset: "utf-8")) {
      try StringResponseSerializer(charset: "utf-8").serialize(content(bytes: bytes))
    }
    #expect(throws: NetworkingError.Serialization.string(charset: "utf-8")) {
      try StringResponseSerializer().serialize(content(bytes: bytes, type: "image/jpeg; charset=utf-8"))
    }
  }

  @Test func `the JSON serializer returns the parsed JSON, or an error for invalid JSON or an empty body`() throws {
    #expect(try JSONResponseSerializer().serialize(content(#"{"json": true}"#)) == ["json": true])
    #expect(throws: NetworkingError.Serialization.self) { try JSONResponseSerializer().serialize(content("definitely not valid json")) }
    #expect(throws: NetworkingError.Serialization.empty) { try JSONResponseSerializer().serialize(content()) }
  }

  @Test func `the Decodable serializer returns the decoded value, or an error for an invalid value or an empty body`() throws {
    #expect(try DecodableResponseSerializer<Text>().serialize(content(#"{"string":"string"}"#)) == Text(string: "string"))
    #expect(throws: NetworkingError.Serialization.self) {
      try DecodableResponseSerializer<Text>().serialize(content("definitely not valid"))
    }
    #expect(throws: NetworkingError.Serialization.empty) { try DecodableResponseSerializer<Text>().serialize(content()) }
  }

  @Test func `if the validation of a response fails, every response serializer returns the validation error`() async {
    let session = Session(.stubbed { _ in .status(404) })
    let expected = NetworkingError.Reason.validation(.unacceptableStatus(404))
    let request = session.request("https://h/").validate()
    #expect(await request.response(.data).error?.reason == expected)
    #expect(await request.response(.string).error?.reason == expected)
    #expect(await request.response(.json).error?.reason == expected)
    #expect(await request.response(of: Text.self).error?.reason == expected)
    let download = session.download("https://h/").validate()
    #expect(await download.response().error?.reason == expected)
    #expect(await download.response(.data).error?.reason == expected)
    #expect(await download.response(.string).error?.reason == expected)
    #expect(await download.response(.json).error?.reason == expected)
  }

  // MARK: Files

  @Test func `each kind of response serializer can read the content of a downloaded file`() async throws {
    let folder = try TemporaryFolder()
    let session = Session(.stubbed { _ in .text(#"{"string":"é"}"#, contentType: "application/json; charset=utf-8") })
    let download = session.download("https://h/", to: DownloadTarget(path: folder.path + "/file"))
    #expect(try await download.file == folder.path + "/file")
    #expect(try await download.data.count == 15)
    #expect(try await download.string == #"{"string":"é"}"#)
    #expect(try await download.json == ["string": "é"])
    #expect(try await download.response(of: Text.self).value == Text(string: "é"))
  }

  @Test func `response serializers accept an empty downloaded file if the status is 204, but not if the status is 200`() async throws {
    let folder = try TemporaryFolder()
    func download(_ status: Int) -> DownloadRequest {
      Session(.stubbed { _ in .status(status) }).download("https://h/", to: DownloadTarget(path: folder.path + "/\(UUID())"))
    }
    for error in [
      await download(200).response(.data).error, await download(200).response(.string).error, await download(200).response(.json).error,
      await download(200).response(of: Text.self).error,
    ] {
      #expect(error?.reason == .serialization(.empty))
    }
    #expect(try await download(204).response(.data).value == [])
    #expect(try await download(204).response(.string).value == "")
    #expect(try await download(205).response(.json).value == .null)
  }

  @Test func `the JSON serializer and the Decodable serializer refuse a downloaded file that is not JSON`() async throws {
    let folder = try TemporaryFolder()
    let session = Session(.stubbed { _ in .text("definitely not valid json") })
    let json = await session.download("https://h/", to: DownloadTarget(path: folder.path + "/1")).response(.json)
    let value = await session.download("https://h/", to: DownloadTarget(path: folder.path + "/2")).response(of: Text.self)
    for error in [json.error, value.error] {
      guard case .serialization(.json) = error?.reason else {
        Issue.record("\(error?.description ?? "no error")")
        return
      }
    }
  }

  @Test func `many concurrent downloads are each written to their own file`() async throws {
    let folder = try TemporaryFolder()
    let session = Session(.stubbed { request in .text(request.url) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let target = DownloadTarget(path: folder.path + "/\(number)")
          let text = try await session.download("https://h/\(number)", to: target).string
          #expect(text == "https://h/\(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(folder.names.count == 20)
  }

  @Test func `if a downloaded file was removed, reading its content gives a serialization error that names the file`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let download = Session(.stubbed { _ in .text("a") }).download("https://h/", to: DownloadTarget(path: path))
    _ = try await download.file
    try FileManager.default.removeItem(atPath: path)
    guard case .serialization(.file(let file)) = await download.response(.string).error?.reason else {
      Issue.record("another error")
      return
    }
    #expect(file.path == path)
  }

  // MARK: Preprocessors and serializers of one's own

  private struct DropFirst: DataPreprocessor {
    func preprocess(_ bytes: [UInt8]) throws -> [UInt8] { Array(bytes.dropFirst()) }
  }

  private struct Throwing: DataPreprocessor {
    struct Failure: Error {}
    func preprocess(_ bytes: [UInt8]) throws -> [UInt8] { throw Failure() }
  }

  @Test func `if a response serializer has a preprocessor, the serializer reads the body that the preprocessor returns`() throws {
    #expect(try DataResponseSerializer().preprocessed(by: DropFirst()).serialize(content("abcd")) == Array("bcd".utf8))
    #expect(try StringResponseSerializer().preprocessed(by: DropFirst()).serialize(content("abcd")) == "bcd")
    #expect(try JSONResponseSerializer().preprocessed(by: DropFirst()).serialize(content(#"1"abcd""#)) == "abcd")
    let decodable = DecodableResponseSerializer<Text>().preprocessed(by: DropFirst())
    #expect(try decodable.serialize(content(#"1{"string":"string"}"#)) == Text(string: "string"))
  }

  @Test func `if a preprocessor throws an error, each serializer that uses the preprocessor throws an error, too`() {
    #expect(throws: (any Error).self) { try DataResponseSerializer().preprocessed(by: Throwing()).serialize(content("abcd")) }
    #expect(throws: (any Error).self) { try StringResponseSerializer().preprocessed(by: Throwing()).serialize(content("abcd")) }
    #expect(throws: (any Error).self) { try JSONResponseSerializer().preprocessed(by: Throwing()).serialize(content("1")) }
    #expect(throws: (any Error).self) { try DecodableResponseSerializer<Int>().preprocessed(by: Throwing()).serialize(content("1")) }
  }

  @Test func `GoogleXSSIPreprocessor removes only Google's security prefix from the body of a JSON response`() throws {
    #expect(GoogleXSSIPreprocessor().preprocess(Array(")]}',\nabcd".utf8)) == Array("abcd".utf8))
    #expect(GoogleXSSIPreprocessor().preprocess(Array("abcd".utf8)) == Array("abcd".utf8))
    #expect(PassthroughPreprocessor().preprocess(Array("abcd".utf8)) == Array("abcd".utf8))
  }
}
