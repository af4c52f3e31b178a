import Glibc
import GarlandText
import HTTPTypes

extension Transfer {
  /// The maximum size in bytes of content that is compressed before it is sent; larger content is compressed while it is sent.
  private static let compressedInPlaceLimit = 64 << 10

  /// Checks the request, opens its body for reading, and creates the state for redirects.
  func prepare(on loop: any TransferLoop) throws(NetworkingError) {
    isPrepared = true
    if !request.url.hasPrefix("http"), let resource = try LocalResource(request.url) {
      try prepare(resource)
      request.channel?.open(onDrain: goesOn(loop))
      return try checkTarget()
    }
    // If the URL begins like the last URL, up to its path, the results of all checks of this part are known.
    let known = context?.lastAuthority.flatMap { URLReference.isPlain(request.url, after: $0.prefix) ? $0 : nil }
    let url = try known == nil ? parsedURL() : nil
    if let url, url.scheme == "ftp" { try checkFTP() }
    var fields = request.headerFields
    var credentialFields = request.credentialFields
    if request.credential != nil || url?.userInfo != nil, fields[.authorization] == nil, let value = try authorization(for: url?.userInfo) {
      fields[.authorization] = value
      credentialFields.insert(.authorization)
    }
    if case .none = request.body { content.length = nil } else { try openBody(on: loop, fields: &fields) }
    request.channel?.open(onDrain: goesOn(loop))
    if request.method == .head, content.reader != nil {
      throw NetworkingError(.unsupported("a HEAD request with a body"), url: request.url)
    }
    try checkTarget()
    let settings = request.settings
    if let known {
      sentHead.knownAuthority = known
      origin = known.origin
      hop = RedirectState(
        method: request.method, text: request.url, known: known, headerFields: fields, sendsBody: content.reader != nil,
        credentialFields: credentialFields, policy: settings.redirects, boundary: settings.redirectBoundary)
    } else if let url {
      origin = url.origin
      hop = RedirectState(
        method: request.method, url: url, headerFields: fields, sendsBody: content.reader != nil, credentialFields: credentialFields,
        policy: settings.redirects, boundary: settings.redirectBoundary)
    }
  }

  /// Returns a closure that continues the transfer. The closure can be called on any thread: by a body stream that has a piece to send, or
  /// by a consumer of the response that can receive more bytes. Create the closure only for such a stream or consumer, since the weak
  /// references in the closure are expensive.
  private func goesOn(_ loop: any TransferLoop) -> @Sendable () -> Void {
    { [weak loop, weak self] in
      if let loop, let self { loop.resumeSending(self) }
    }
  }

  private func checkTarget() throws(NetworkingError) {
    guard case .file(let target) = request.destination else { return }
    do throws(FileFailure) {
      try Directories.check(target.name == .given ? FilePath.split(target.path).folder : target.path)
    } catch {
      throw NetworkingError(.download(error), url: request.url)
    }
    var code: Int32?
    if target.name == .given, access(target.path, F_OK) == 0, !target.replacesExisting {
      code = EEXIST
    } else {
      let folder = target.name == .given ? FilePath.split(target.path).folder : target.path
      code = Directories.obstacle(in: folder, createsMissing: target.createsDirectories)
    }
    guard let code else { return }
    throw NetworkingError(.download(.init(path: target.path, operation: .create, detail: systemMessage(code))), url: request.url)
  }

  private func parsedURL() throws(NetworkingError) -> URLReference {
    do throws(URLReferenceError) {
      var url = try URLReference(request.url)
      guard let scheme = url.scheme else { throw URLReferenceError(.missingScheme, in: request.url) }
      guard scheme == "http" || scheme == "https" || scheme == "ftp" else {
        throw URLReferenceError(.unsupportedScheme(scheme), in: request.url)
      }
      guard url.host != nil else { throw URLReferenceError(.missingHost, in: request.url) }
      url.path = url.path.isEmpty ? "/" : DotSegments.removed(from: url.path)
      if url.userInfo == nil, scheme != "ftp" { context?.lastAuthority = LastAuthority(url) }
      return url
    } catch {
      throw NetworkingError(.invalidRequest(error.description), url: request.url)
    }
  }

  /// Returns the `Authorization` value for the request's own credential, or else for the user in the URL; nil if there is neither.
  private func authorization(for userInfo: String?) throws(NetworkingError) -> String? {
    switch request.credential {
    case .challenged, .digest, .negotiate, .ntlm, .aws: return nil
    case .bearer(let token): return "Bearer \(token)"
    case .basic(let user, let password):
      do throws(NetworkingError) {
        return try Self.basicAuthorization(user: user, password: password)
      } catch {
        throw NetworkingError(error.reason, url: request.url)
      }
    case nil:
      guard let userInfo else { return nil }
      let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      var bytes = PercentEncoding.decode(parts[0])
      bytes.append(UInt8(ascii: ":"))
      if parts.count > 1 { bytes += PercentEncoding.decode(parts[1]) }
      return "Basic " + Base64.encode(bytes)
    }
  }

  /// Returns an `Authorization` value for Basic, with user and password (RFC 7617, section 2).
  static func basicAuthorization(user: String, password: String) throws(NetworkingError) -> String {
    if user.utf8.contains(UInt8(ascii: ":")) {
      throw NetworkingError(.invalidRequest("a user's name with a colon can't be sent by basic authentication"))
    }
    return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
  }

  private func openBody(on loop: any TransferLoop, fields: inout HTTPFields) throws(NetworkingError) {
    do throws(NetworkingError) {
      let compression = request.compression
      switch request.body {
      case .bytes(let bytes):
        if let compression {
          if bytes.count <= Self.compressedInPlaceLimit { content.bytes = try DeflateReader.compressed(bytes, compression) }
        } else {
          content.bytes = bytes
        }
      case .multipart(let form): if fields[.contentType] == nil { fields[.contentType] = form.contentType }
      case .none, .file, .stream: break
      }
      if let bodyBytes = content.bytes {
        content.reader = BytesReader(bodyBytes)
      } else {
        content.reader = try request.body.reader(compressedBy: compression, onReady: goesOn(loop))
      }
      if let compression, content.reader != nil {
        fields[.contentEncoding] = (fields[.contentEncoding].map { $0 + ", " } ?? "") + compression.coding.rawValue
      }
    } catch {
      var error = error
      error.url = request.url
      throw error
    }
    content.length = content.reader?.length
  }
}
