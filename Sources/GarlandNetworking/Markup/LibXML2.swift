import Glibc

/// libxml2, loaded when it is first needed: it brings ICU with it, which would cost every program that links it 2 ms at its start.
///
/// Only functions that have been there since 2.9, and the beginnings of its structures, whose layout is part of its binary interface and has not changed since 2.0.
/// All functions are safe to call from several threads; a document is not to be changed, or searched, by two at once.
struct LibXML2: Sendable {
  typealias Pointer = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>
  private typealias ErrorHandler = @convention(c) (Pointer?, Pointer?) -> Void

  let readXML: @convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer?
  let readHTML: @convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer?
  let freeDocument: @convention(c) (Pointer?) -> Void
  let rootElement: @convention(c) (Pointer?) -> Pointer?
  let content: @convention(c) (Pointer?) -> Pointer?
  let newContext: @convention(c) (Pointer?) -> Pointer?
  let freeContext: @convention(c) (Pointer?) -> Void
  let setContextNode: @convention(c) (Pointer?, Pointer?) -> Int32
  let registerNamespace: @convention(c) (Pointer?, Text?, Text?) -> Int32
  let evaluate: @convention(c) (Text?, Pointer?) -> Pointer?
  let freeResult: @convention(c) (Pointer?) -> Void
  /// Whether ``XPathContext`` can be told how much an expression may cost.
  var hasOperationLimit: Bool
  /// Puts other functions in place of an expression's; nil where what an expression allocates can't be counted.
  var registerFunction: XPathBudget.Register?
  private let setErrorHandler: @convention(c) (Pointer?, ErrorHandler?) -> Void
  /// A variable that holds a function.
  private let freeVariable: UInt

  /// Loaded once for the process; the words say why it could not be.
  static let shared: Result<LibXML2, NetworkingError.Serialization> = load()

  private static func load() -> Result<LibXML2, NetworkingError.Serialization> {
    guard let library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL) else {
      let detail = dlerror().map { String(cString: $0) } ?? "it is not there"
      return .failure(.markup(detail: "libxml2 could not be loaded: \(detail)"))
    }
    guard let readXML = dlsym(library, "xmlReadMemory"), let readHTML = dlsym(library, "htmlReadMemory"),
      let freeDocument = dlsym(library, "xmlFreeDoc"), let rootElement = dlsym(library, "xmlDocGetRootElement"),
      let content = dlsym(library, "xmlNodeGetContent"), let newContext = dlsym(library, "xmlXPathNewContext"),
      let freeContext = dlsym(library, "xmlXPathFreeContext"), let setContextNode = dlsym(library, "xmlXPathSetContextNode"),
      let registerNamespace = dlsym(library, "xmlXPathRegisterNs"), let evaluate = dlsym(library, "xmlXPathEvalExpression"),
      let freeResult = dlsym(library, "xmlXPathFreeObject"), let setErrorHandler = dlsym(library, "xmlSetStructuredErrorFunc"),
      let initialize = dlsym(library, "xmlInitParser"), let freeVariable = dlsym(library, "xmlFree")
    else { return .failure(.markup(detail: "this libxml2 lacks functions that are needed")) }
    unsafeBitCast(initialize, to: (@convention(c) () -> Void).self)()
    // Each has the signature that libxml2's header gives it.
    let version = dlsym(library, "xmlParserVersion")?.load(as: Text?.self).flatMap { Int(String(cString: $0).prefix { $0.isNumber }) } ?? 0
    var result = LibXML2(
      readXML: unsafeBitCast(readXML, to: (@convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer?).self),
      readHTML: unsafeBitCast(readHTML, to: (@convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer?).self),
      freeDocument: unsafeBitCast(freeDocument, to: (@convention(c) (Pointer?) -> Void).self),
      rootElement: unsafeBitCast(rootElement, to: (@convention(c) (Pointer?) -> Pointer?).self),
      content: unsafeBitCast(content, to: (@convention(c) (Pointer?) -> Pointer?).self),
      newContext: unsafeBitCast(newContext, to: (@convention(c) (Pointer?) -> Pointer?).self),
      freeContext: unsafeBitCast(freeContext, to: (@convention(c) (Pointer?) -> Void).self),
      setContextNode: unsafeBitCast(setContextNode, to: (@convention(c) (Pointer?, Pointer?) -> Int32).self),
      registerNamespace: unsafeBitCast(registerNamespace, to: (@convention(c) (Pointer?, Text?, Text?) -> Int32).self),
      evaluate: unsafeBitCast(evaluate, to: (@convention(c) (Text?, Pointer?) -> Pointer?).self),
      freeResult: unsafeBitCast(freeResult, to: (@convention(c) (Pointer?) -> Void).self),
      hasOperationLimit: version >= XPathContext.firstVersion,
      registerFunction: nil,
      setErrorHandler: unsafeBitCast(setErrorHandler, to: (@convention(c) (Pointer?, ErrorHandler?) -> Void).self),
      freeVariable: UInt(bitPattern: freeVariable))
    result.hasOperationLimit = result.hasOperationLimit && result.keepsOperationLimit
    if result.hasOperationLimit {
      result.registerFunction = XPathBudget.install(library)
      if !result.keepsBudget { result.registerFunction = nil }
    }
    return .success(result)
  }

  /// Whether an expression of a few operations ends where only one is allowed, and not otherwise: that the limit is where it is thought to be.
  private var keepsOperationLimit: Bool {
    listening { _ in
      guard let context = newContext(nil) else { return false }
      defer { freeContext(context) }
      XPathContext.setLimit(of: context, 1)
      if let result = evaluate("1 + 2 + 3 + 4", context) {
        freeResult(result)
        return false
      }
      XPathContext.setLimit(of: context, 1_000)
      guard let result = evaluate("1 + 2 + 3 + 4", context) else { return false }
      freeResult(result)
      return true
    }
  }

  /// Whether joining texts costs what it should: that arguments are where they are thought to be.
  private var keepsBudget: Bool {
    listening { _ in
      [true, false].allSatisfy { isEnough in
        guard let context = newContext(nil) else { return false }
        defer { freeContext(context) }
        XPathContext.setLimit(of: context, 1_000)
        countText(of: context)
        var budget = XPathBudget(context: context, operations: 1_000, document: 1, bytes: isEnough ? 1_000_000 : 100_000)
        let text = String(repeating: "x", count: 10_000)
        let result = budget.counting { evaluate("string-length(concat('\(text)', '\(text)', 1))", context) }
        guard let result else { return !isEnough }
        defer { freeResult(result) }
        return isEnough && XPathObject.number(result) == 20_001
      }
    }
  }

  /// Why no expression can be evaluated: one that has no limit could run for ever, or fill memory. Nil where it has both.
  var limitProblem: String? {
    if hasOperationLimit, registerFunction != nil { return nil }
    let missing = hasOperationLimit ? "the memory that it takes can't be counted" : "its steps can't be counted"
    return "the libxml2 of this machine is not one that can be limited: \(missing); version 2.9.11 or later is needed"
  }

  /// Has the functions that make texts ask first; the evaluation counts within ``XPathBudget/counting(_:)``.
  func countText(of context: Pointer) {
    guard let registerFunction else { return }
    // One that is there has to go first.
    for (name, function) in [("concat", XPathBudget.concat), ("translate", XPathBudget.translate)] {
      _ = registerFunction(context, name, nil)
      _ = registerFunction(context, name, function)
    }
  }

  /// What libxml2 complains of.
  private final class Complaint {
    var first: String?
  }

  /// Calls `body`, during which libxml2 prints nothing on this thread. `body` is given a function that tells what it complained of first.
  func listening<Value>(_ body: (_ complaint: (String) -> String) -> Value) -> Value {
    let complaint = Complaint()
    return withExtendedLifetime(complaint) {
      setErrorHandler(Unmanaged.passUnretained(complaint).toOpaque()) { context, error in
        guard let context, let error else { return }
        let complaint = Unmanaged<Complaint>.fromOpaque(context).takeUnretainedValue()
        if complaint.first == nil { complaint.first = LibXML2.words(of: error) }
      }
      // Nobody is left to listen when this thread is used for something else.
      defer { setErrorHandler(nil) { _, _ in } }
      return body { complaint.first ?? $0 }
    }
  }

  /// The words of an `xmlError`, on one line.
  private static func words(of error: Pointer) -> String? {
    guard let text = error.load(fromByteOffset: 8, as: Text?.self) else { return nil }
    let message = String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
    let line = error.load(fromByteOffset: 32, as: Int32.self)
    return line > 0 ? "line \(line): \(message)" : message
  }

  /// Takes a text that libxml2 made.
  func take(_ text: Pointer?) -> String {
    guard let text else { return "" }
    let result = String(cString: UnsafePointer(text.assumingMemoryBound(to: CChar.self)))
    typealias Free = @convention(c) (Pointer?) -> Void
    UnsafeRawPointer(bitPattern: freeVariable)?.load(as: Free.self)(text)
    return result
  }
}

extension LibXML2 {
  /// The beginning of `xmlNode`, which `xmlDoc`, `xmlAttr` and `xmlDtd` share.
  enum Node {
    static func type(_ node: Pointer) -> Int32 { node.load(fromByteOffset: 8, as: Int32.self) }
    static func name(_ node: Pointer) -> String { text(node, 16) }
    static func children(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 24, as: Pointer?.self) }
    static func parent(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 40, as: Pointer?.self) }
    static func next(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 48, as: Pointer?.self) }
    /// `xmlNode` and `xmlAttr` have it at the same place.
    static func namespace(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 72, as: Pointer?.self) }
    static func attributes(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 88, as: Pointer?.self) }
    /// The namespaces that an element declares, the first of a chain.
    static func declarations(_ node: Pointer) -> Pointer? { node.load(fromByteOffset: 96, as: Pointer?.self) }
    static func line(_ node: Pointer) -> Int { Int(node.load(fromByteOffset: 112, as: UInt16.self)) }
    /// Of an `xmlDoc`.
    static func internalSubset(_ document: Pointer) -> Pointer? { document.load(fromByteOffset: 80, as: Pointer?.self) }

    static func text(_ pointer: Pointer, _ offset: Int) -> String {
      pointer.load(fromByteOffset: offset, as: Text?.self).map { String(cString: $0) } ?? ""
    }
  }

  /// `xmlNs`.
  enum Namespace {
    static func next(_ namespace: Pointer) -> Pointer? { namespace.load(as: Pointer?.self) }
    static func uri(_ namespace: Pointer) -> String { Node.text(namespace, 16) }
    static func prefix(_ namespace: Pointer) -> String { Node.text(namespace, 24) }
  }

  /// The end of `xmlXPathContext`, where it says how many operations an expression may take, and how many it has taken; there since 2.9.11.
  enum XPathContext {
    static let firstVersion = 20911
    private static let limitOffset = 352
    private static let countOffset = 360

    static func setLimit(of context: Pointer, _ limit: UInt) {
      context.storeBytes(of: limit, toByteOffset: limitOffset, as: UInt.self)
      context.storeBytes(of: 0, toByteOffset: countOffset, as: UInt.self)
    }

    /// Leaves no operations.
    static func exhaust(_ context: Pointer, _ limit: UInt) { context.storeBytes(of: limit, toByteOffset: countOffset, as: UInt.self) }

    static func count(of context: Pointer) -> UInt { context.load(fromByteOffset: countOffset, as: UInt.self) }
  }

  /// `xmlXPathObject`.
  enum XPathObject {
    static func type(_ object: Pointer) -> Int32 { object.load(as: Int32.self) }
    static func boolean(_ object: Pointer) -> Bool { object.load(fromByteOffset: 16, as: Int32.self) != 0 }
    static func number(_ object: Pointer) -> Double { object.load(fromByteOffset: 24, as: Double.self) }
    static func string(_ object: Pointer) -> String { Node.text(object, 32) }
    static func nodes(_ object: Pointer) -> [Pointer] {
      guard let set = object.load(fromByteOffset: 8, as: Pointer?.self) else { return [] }
      let count = Int(set.load(as: Int32.self))
      guard count > 0, let table = set.load(fromByteOffset: 8, as: Pointer?.self) else { return [] }
      return (0..<count).compactMap { table.load(fromByteOffset: $0 * 8, as: Pointer?.self) }
    }
  }
}
