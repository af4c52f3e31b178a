public import FoundationEssentials
public import HTTPTypes

// Sessions and requests by the names of Alamofire.

extension Session {
  /// The shared session.
  @available(*, deprecated, renamed: "shared")
  public static var `default`: Session { .shared }

  /// Creates a session. An argument that is not nil replaces the corresponding property of the configuration. `eventMonitors` are added to
  /// the configuration's monitors.
  @available(*, deprecated, renamed: "init(_:engine:)")
  @_disfavoredOverload
  public convenience init(
    configuration: SessionConfiguration = .default, interceptor: (any RequestInterceptor)? = nil,
    serverTrustManager: ServerTrustManager? = nil, redirectHandler: (any RedirectHandler)? = nil,
    cachedResponseHandler: (any CachedResponseHandler)? = nil, eventMonitors: [any EventMonitor] = []
  ) {
    var configuration = configuration
    if let interceptor { configuration.interceptor = interceptor }
    if let serverTrustManager { configuration.settings.serverTrust = serverTrustManager }
    if let redirectHandler { configuration.redirectHandler = redirectHandler }
    if let cachedResponseHandler { configuration.cachedResponseHandler = cachedResponseHandler }
    configuration.eventMonitors += eventMonitors
    self.init(configuration)
  }

  /// Creates a request. The properties of `parameters` are encoded as the request's parameters.
  @available(*, deprecated, renamed: "request(_:method:parameters:encoding:headers:interceptor:modify:)")
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: some Encodable, encoder: some ParameterEncoding,
    headers: HTTPHeaders = HTTPHeaders(), interceptor: (any RequestInterceptor)? = nil
  ) -> DataRequest {
    request(url, method: method, parameters: parameters, encoding: encoder, headers: headers, interceptor: interceptor)
  }

  /// Reads a response piece by piece.
  @available(*, deprecated, renamed: "stream(_:method:headers:interceptor:modify:)")
  public func streamRequest(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPHeaders = HTTPHeaders(),
    interceptor: (any RequestInterceptor)? = nil
  ) -> DataStreamRequest {
    stream(url, method: method, headers: headers, interceptor: interceptor)
  }

  /// Uploads a file.
  @available(*, deprecated, renamed: "upload(file:to:method:headers:interceptor:modify:)")
  public func upload(
    _ file: URL, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders = HTTPHeaders(),
    interceptor: (any RequestInterceptor)? = nil
  ) -> UploadRequest {
    upload(file: file.path, to: url, method: method, headers: headers, interceptor: interceptor)
  }

  /// Uploads a form.
  @available(*, deprecated, renamed: "upload(to:method:headers:interceptor:modify:form:)")
  public func upload(
    multipartFormData build: (inout MultipartFormData) -> Void, to url: some URLConvertible, method: HTTPRequest.Method = .post,
    headers: HTTPHeaders = HTTPHeaders(), interceptor: (any RequestInterceptor)? = nil
  ) -> UploadRequest {
    upload(to: url, method: method, headers: headers, interceptor: interceptor, form: build)
  }

  /// Resumes an interrupted download.
  @available(*, deprecated, renamed: "download(resuming:to:headers:interceptor:modify:)")
  public func download(
    resumingWith data: ResumeData, interceptor: (any RequestInterceptor)? = nil, to target: DownloadTarget = .temporary
  ) -> DownloadRequest {
    download(resuming: data, to: target, interceptor: interceptor)
  }
}

extension Request {
  /// Answers the challenges of the request's origin with user and password.
  @available(*, deprecated, renamed: "authenticate(user:password:preemptive:)")
  @discardableResult
  public func authenticate(username: String, password: String) -> Self { authenticate(user: username, password: password) }

  /// Sends a credential with the request, but only to the request's origin.
  @available(*, deprecated, renamed: "authenticate(_:)")
  @discardableResult
  public func authenticate(with credential: Credential) -> Self { authenticate(credential) }

  /// Accepts only responses whose status is in `statusCode`.
  @available(*, deprecated, renamed: "validate(statuses:)")
  @discardableResult
  public func validate(statusCode: some Sequence<Int> & Sendable) -> Self { validate(statuses: statusCode) }

  /// Accepts responses whose media type matches one of `contentType`, and responses without content.
  @available(*, deprecated, renamed: "validate(contentTypes:)")
  @discardableResult
  public func validate(contentType: [String]) -> Self { validate(contentTypes: contentType) }

  /// Calls a closure with the upload progress.
  @available(*, deprecated, renamed: "onUploadProgress(_:)")
  @discardableResult
  public func uploadProgress(closure: @escaping @Sendable (RequestProgress) -> Void) -> Self { onUploadProgress(closure) }

  /// Calls a closure with the download progress.
  @available(*, deprecated, renamed: "onDownloadProgress(_:)")
  @discardableResult
  public func downloadProgress(closure: @escaping @Sendable (RequestProgress) -> Void) -> Self { onDownloadProgress(closure) }

  /// Calls a closure with the curl command of the request.
  @available(*, deprecated, message: "read the property cURLDescription")
  @discardableResult
  public func cURLDescription(calling closure: (String) -> Void) -> Self {
    closure(cURLDescription)
    return self
  }
}

extension DownloadRequest {
  /// Cancels the download, and calls a closure with its resume data.
  @available(*, deprecated, renamed: "cancelProducingResumeData()")
  @discardableResult
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (ResumeData?) -> Void) -> Self {
    Task { completionHandler(await self.cancelProducingResumeData()) }
    return self
  }
}

extension MultipartFormData {
  /// Adds a part with bytes to the form.
  @available(*, deprecated, renamed: "append(_:name:fileName:contentType:)")
  public mutating func append(_ bytes: some Collection<UInt8>, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
    append(bytes, name: name, fileName: fileName, contentType: mimeType)
  }

  /// Adds a part with the content of a file to the form.
  @available(*, deprecated, renamed: "append(file:name:fileName:contentType:)")
  public mutating func append(_ file: URL, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
    append(file: file.path, name: name, fileName: fileName, contentType: mimeType)
  }

  /// Adds a part with the content of a file to the form.
  @available(*, deprecated, renamed: "append(file:name:fileName:contentType:)")
  public mutating func append(file path: String, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
    append(file: path, name: name, fileName: fileName, contentType: mimeType)
  }
}

extension Interceptor {
  /// Creates an interceptor from an adapter and a retrier.
  @available(*, deprecated, renamed: "init(adapters:retriers:interceptors:)")
  public init(adapter: any RequestAdapter, retrier: any RequestRetrier) { self.init(adapters: [adapter], retriers: [retrier]) }
}

extension RetryPolicy {
  /// Creates a retry policy. The first wait is `exponentialBackoffScale` seconds, and each further wait is `exponentialBackoffBase` times
  /// as long.
  @available(*, deprecated, renamed: "init(limit:delay:factor:)")
  public init(retryLimit: Int, exponentialBackoffBase: Double = 2, exponentialBackoffScale: Double = 0.5) {
    self.init(limit: retryLimit, delay: .seconds(exponentialBackoffScale), factor: exponentialBackoffBase)
  }
}

extension Redirector {
  /// The way in which a redirector handles every redirect: it follows the redirect, or delivers the redirect as the response.
  public enum Behavior: Sendable, Hashable {
    /// Follows the redirect.
    case follow
    /// Delivers the redirect as the response.
    case doNotFollow
  }

  /// Creates a handler that makes the same decision for all redirects.
  @available(*, deprecated, message: "write Redirector.follow or Redirector.doNotFollow")
  public init(behavior: Behavior) { self = behavior == .follow ? .follow : .doNotFollow }
}

extension CachedResponseHandler where Self == ResponseCacher {
  /// Stores every response that the rules for HTTP caches allow to be stored.
  @available(*, deprecated, renamed: "keep")
  public static var cache: ResponseCacher { ResponseCacher.keep }
  /// Stores no response.
  @available(*, deprecated, renamed: "refuse")
  public static var doNotCache: ResponseCacher { ResponseCacher.refuse }
}

extension ResponseCacher {
  /// The decision whether a response is stored in the cache. The handler makes the same decision for every response.
  public enum Behavior: Sendable, Hashable {
    /// Stores the response in the cache, if the rules for HTTP caches allow this.
    case cache
    /// Does not store the response.
    case doNotCache
  }

  /// Creates a handler that stores either every response that may be stored by the rules for HTTP caches, or no response.
  @available(*, deprecated, message: "write ResponseCacher.keep or ResponseCacher.refuse")
  public init(behavior: Behavior) { self = behavior == .cache ? .keep : .refuse }
}
