import GarlandJSON
import Glibc

/// libxml2, loaded on first use.
///
/// Linking libxml2 would cost every program 2 ms at startup, because libxml2 loads ICU.
///
/// Only functions that exist since libxml2 2.9 are used. Of its structures, only the first members are read: their layout is part of
/// libxml2's binary interface and has not changed since 2.0. All functions are thread-safe, but two threads must not change or search the
/// same document at once.
struct LibXML2: Sendable {
  typealias Pointer = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>
  private typealias ErrorHandler = @convention(c) (Pointer?, Pointer?) -> Void

  /// A function that reads a document piece by piece.
  typealias Read = @convention(c) (ReadPiece?, ClosePieces?, Pointer?, Text?, Text?, Int32) -> Pointer?
  typealias ReadPiece = @convention(c) (Pointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32
  typealias ClosePieces = @convention(c) (Pointer?) -> Int32

  let readXML: Read
  let readHTML: Read
  let freeDocument: @convention(c) (Pointer?) -> Void
  let rootElement: @convention(c) (Pointer?) -> Pointer?
  let content: @convention(c) (Pointer?) -> Pointer?
  private let setErrorHandler: @convention(c) (Pointer?, ErrorHandler?) -> Void
  /// The address of the variable that contains libxml2's function to free memory.
  private let freeVariable: UInt

  /// The library, loaded once per process, or the reason why it could not be loaded.
  static let shared: Result<LibXML2, NetworkingError.Serialization> = load()

  private static func load() -> Result<LibXML2, NetworkingError.Serialization> {
    var reasons: [String] = []
    var found: UnsafeMutableRawPointer?
    for name in ["libxml2.so.2", "libxml2.so.16"] where found == nil {
      found = dlopen(name, RTLD_NOW | RTLD_LOCAL)
      if found == nil { reasons.append(dlerror().map { String(cString: $0) } ?? "it is not there") }
    }
    guard let library = found else {
      // At most one of the two libraries is installed. Another error than a missing file is more helpful: the
      // library is broken, or memory is insufficient.
      let detail = reasons.first { !$0.hasSuffix("No such file or directory") } ?? reasons[0]
      return .failure(.unavailable(detail: "libxml2 could not be loaded: \(detail)"))
    }
    guard let readXML = dlsym(library, "xmlReadIO"), let readHTML = dlsym(library, "htmlReadIO"),
      let freeDocument = dlsym(library, "xmlFreeDoc"), let rootElement = dlsym(library, "xmlDocGetRootElement"),
      let content = dlsym(library, "xmlNodeGetContent"), let setErrorHandler = dlsym(library, "xmlSetStructuredErrorFunc"),
      let initialize = dlsym(library, "xmlInitParser"), let freeVariable = dlsym(library, "xmlFree")
    else { return .failure(.unavailable(detail: "this libxml2 lacks functions that are needed")) }
    unsafeBitCast(initialize, to: (@convention(c) () -> Void).self)()
    // Each function has the signature in libxml2's header.
    return .success(
      LibXML2(
        readXML: unsafeBitCast(readXML, to: Read.self), readHTML: unsafeBitCast(readHTML, to: Read.self),
        freeDocument: unsafeBitCast(freeDocument, to: (@convention(c) (Pointer?) -> Void).self),
        rootElement: unsafeBitCast(rootElement, to: (@convention(c) (Pointer?) -> Pointer?).self),
        content: unsafeBitCast(content, to: (@convention(c) (Pointer?) -> Pointer?).self),
        setErrorHandler: unsafeBitCast(setErrorHandler, to: (@convention(c) (Pointer?, ErrorHandler?) -> Void).self),
        freeVariable: UInt(bitPattern: freeVariable)))
  }

  /// Passes bytes to the parser piece by piece, so that the parser can be stopped after each piece. This is necessary because the time of
  /// some of its work, such as the search for repeated attributes in one tag, grows with the square of the input's size.
  private struct Pieces {
    var rest: UnsafeRawBufferPointer
    let computation: Computation?

    /// Copies the next piece of the document to the parser's buffer, and returns the size of the piece. If the time limit or a lack of
    /// memory has ended the computation, returns -1, which stops the parser.
    mutating func copy(to buffer: UnsafeMutablePointer<CChar>, _ length: Int) -> Int32 {
      if let computation, computation.isOver(after: 1024) { return -1 }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
      UnsafeMutableRawPointer(buffer).copyMemory(from: piece.baseAddress ?? UnsafeRawPointer(buffer), byteCount: piece.count)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
      return Int32(piece.count)
    }
  }

  /// Parses a document with `read`, which is ``readXML`` or ``readHTML``.
  func document(of bytes: [UInt8], _ read: Read, charset: String?, options: Int32) -> Pointer? {
    bytes.withUnsafeBytes { buffer in
      var pieces = Pieces(rest: buffer, computation: .current)
      return withUnsafeMutablePointer(to: &pieces) { pieces in
        read(
          { pieces, buffer, length in
            guard let pieces, let buffer else { return -1 }
            return pieces.assumingMemoryBound(to: Pieces.self).pointee.copy(to: buffer, Int(length))
          }, { _ in 0 }, pieces, nil, charset, options)
      }
    }
  }

  /// The first error that libxml2 reports during a call.
  final class Complaint {
    fileprivate(set) var first: String?
    /// Whether libxml2 ran out of memory. For HTML, libxml2 then still returns a tree, but parts are missing.
    fileprivate(set) var lacksMemory = false
    /// Whether elements are nested too deeply. For HTML, libxml2 then still returns a tree, but parts are missing.
    fileprivate(set) var isTooDeep = false
  }

  /// Calls `body`, and records the errors that libxml2 reports on this thread during the call. Without this method, libxml2 would print the
  /// errors. `body` receives the object with the recorded errors.
  func listening<Value>(_ body: (Complaint) -> Value) -> Value {
    let complaint = Complaint()
    return withExtendedLifetime(complaint) {
      setErrorHandler(Unmanaged.passUnretained(complaint).toOpaque()) { context, error in
        guard let context, let error else { return }
        let complaint = Unmanaged<Complaint>.fromOpaque(context).takeUnretainedValue()
        if error.load(fromByteOffset: 4, as: Int32.self) == LibXML2.noMemory { complaint.lacksMemory = true }
        let words = LibXML2.words(of: error)
        if words?.contains("Excessive depth") == true { complaint.isTooDeep = true }
        if complaint.first == nil { complaint.first = words }
      }
      // Later calls on this thread must not use the handler.
      defer { setErrorHandler(nil) { _, _ in } }
      return body(complaint)
    }
  }

  // XML_ERR_NO_MEMORY
  private static let noMemory: Int32 = 2

  /// Returns the message of an `xmlError` in one line, with its line number if known; nil if the error has no message.
  private static func words(of error: Pointer) -> String? {
    guard let text = error.load(fromByteOffset: 8, as: Text?.self) else { return nil }
    let message = String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
    let line = error.load(fromByteOffset: 32, as: Int32.self)
    return line > 0 ? "line \(line): \(message)" : message
  }

  /// Copies a text that libxml2 allocated, and frees the original.
  func take(_ text: Pointer?) -> String {
    guard let text else { return "" }
    let result = String(cString: UnsafePointer(text.assumingMemoryBound(to: CChar.self)))
    typealias Free = @convention(c) (Pointer?) -> Void
    UnsafeRawPointer(bitPattern: freeVariable)?.load(as: Free.self)(text)
    return result
  }
}

extension LibXML2 {
  /// Accessors for the first members of `xmlNode`, which `xmlDoc`, `xmlAttr` and `xmlDtd` share.
  enum Node {
    static func type(_ node: Pointer) -> Int32 { node.load(fromByteOffset: 8, as: Int32.self) }
    static func name(_ node: Pointer) -> String { text(node, 16) }
    /// Returns the memory address of the node's name. Nodes with the same name in one document usually share one copy of the name, and so
    /// have the same address.
    static func nameAddress(_ node: Pointer) -> UInt { node.load(fromByteOffset: 16, as: UInt.self) }
    static func children(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 24, as: Pointer?.self) }
    static func parent(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 40, as: Pointer?.self) }
    static func next(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 48, as: Pointer?.self) }
    /// Returns the namespace of an element or attribute. `xmlNode` and `xmlAttr` have this member at the same offset.
    static func namespace(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 72, as: Pointer?.self) }
    /// Returns the content of a text, comment or processing instruction.
    static func content(_ node: Pointer) -> UnsafeBufferPointer<UInt8>? {
      node.load(fromByteOffset: 80, as: Text?.self).map { text in
        UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text))
      }
    }
    static func attributes(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 88, as: Pointer?.self) }
    /// Returns the first namespace declaration of an element. Declarations form a linked list.
    static func declarations(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 96, as: Pointer?.self) }
    static func line(_ node: Pointer) -> Int { Int(node.load(fromByteOffset: 112, as: UInt16.self)) }
    /// Returns the internal subset of an `xmlDoc`: the document type declaration (`<!DOCTYPE …>`) of the document.
    static func internalSubset(_ document: Pointer) -> Pointer? { document.load(fromByteOffset: 80, as: Pointer?.self) }

    static func text(_ pointer: Pointer, _ offset: Int) -> String {
      pointer.load(fromByteOffset: offset, as: Text?.self).map { String(cString: $0) } ?? ""
    }
  }

  /// Accessors for the members of `xmlNs`, libxml2's structure for a namespace.
  enum Namespace {
    static func next(_ namespace: Pointer) -> Pointer? { namespace.load(as: Pointer?.self) }
    static func uri(_ namespace: Pointer) -> String { Node.text(namespace, 16) }
    static func prefix(_ namespace: Pointer) -> String { Node.text(namespace, 24) }
  }
}
