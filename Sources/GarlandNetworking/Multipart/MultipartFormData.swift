import HTTPTypes

/// A `multipart/form-data` body (RFC 7578), written as browsers and Alamofire write it.
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Front cover", name: "caption")
/// form.append(file: "cover.png", name: "image")
/// request.body = .multipart(form)
/// ```
/// Files are opened when the request is sent and read while it is, never as a whole. The length is announced if every part's is known.
public struct MultipartFormData: Sendable {
  /// A part: its header and where its content comes from.
  public struct Part: Sendable {
    /// Where the content comes from.
    public enum Content: Sendable {
      /// These bytes.
      case bytes([UInt8])
      /// A file, or a part of one.
      case file(path: String, offset: Int64 = 0, length: Int64? = nil)
      /// What somebody else produces.
      case stream(BodyStream)
    }

    /// The field's name, raw: quotes and line breaks in it are escaped when it is written.
    public var name: String
    /// The file's name, raw, nil if it is not sent.
    public var fileName: String?
    /// The content type, nil if it is not sent.
    public var contentType: String?
    /// More fields of the part's header.
    public var headerFields: HTTPFields
    /// The content.
    public var content: Content

    /// All of it.
    public init(
      name: String, fileName: String? = nil, contentType: String? = nil, headerFields: HTTPFields = HTTPFields(), content: Content
    ) {
      self.name = name
      self.fileName = fileName
      self.contentType = contentType
      self.headerFields = headerFields
      self.content = content
    }
  }

  /// What separates the parts. It must not occur in them.
  public let boundary: String
  /// In the order in which they are sent.
  public private(set) var parts: [Part] = []

  /// An empty form. Give a boundary to have the same bytes each time; otherwise it is random.
  public init(boundary: String? = nil) {
    if let boundary {
      self.boundary = boundary
    } else {
      var generator = SystemRandomNumberGenerator()
      self.boundary = Self.randomBoundary(using: &generator)
    }
  }

  /// A random boundary: 128 bits, so that no content has it in it by chance.
  public static func randomBoundary(using generator: inout some RandomNumberGenerator) -> String {
    func half() -> String {
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return "garland.boundary." + half() + half()
  }

  /// The content type to send with it.
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Adds a part.
  public mutating func append(_ part: Part) { parts.append(part) }

  /// Adds a text, without a content type, as an input field of a form is sent.
  public mutating func append(_ text: String, name: String) {
    append(Part(name: name, content: .bytes(Array(text.utf8))))
  }

  /// Adds bytes.
  public mutating func append(_ bytes: [UInt8], name: String, fileName: String? = nil, contentType: String? = nil) {
    append(Part(name: name, fileName: fileName, contentType: contentType, content: .bytes(bytes)))
  }

  /// Adds a file. Its name is the path's last component and its content type that of its extension, unless given.
  public mutating func append(file path: String, name: String, fileName: String? = nil, contentType: String? = nil) {
    let fileName = fileName ?? DownloadWriter.split(path).name
    append(Part(name: name, fileName: fileName, contentType: contentType ?? MediaTypes.type(forPath: path), content: .file(path: path)))
  }

  /// Adds a stream.
  public mutating func append(_ stream: BodyStream, name: String, fileName: String? = nil, contentType: String? = nil) {
    append(Part(name: name, fileName: fileName, contentType: contentType, content: .stream(stream)))
  }
}
