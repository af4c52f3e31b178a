import GarlandJSON
import GarlandTransfer
import HTTPTypes

/// Decodes a multipart body that arrives in pieces, and creates an item for each part.
struct PartSource {
  /// The decoder of the body; nil if the response's `Content-Type` declares no boundary between parts. Without a boundary, the response
  /// must not have a body.
  private var decoder: PartStreamDecoder?
  private let boundary: String
  private let limit: Int
  /// The header of the part that is being read.
  private var fields = HTTPFields()
  private var body: [UInt8] = []
  private var hasBytes = false

  /// Creates the decoder for the parts of a response.
  ///
  /// - Parameters:
  ///   - type: the `Content-Type` of the response.
  ///   - limit: the maximum size in bytes of a part.
  init(type: String?, limit: Int) {
    let boundary = type.flatMap(PartStreamDecoder.boundary)
    decoder = boundary.map { PartStreamDecoder(boundary: $0) }
    self.boundary = boundary ?? ""
    self.limit = limit
  }

  var isInPart: Bool { decoder?.isInPart == true }

  /// Decodes a piece of the body, and passes each complete part to `take`. Returns true if further parts may follow. Returns false at the
  /// end of the multipart body. Also ends the decoding and returns false if `take` returns false.
  mutating func decode(_ piece: UnsafeRawBufferPointer, _ take: (any StreamItem) -> Bool) throws(ItemFault) -> Bool {
    guard decoder != nil else { throw ItemFault(.items, "can't be separated: the `Content-Type` of the response has no `boundary`") }
    hasBytes = hasBytes || !piece.isEmpty
    decoder?.add(piece)
    while let token = try next() {
      switch token {
      case .head(let fields): self.fields = fields
      case .body(let bytes):
        guard body.count + bytes.count <= limit else { throw ItemFault(StreamItemTooLong(limit: limit), itemName: "part") }
        guard bytes.withUnsafeBytes({ body.appendIfRoom($0) }) else { return false }
      case .end:
        let part = PartItem(fields, body)
        body = []
        guard take(part) else { return false }
      }
    }
    return decoder?.isClosed == false
  }

  private mutating func next() throws(ItemFault) -> PartStreamDecoder.Token? {
    do throws(PartStreamDecoder.Fault) {
      return try decoder?.next()
    } catch {
      throw ItemFault(error)
    }
  }

  /// The reason why the multipart body would be incomplete if it ended now; nil if it would be complete.
  var ending: ItemFault? {
    if isInPart { return ItemFault(.nextItem, "is cut off by the end of the stream") }
    guard hasBytes, decoder?.hasBoundary == false else { return nil }
    return ItemFault(.items, "can't be separated: no line of the body is the boundary `--\(Shown.cut(boundary, 80))`")
  }
}
