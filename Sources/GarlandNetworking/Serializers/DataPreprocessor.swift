public import HTTPTypes

/// Changes the content of a response before a serializer reads it.
///
/// ```swift
/// let user = await request.response(.decodable(of: User.self).preprocessed(by: .googleXSSI))
/// ```
public protocol DataPreprocessor: Sendable {
  /// Returns the content that the serializer reads. A thrown error becomes
  /// ``NetworkingError/Reason/serialization(_:)``.
  func preprocess(_ bytes: [UInt8]) throws -> [UInt8]
}

/// Leaves the content unchanged.
public struct PassthroughPreprocessor: DataPreprocessor {
  /// Creates a preprocessor.
  public init() {}

  /// Returns `bytes` unchanged.
  public func preprocess(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

/// Removes the first line of content if this line is `)]}',`. Google's servers put this line before JSON so that browsers do not run it as
/// a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
  /// Creates a preprocessor.
  public init() {}

  /// Returns the bytes after the first line if this line is `)]}',`, and all bytes otherwise.
  public func preprocess(_ bytes: [UInt8]) -> [UInt8] {
    let prefix = Array(")]}',\n".utf8)
    return bytes.starts(with: prefix) ? Array(bytes.dropFirst(prefix.count)) : bytes
  }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
  /// Leaves the content unchanged.
  public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
  /// Removes the prefix that Google's servers put before JSON.
  public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}

/// A serializer that reads content changed by a preprocessor; see
/// ``ResponseSerializer/preprocessed(by:)``.
public struct PreprocessedResponseSerializer<Base: ResponseSerializer>: ResponseSerializer {
  let base: Base
  let preprocessor: any DataPreprocessor

  /// Applies the preprocessor to the content, and returns the value that the base serializer creates from the preprocessed content.
  public func serialize(_ content: ResponseContent) throws -> Base.Output {
    var content = content
    content.bytes = try preprocessor.preprocess(content.bytes)
    return try base.serialize(content)
  }
}

/// A serializer that accepts responses without content; see
/// ``ResponseSerializer/allowingEmpty(statuses:methods:)``.
public struct EmptyAllowingResponseSerializer<Base: ResponseSerializer>: ResponseSerializer {
  let base: Base
  let statuses: Set<Int>
  let methods: Set<HTTPRequest.Method>

  /// Returns the value that the base serializer creates. An empty response is allowed only if its status is in `statuses`, or the method of
  /// its request is in `methods`.
  public func serialize(_ content: ResponseContent) throws -> Base.Output {
    var content = content
    content.emptyStatuses = statuses
    content.emptyMethods = methods
    return try base.serialize(content)
  }
}

extension ResponseSerializer {
  /// Returns a serializer that reads the content after `preprocessor` has changed it.
  public func preprocessed(by preprocessor: any DataPreprocessor) -> PreprocessedResponseSerializer<Self> {
    PreprocessedResponseSerializer(base: self, preprocessor: preprocessor)
  }

  /// Returns a serializer that accepts a response without content in two cases: the response's status is in `statuses`, or the request's
  /// method is in `methods`. Other serializers accept a response without content only if its status is 204 or 205, or the method is HEAD.
  public func allowingEmpty(
    statuses: Set<Int> = ResponseContent.defaultEmptyStatuses, methods: Set<HTTPRequest.Method> = ResponseContent.defaultEmptyMethods
  ) -> EmptyAllowingResponseSerializer<Self> {
    EmptyAllowingResponseSerializer(base: self, statuses: statuses, methods: methods)
  }
}
