import HTTPTypes

/// A `multipart/form-data` body (RFC 7578), written as browsers and Alamofire write it; or one of another multipart type (RFC 2046).
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Front cover", name: "caption")
/// form.append(file: "cover.png", name: "image")
/// request.body = .multipart(form)
/// ```
/// Files are opened when the request is sent and read while it is, never as a whole. The length is announced if every part's is known.
///
/// A part may be a form itself. Several files under one name, as RFC 2388 had it:
///
/// ```swift
/// var files = MultipartFormData(kind: .mixed)
/// files.append(attachment: "a.txt")
/// files.append(attachment: "b.png")
/// form.append(files, name: "files")
/// ```
public struct MultipartFormData: Sendable {
  /// A type of multipart content: what stands behind `multipart/`.
  public struct Kind: Sendable, Hashable {
    /// The subtype, as in `form-data`.
    public let name: String

    /// Any other subtype; nil if it is no token (RFC 9110, section 5.6.2).
    public init?(_ name: String) {
      guard HTTPField.Name(name) != nil else { return nil }
      self.name = name
    }

    private init(known name: String) { self.name = name }

    /// The fields of a form (RFC 7578).
    public static let formData = Kind(known: "form-data")
    /// Parts that stand for themselves, in order (RFC 2046, section 5.1.3).
    public static let mixed = Kind(known: "mixed")
    /// The same thing in several forms, the best one last (RFC 2046, section 5.1.4).
    public static let alternative = Kind(known: "alternative")
    /// A root and what it refers to (RFC 2387).
    public static let related = Kind(known: "related")
  }

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
      /// Parts of its own, between boundaries of their own.
      case form(MultipartFormData)
    }

    /// What the part is for (RFC 2183).
    public enum Disposition: Sendable, Hashable {
      /// A field of a form.
      case formData
      /// Something to be kept, a file mostly.
      case attachment
      /// Something to be shown.
      case inline
      /// Not said: there is no `Content-Disposition`, and neither the name nor the file's name is sent.
      case none

      var text: String? {
        switch self {
        case .formData: "form-data"
        case .attachment: "attachment"
        case .inline: "inline"
        case .none: nil
        }
      }
    }

    /// The field's name, raw: quotes and line breaks in it are escaped when it is written. Nil if it has none.
    public var name: String?
    /// The file's name, raw, nil if it is not sent.
    public var fileName: String?
    /// The content type, nil if it is not sent. A form has its own where this is nil.
    public var contentType: String?
    /// More fields of the part's header.
    public var headerFields: HTTPFields
    /// What it is for. Defaults to a field of a form.
    public var disposition: Disposition
    /// The content.
    public var content: Content

    /// All of it.
    public init(
      name: String?, fileName: String? = nil, contentType: String? = nil, headerFields: HTTPFields = HTTPFields(),
      disposition: Disposition = .formData, content: Content
    ) {
      self.name = name
      self.fileName = fileName
      self.contentType = contentType
      self.headerFields = headerFields
      self.disposition = disposition
      self.content = content
    }
  }

  /// What separates the parts. It must not occur in them.
  public let boundary: String
  /// What it is. Defaults to a form.
  public let kind: Kind
  /// In the order in which they are sent.
  public private(set) var parts: [Part] = []

  /// An empty form. Give a boundary to have the same bytes each time; otherwise it is random.
  public init(kind: Kind = .formData, boundary: String? = nil) {
    self.kind = kind
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
  public var contentType: String { "multipart/\(kind.name); boundary=\(boundary)" }

  // MARK: Parts

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
    let fileName = fileName ?? FilePath.split(path).name
    append(Part(name: name, fileName: fileName, contentType: contentType ?? MediaTypes.type(forPath: path), content: .file(path: path)))
  }

  /// Adds a stream.
  public mutating func append(_ stream: BodyStream, name: String, fileName: String? = nil, contentType: String? = nil) {
    append(Part(name: name, fileName: fileName, contentType: contentType, content: .stream(stream)))
  }

  /// Adds a form as one part of this one. It needs a boundary of its own, which a random one is.
  public mutating func append(_ form: MultipartFormData, name: String) {
    append(Part(name: name, content: .form(form)))
  }

  /// Adds a file without a field's name, for content that is no form. Its name is the path's last component and its content type that of its
  /// extension, unless given.
  public mutating func append(attachment path: String, fileName: String? = nil, contentType: String? = nil) {
    append(
      Part(
        name: nil, fileName: fileName ?? FilePath.split(path).name, contentType: contentType ?? MediaTypes.type(forPath: path),
        disposition: .attachment, content: .file(path: path)))
  }
}
