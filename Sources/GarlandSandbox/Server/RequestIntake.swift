import GarlandCrypto
import NIOCore

/// Receives a body. Computes the size and the digest of the whole body and of each part of a multipart body, and keeps their first bytes.
final class RequestIntake {
  /// A part of a multipart body that has not arrived completely.
  private struct OpenPart {
    var part: ReceivedPart
    let hasher: DigestHasher
  }

  private let keptLimit: Int
  private let partKeptLimit: Int
  private var body = ReceivedBody()
  private var hasher: DigestHasher?
  private var multipart: MultipartParser?
  private var openPart: OpenPart?
  private var failure: CryptoError?

  init(request: SandboxRequest, keptLimit: Int, partKeptLimit: Int) {
    self.keptLimit = keptLimit
    self.partKeptLimit = partKeptLimit
    guard let type = request.contentType, type.essence == "multipart/form-data" else { return }
    body.parts = []
    guard let boundary = type["boundary"], (1...200).contains(boundary.utf8.count) else {
      body.multipartFault = "the Content-Type has no usable boundary"
      return
    }
    multipart = MultipartParser(boundary: boundary)
  }

  /// The number of bytes of the body that have arrived.
  var size: Int { body.size }

  func add(_ buffer: ByteBuffer) throws(CryptoError) {
    let hasher: DigestHasher
    if let current = self.hasher { hasher = current } else { hasher = try DigestHasher(.sha256) }
    self.hasher = hasher
    buffer.withUnsafeReadableBytes { bytes in
      body.size += bytes.count
      body.kept.append(contentsOf: bytes.prefix(keptLimit - body.kept.count))
      attempt { () throws(CryptoError) in try hasher.update(bytes) }
      multipart?.feed(bytes) { event in receive(event) }
    }
    if let failure { throw failure }
  }

  /// Returns the size, the digest and the first bytes of the body. Call this method when the whole body has arrived.
  func finish(trailers: [HeaderField]) throws(CryptoError) -> ReceivedBody {
    body.trailers = trailers
    if let hasher { body.sha256 = try hasher.finish().hex }
    if let multipart { body.multipartFault = multipart.fault(atEnd: true) }
    return body
  }

  private func receive(_ event: MultipartParser.Event) {
    switch event {
    case .partBegan(let headers):
      attempt { () throws(CryptoError) in
        openPart = OpenPart(part: ReceivedPart(headers: headers), hasher: try DigestHasher(.sha256))
      }
    case .data(let bytes):
      guard let hasher = openPart?.hasher else { return }
      openPart?.part.size += bytes.count
      let room = partKeptLimit - (openPart?.part.kept.count ?? 0)
      if room > 0 { openPart?.part.kept.append(contentsOf: bytes.prefix(room)) }
      attempt { () throws(CryptoError) in try hasher.update(bytes) }
    case .partEnded:
      guard var open = openPart else { return }
      openPart = nil
      attempt { () throws(CryptoError) in
        open.part.sha256 = try open.hasher.finish().hex
        body.parts?.append(open.part)
      }
    }
  }

  /// Calls `work` and stores the first error for the caller, because the parser's callbacks cannot throw.
  private func attempt(_ work: () throws(CryptoError) -> Void) {
    do { try work() } catch { failure = failure ?? error }
  }
}
