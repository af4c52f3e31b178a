import GarlandCrypto

/// Reads a whole body before it is sent, to compute its digests or length. The reading does not run on the engine's thread.
struct PayloadPass: Sendable {
  /// The length and the digests of a body as sent.
  struct Facts: Sendable, Hashable {
    var length: Int64 = 0
    /// The digests of the body in hexadecimal, by algorithm.
    var digests: [DigestAlgorithm: String] = [:]

    /// Whether the digests of the body by all given algorithms are known.
    func hold(_ algorithms: Set<DigestAlgorithm>) -> Bool { algorithms.allSatisfy { digests[$0] != nil } }
  }

  let body: TransferBody
  let compression: RequestCompression?
  let algorithms: Set<DigestAlgorithm>

  func run() async -> Result<Facts, NetworkingError> {
    do throws(NetworkingError) {
      var facts = Facts()
      do {
        var hashers: [DigestHasher] = []
        for algorithm in algorithms { hashers.append(try DigestHasher(algorithm)) }
        try await body.read(compressedBy: compression) { piece in
          facts.length += Int64(piece.count)
          for hasher in hashers { try hasher.update(piece) }
        }
        for hasher in hashers { facts.digests[hasher.algorithm] = try hasher.finish().hex }
      } catch let error as NetworkingError {
        throw error
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
      return .success(facts)
    } catch {
      return .failure(error)
    }
  }
}

extension TransferBody {
  private static let pieceSize = 256 << 10

  /// Passes the whole body piece by piece to `take`, compressed if `compression` is not nil. Does not run on the engine's thread.
  func read(compressedBy compression: RequestCompression?, take: (UnsafeRawBufferPointer) throws -> Void) async throws {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let reader = try reader(compressedBy: compression, onReady: { signal.yield() }) else { return }
    defer { reader.close() }
    var iterator = signals.makeAsyncIterator()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    while !Task.isCancelled {
      switch reader.read(into: buffer) {
      case .bytes(let count):
        try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        await Task.yield()
      case .wait: await iterator.next()
      case .failed(let reason): throw NetworkingError(reason)
      case .end: return
      }
    }
    throw NetworkingError(.cancelled)
  }
}

extension TransferRequest {
  /// Returns the content in the form in which it is sent. For a multipart form, this includes the boundaries; for a file, it is the bytes
  /// of the file. If the body is a stream that can be read only once, the stream is empty afterwards.
  public func content() async throws(NetworkingError) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      try await body.read(compressedBy: compression) { bytes.append(contentsOf: $0) }
    } catch {
      throw error as? NetworkingError ?? NetworkingError(.unsupported("\(error)"), url: url)
    }
    return bytes
  }
}
