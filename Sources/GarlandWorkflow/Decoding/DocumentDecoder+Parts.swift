import GarlandDiagnostics
import GarlandJSON
import GarlandYAML
import Synchronization

extension DocumentDecoder {
  /// The other documents that a document uses or calls.
  struct OtherDocuments {
    /// The documents whose steps can run as part of this document's plan, if they are used: first the documents that this document lists
    /// under `use:`, then the documents that only called documents use.
    var used: [UsedDocument] = []
    /// The documents that steps call. The keys are the ordinals of the calling steps. The value is nil for a document with errors.
    var called: [Int: Workflow?] = [:]
    /// Whether at least one of the documents in ``used`` and ``called`` has errors. The errors have already been reported.
    var hasBroken = false
  }

  /// A cache of compiled or checked texts, such as JSONPaths, that a document may repeat thousands of times. Each distinct text is usually
  /// processed only once.
  struct DecodingCache {
    var paths = TextMemo<JSONPath>()
    var xpaths: [String: XPath] = [:]
    var patterns: [String: RegularExpression] = [:]
    var expectations = ExpectationMemo()
    /// The scheme, host and port of a URL that was found valid, and the `/` after them. If another URL begins with the same bytes, this
    /// part of the URL is not checked again.
    var authority: [UInt8] = []
    /// The absolute paths of existing files. The keys are the paths as written in the document.
    var files: [String: String] = [:]
  }

  /// The profiles that a document can use: those of the document and those of its project.
  struct ProfilesOfDocument {
    var known: [KnownProfile] = []
    /// The profiles that are not selected for this run.
    var unused: [WrittenProfile] = []
  }

  /// The files that a document mentions by path.
  struct MentionedFiles {
    /// The files that the decoder has found in the current step. The list is emptied after each step.
    let named = NamedFiles()
    /// The absolute paths of the files that variables, `defaults` or `auth` mention. Each step of the document is treated as if it mentions
    /// these files.
    var common: [String] = []
    /// Diagnostics for files that do not exist. A diagnostic is reported only if no step downloads the file.
    var missing: [Diagnostic] = []
  }
}

/// A cache with 64 slots for results that depend only on a text. It helps because a suite repeats the same texts thousands of times.
struct TextMemo<Value> {
  private static var size: Int { 64 }
  /// The cached texts, each with the result that was computed from the text. The hash of a text determines its index. The array is empty
  /// until the first result is stored.
  private var slots: [(text: [UInt8], value: Value)?] = []

  private static func slot(of text: UnsafeBufferPointer<UInt8>) -> Int { Int(KeyIndex.hash(text)) % size }

  subscript(text: UnsafeBufferPointer<UInt8>) -> Value? {
    guard !slots.isEmpty, let known = slots[Self.slot(of: text)], known.text.withUnsafeBufferPointer({ $0.isSame(as: text) }) else {
      return nil
    }
    return known.value
  }

  mutating func keep(_ value: Value, of text: UnsafeBufferPointer<UInt8>) {
    if slots.isEmpty { slots = Array(repeating: nil, count: Self.size) }
    slots[Self.slot(of: text)] = (Array(text), value)
  }
}

/// Collects the paths of the files that a part of a document uses, such as a body, a certificate or a schema, while the part is decoded. If
/// a schema refers to further files, their paths are collected, too.
final class NamedFiles: Sendable {
  private let paths = Mutex<[String]>([])

  /// Adds the absolute path of a file.
  func add(_ path: String) { paths.withLock { if !$0.contains(path) { $0.append(path) } } }

  /// Returns the files that were added since the last call of this method, and empties the list.
  func take() -> [String] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
