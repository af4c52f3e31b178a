import GarlandText
import HTTPTypes

/// A `multipart/form-data` body (RFC 7578), written as browsers and Alamofire write it, or a body
/// of another multipart type (RFC 2046).
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Front cover", name: "caption")
/// form.append(file: "cover.png", name: "image")
/// request.body = .multipart(form)
/// ```
/// Files are opened when the request is sent and read piece by piece while it is sent. The length of the
/// body is announced if the length of every part is known.
///
/// A part may be a form itself, for example several files with one name, as in RFC 2388:
///
/// ```swift
/// var files = MultipartFormData(kind: .mixed)
/// files.append(attachment: "a.txt")
/// files.append(attachment: "b.png")
/// form.append(files, name: "files")
/// ```
public struct MultipartFormData: Sendable {
  /// A type of multipart content: the subtype after `multipart/`.
  public struct Kind: Sendable, Hashable {
    /// The name after `multipart/` in the content type, such as `form-data`.
    public let name: String

    /// Creates a type of multipart content from its subtype, such as `mixed`; nil if the subtype is not a token (RFC 9110, section 5.6.2).
    public init?(_ name: String) {
      guard HTTPField.Name(name) != nil else { return nil }
      self.name = name
    }

    private init(known name: String) { self.name = name }

    /// The fields of a form (RFC 7578).
    public static let formData = Kind(known: "form-data")
    /// Independent parts whose order matters (RFC 2046, section 5.1.3).
    public static let mixed = Kind(known: "mixed")
    /// The same content in several formats, the best format last (RFC 2046, section 5.1.4).
    public static let alternative = Kind(known: "alternative")
    /// The type `multipart/related`: a root part, and the parts to which the root part refers (RFC 2387).
    public static let related = Kind(known: "related")
  }

  /// A part of a multipart body: its header and its content.
  public struct Part: Sendable {
    /// The content of a part: bytes, or the file, stream or form that yields the bytes.
    public enum Content: Sendable {
      /// Bytes in memory.
      case bytes([UInt8])
      /// A file or a part of a file.
      case file(path: String, offset: Int64 = 0, length: Int64? = nil)
      /// A stream that the caller produces.
      case stream(BodyStream)
      /// A nested form with its own boundary.
      case form(MultipartFormData)
    }

    /// The disposition of the part: how the receiver should use the part (`Content-Disposition`, RFC 2183).
    public enum Disposition: Sendable, Hashable {
      /// The part is a form field.
      case formData
      /// The part is an attachment, usually a file.
      case attachment
      /// The part is content to display, such as an image in HTML.
      case inline
      /// The part has no `Content-Disposition`, so neither its name nor its file name is sent.
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

    /// The unescaped field name; nil if no name is sent. Quotes and line breaks are escaped when the header is written.
    public var name: String?
    /// The unescaped file name; nil if no file name is sent.
    public var fileName: String?
    /// The content type of the part. If nil, no content type is sent, except for a nested form: its own content type is then sent.
    public var contentType: String?
    /// Further header fields of the part.
    public var headerFields: HTTPFields
    /// The purpose of the part in its form. Defaults to a form field.
    public var disposition: Disposition
    /// The content of the part.
    public var content: Content

    /// Creates a part.
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

  /// The separator between the parts, which must not occur within a part.
  public let boundary: String
  /// The type of multipart content. Defaults to a form.
  public let kind: Kind
  /// The parts in the order of sending.
  public private(set) var parts: [Part] = []

  /// Creates an empty form. If `boundary` is nil, the boundary is random; pass a boundary to make the bytes reproducible.
  public init(kind: Kind = .formData, boundary: String? = nil) {
    self.kind = kind
    if let boundary {
      self.boundary = boundary
    } else {
      var generator = SystemRandomNumberGenerator()
      self.boundary = Self.randomBoundary(using: &generator)
    }
  }

  /// Returns a random boundary of 128 bits, so that no content contains it by chance.
  public static func randomBoundary(using generator: inout some RandomNumberGenerator) -> String {
    "garland.boundary." + Hex.padded(generator.next() as UInt64) + Hex.padded(generator.next() as UInt64)
  }

  /// The content type of the body, including the boundary.
  public var contentType: String { "multipart/\(kind.name); boundary=\(boundary)" }

  // MARK: Parts

  /// Adds a part at the end of the form.
  public mutating func append(_ part: Part) { parts.append(part) }

  /// Adds a text without a content type, like an input field.
  public mutating func append(_ text: String, name: String) {
    append(Part(name: name, content: .bytes(Array(text.utf8))))
  }

  /// Adds bytes as a part.
  public mutating func append(_ bytes: [UInt8], name: String, fileName: String? = nil, contentType: String? = nil) {
    append(Part(name: name, fileName: fileName, contentType: contentType, content: .bytes(bytes)))
  }

  /// Adds the bytes of a collection, such as `Data`, as a part.
  @_disfavoredOverload
  public mutating func append(_ bytes: some Collection<UInt8>, name: String, fileName: String? = nil, contentType: String? = nil) {
    append(Array(bytes), name: name, fileName: fileName, contentType: contentType)
  }

  /// Adds a file. By default the file name is the path's last component, and the content type follows from the
  /// extension.
  public mutating func append(file path: String, name: String, fileName: String? = nil, contentType: String? = nil) {
    let fileName = fileName ?? FilePath.split(path).name
    append(Part(name: name, fileName: fileName, contentType: contentType ?? MediaTypes.type(forPath: path), content: .file(path: path)))
  }

  /// Adds a stream as a part.
  public mutating func append(_ stream: BodyStream, name: String, fileName: String? = nil, contentType: String? = nil) {
    append(Part(name: name, fileName: fileName, contentType: contentType, content: .stream(stream)))
  }

  /// Adds a form as one part. The nested form needs its own boundary; a random boundary is sufficient.
  public mutating func append(_ form: MultipartFormData, name: String) {
    append(Part(name: name, content: .form(form)))
  }

  /// Adds a file without a field name, for multipart content that is not a form. By default the file name is the
  /// path's last component, and the content type follows from the extension.
  public mutating func append(attachment path: String, fileName: String? = nil, contentType: String? = nil) {
    append(
      Part(
        name: nil, fileName: fileName ?? FilePath.split(path).name, contentType: contentType ?? MediaTypes.type(forPath: path),
        disposition: .attachment, content: .file(path: path)))
  }
}
