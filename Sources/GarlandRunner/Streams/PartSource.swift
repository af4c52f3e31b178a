import GarlandTransfer
import HTTPTypes

/// Makes items from the parts of a multipart body.
struct PartSource {
  /// The decoder of the body; nil if the response declares no boundary, as a response without a body may do.
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

  /// Decodes a piece of the body. `take` receives each part and returns whether more parts are read. Returns false after the last part.
  mutating func decode(_ piece: UnsafeRawBufferPointer, _ take: (any StreamItem) -> Bool) throws(ItemFault) -> Bool {
    guard decoder != nil else { throw ItemFault(.items, "have no boundary: the `Content-Type` of the response names none") }
    hasBytes = hasBytes || !piece.isEmpty
    decoder?.add(piece)
    while let token = try next() {
      switch token {
      case .head(let fields): self.fields = fields
      case .body(let bytes):
        guard body.count + bytes.count <= limit else { throw ItemFault(StreamItemTooLong(limit: limit), itemName: "part") }
        body += bytes
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

  /// The reason why a body that ends now is not a complete multipart body; nil if it is complete.
  var ending: ItemFault? {
    if isInPart { return ItemFault(.nextItem, "is cut off by the end of the stream") }
    guard hasBytes, decoder?.hasBoundary == false else { return nil }
    return ItemFault(.items, "have no boundary: no line of the body is `--\(Shown.cut(boundary, 80))`")
  }
}
