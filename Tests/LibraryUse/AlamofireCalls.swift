import FoundationEssentials
import GarlandNetworking

// The commonest calls of Alamofire 5, as programs have them. Each has to compile; a comment says where the
// page for those who come from Alamofire has another form.

private struct Login: Codable, Sendable {
  var email: String
  var password: String
}
private struct Item: Codable, Sendable { var id: Int }
private struct NoContent: Error {}

@available(*, deprecated)
func alamofire1() { AF.request(url).response { response in debugPrint(response) } }

@available(*, deprecated)
func alamofire2() { _ = AF.request(url, method: .post) }

@available(*, deprecated)
func alamofire3() {
  let login = Login(email: "a@example.com", password: "p")
  AF.request(url, method: .post, parameters: login, encoder: JSONParameterEncoder.default).response { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire4() {
  let parameters = ["foo": "bar"]
  _ = AF.request(url, parameters: parameters)
  _ = AF.request(url, parameters: parameters, encoder: URLEncodedFormParameterEncoder.default)
  _ = AF.request(url, parameters: parameters, encoder: URLEncodedFormParameterEncoder(destination: .methodDependent))
}

@available(*, deprecated)
func alamofire5() {
  let parameters: [String: [String]] = ["foo": ["bar"], "baz": ["a", "b"]]
  _ = AF.request(url, method: .post, parameters: parameters)
  _ = AF.request(url, method: .post, parameters: parameters, encoder: URLEncodedFormParameterEncoder(destination: .httpBody))
}

@available(*, deprecated)
func alamofire6() {
  let headers: HTTPHeaders = ["Authorization": "Basic VXNlcm5hbWU6UGFzc3dvcmQ=", "Accept": "application/json"]
  AF.request(url, headers: headers).responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire7() {
  let headers: HTTPHeaders = [.authorization(username: "Username", password: "Password"), .accept("application/json")]
  AF.request(url, headers: headers).responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire8() { AF.request(url).validate().responseData { response in debugPrint(response) } }

@available(*, deprecated)
func alamofire9() {
  AF.request(url).validate(statusCode: 200..<300).validate(contentType: ["application/json"]).responseData { response in
    switch response.result {
    case .success: print("Validation Successful")
    case let .failure(error): print(error)
    }
  }
}

@available(*, deprecated)
func alamofire10() { AF.request(url).responseString { response in debugPrint("Response: \(response)") } }

@available(*, deprecated)
func alamofire11() { AF.request(url).responseJSON { response in debugPrint("Response: \(response)") } }

@available(*, deprecated)
func alamofire12() {
  AF.request(url).responseString { response in print("Response String: \(String(describing: try? response.value))") }
    .responseDecodable(of: Item.self) { response in print("Response Decodable: \(String(describing: try? response.value))") }
}

@available(*, deprecated)
func alamofire13() {
  let user = "user"
  let password = "password"
  AF.request(url).authenticate(username: user, password: password).responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire14() { AF.download(url).responseURL { response in debugPrint(response) } }

@available(*, deprecated)
func alamofire15() { AF.download(url).responseData { response in if let data = try? response.value { print(data.count) } } }

@available(*, deprecated)
func alamofire16() {
  AF.download(url).downloadProgress { progress in print("Download Progress: \(progress.fractionCompleted)") }
    .responseData { response in if let data = try? response.value { print(data.count) } }
}

// `DownloadRequest.Destination` is a `DownloadTarget`.
@available(*, deprecated)
func alamofire17() {
  let destination = DownloadTarget(path: "/tmp/image.png", replacesExisting: true, createsDirectories: true)
  AF.download(url, to: destination).response { response in
    debugPrint(response)
    if response.error == nil, let path = response.path { print(path) }
  }
}

// `suggestedDownloadDestination` is a name of a `DownloadTarget`.
@available(*, deprecated)
func alamofire18() { _ = AF.download(url, to: DownloadTarget(path: "/tmp", name: .suggested)) }

@available(*, deprecated)
func alamofire19() async {
  let download = AF.download(url)
  download.cancel { data in if let data { AF.download(resumingWith: data).responseData { print($0) } } }
  let resumeData = await download.cancelProducingResumeData()
  if let resumeData { AF.download(resumingWith: resumeData).responseData { response in print(response) } }
}

@available(*, deprecated)
func alamofire20() {
  let data = Data("data".utf8)
  AF.upload(data, to: url).responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire21() {
  let fileURL = URL(filePath: "/tmp/video.mov")
  AF.upload(fileURL, to: url).responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire22() {
  AF.upload(
    multipartFormData: { multipartFormData in
      multipartFormData.append(Data("one".utf8), withName: "one")
      multipartFormData.append(Data("two".utf8), withName: "two")
    }, to: url
  ).responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire23() {
  let fileURL = URL(filePath: "/tmp/video.mov")
  AF.upload(fileURL, to: url).uploadProgress { progress in print("Upload Progress: \(progress.fractionCompleted)") }
    .downloadProgress { progress in print("Download Progress: \(progress.fractionCompleted)") }
    .responseDecodable(of: Item.self) { response in debugPrint(response) }
}

@available(*, deprecated)
func alamofire24() {
  _ = AF.upload(
    multipartFormData: { form in
      form.append(URL(filePath: "/tmp/a.png"), withName: "image")
      form.append(URL(filePath: "/tmp/a.png"), withName: "image", fileName: "a.png", mimeType: "image/png")
      form.append(Data([1]), withName: "raw", fileName: "raw.bin", mimeType: "application/octet-stream")
    }, to: url, method: .put, headers: ["X-A": "b"])
}

// A stream is a sequence of its pieces, in place of `responseStream`.
@available(*, deprecated)
func alamofire25() async throws { for try await data in AF.streamRequest(url) { print(data) } }

@available(*, deprecated)
func alamofire26() async throws { for try await string in AF.streamRequest(url).values(with: .string) { print(string) } }

@available(*, deprecated)
func alamofire27() async throws { for try await item in AF.streamRequest(url).values(of: Item.self) { print(item) } }

@available(*, deprecated)
func alamofire28() {
  AF.request(url).cURLDescription { description in print(description) }.responseDecodable(of: Item.self) { response in
    debugPrint(response.metrics)
  }
}

@available(*, deprecated)
func alamofire29() async throws {
  let value = try await AF.request(url).serializingDecodable(Item.self).value
  let response = await AF.request(url).serializingString().response
  let result = await AF.request(url).serializingData().result
  print(value, response, result)
}

@available(*, deprecated)
func alamofire30() async throws {
  let path = try await AF.download(url).serializingDownloadedFileURL().value
  let item = try await AF.download(url).serializingDecodable(Item.self).value
  print(path, item)
}

// `streamTask()` is the request itself.
@available(*, deprecated)
func alamofire31() async throws {
  let stream = AF.streamRequest(url)
  let head = try await stream.waitForHead()
  print(head.status)
  for try await line in stream.lines { print(line) }
}

@available(*, deprecated)
func alamofire32() {
  let interceptor = Interceptor(adapter: TokenAdapter(), retrier: RetryPolicy())
  let session = Session(interceptor: interceptor)
  _ = session.request(url, interceptor: interceptor)
}

private struct TokenAdapter: RequestAdapter {
  func adapt(_ request: TransferRequest) async throws -> TransferRequest { request }
}

@available(*, deprecated)
func alamofire33() {
  AF.request(url, interceptor: .retryPolicy).responseDecodable(of: Item.self) { _ in }
  _ = AF.request(url, interceptor: RetryPolicy(retryLimit: 3, exponentialBackoffBase: 2, exponentialBackoffScale: 0.5))
}

@available(*, deprecated)
func alamofire34() {
  AF.request(url).redirect(using: Redirector(behavior: .doNotFollow)).cacheResponse(using: ResponseCacher(behavior: .doNotCache))
  AF.request(url).redirect(using: .follow).cacheResponse(using: .doNotCache)
}

// There is no bundle with certificates: the evaluators are given theirs.
@available(*, deprecated)
func alamofire35() throws {
  let manager = try ServerTrustManager(evaluators: [
    "example.com": PinnedCertificatesTrustEvaluator(Certificate.all(inFile: "api.pem")),
    "keys.example.com": PublicKeysTrustEvaluator("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    "test.example.com": DisabledTrustEvaluator(),
  ])
  let session = Session(serverTrustManager: manager)
  _ = session.request(url)
}

// `URLSessionConfiguration` is a `SessionConfiguration`.
@available(*, deprecated)
func alamofire36() {
  var configuration = SessionConfiguration.default
  configuration.settings.idleTimeout = .seconds(10)
  let session = Session(configuration: configuration)
  _ = session.request(url)
}

// `startListening` is a loop over the changes.
@available(*, deprecated)
func alamofire37() async throws {
  let manager = NetworkReachabilityManager(host: "www.apple.com")
  for try await status in manager.changes { print("Network Status Changed: \(status)") }
}

private enum Router: URLRequestConvertible {
  case get, post
  func asURLRequest() throws -> TransferRequest {
    var request = TransferRequest(url: url)
    request.method = .get
    return request
  }
}

@available(*, deprecated)
func alamofire38() { AF.request(Router.get).responseDecodable(of: Item.self) { _ in } }

// A modifier changes a `TransferRequest`.
@available(*, deprecated)
func alamofire39() { AF.request(url) { $0.settings.idleTimeout = .seconds(5) }.response { _ in } }

// A validation throws its error.
@available(*, deprecated)
func alamofire40() {
  let request = AF.request(url)
  request.suspend()
  request.resume()
  request.cancel()
  request.validate { _, response in if response.bytes.isEmpty { throw NoContent() } }
}

@available(*, deprecated)
func alamofire41() {
  _ = AF.request(url, method: .post, parameters: ["a": 1], encoding: JSONEncoding.default)
  _ = AF.request(url, method: .get, parameters: ["a": 1, "b": "c"], encoding: URLEncoding.default, headers: ["X-A": "b"])
  _ = AF.request(url, method: .get, parameters: ["a": [1, 2]], encoding: URLEncoding(arrayEncoding: .noBrackets))
  _ = AF.request(url, method: .get, parameters: nil, encoding: URLEncoding.default)
  _ = AF.request(url, method: .get, headers: nil)
}

// `streamMessageEvents` is a loop over the messages.
@available(*, deprecated)
func alamofire42() async throws {
  let socket = AF.webSocket(url)
  print(try await socket.open().subprotocol ?? "")
  for try await message in socket.messages { print(message) }
  print(await socket.closing?.code ?? .noCode)
}

@available(*, deprecated)
func alamofire43() {
  AF.request(url).responseDecodable(of: Item.self) { response in
    switch response.result {
    case .success(let item): print(item.id)
    case .failure(let error):
      print(response.response?.statusCode ?? 0, response.response?.headers["X-Request-ID"] ?? "")
      print(error.description, error.responseCode ?? 0, error.isExplicitlyCancelledError, response.status ?? 0, response.data.count)
    }
  }
}
