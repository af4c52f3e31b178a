import Glibc

/// How much text an XPath expression may make while it is evaluated.
///
/// libxml2 counts an expression's operations, whatever text each of them handles: `//*[contains(concat(/, /), 'x')]` copies the whole document twice for each of
/// its elements. So what libxml2 allocates on the evaluating thread is counted as well, and once it is too much, so are the operations that are left: the next one
/// ends the evaluation. `concat` and `translate` can take as long as they like within one operation, which is why they are asked beforehand.
struct XPathBudget {
  typealias Pointer = LibXML2.Pointer

  /// The `xmlXPathContext` that is evaluated.
  let context: Pointer
  /// Its limit of operations.
  let operations: UInt
  /// The document's size: no text of its nodes is much longer.
  let document: Int
  private var left: Int
  /// Whether the evaluation was ended for it.
  private(set) var isExceeded = false

  init(context: Pointer, operations: UInt, document: Int, bytes: Int) {
    self.context = context
    self.operations = operations
    self.document = document
    left = bytes
  }

  /// Calls `body`, during which what libxml2 allocates on this thread counts.
  mutating func counting<Value>(_ body: () -> Value) -> Value {
    withUnsafeMutablePointer(to: &self) { budget in
      pthread_setspecific(Self.key, budget)
      defer { pthread_setspecific(Self.key, nil) }
      return body()
    }
  }

  private mutating func charge(_ bytes: Int) {
    left = left.subtractingReportingOverflow(bytes).overflow ? -1 : left - bytes
    guard left < 0, !isExceeded else { return }
    isExceeded = true
    LibXML2.XPathContext.exhaust(context, operations)
  }

  /// The budget of what this thread evaluates.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var current: UnsafeMutablePointer<XPathBudget>? {
    pthread_getspecific(key)?.assumingMemoryBound(to: XPathBudget.self)
  }

  // MARK: Allocations

  private typealias Free = @convention(c) (Pointer?) -> Void
  private typealias Allocate = @convention(c) (Int) -> Pointer?
  private typealias Reallocate = @convention(c) (Pointer?, Int) -> Pointer?
  private typealias Duplicate = @convention(c) (UnsafePointer<CChar>?) -> Pointer?

  /// What libxml2 allocated with before; what was allocated then can be freed now and the other way round, since these are still what is called.
  private struct Allocator {
    let free: Free
    let allocate: Allocate
    let reallocate: Reallocate
    let duplicate: Duplicate
  }

  /// Set once by ``install(_:)``, before libxml2 is told of the functions that read it; never again.
  nonisolated(unsafe) private static var allocator: Allocator?

  /// What is called instead of a function of the library, and the library's own: set once, as ``allocator``.
  nonisolated(unsafe) private static var ownConcat: Function?
  nonisolated(unsafe) private static var ownTranslate: Function?
  nonisolated(unsafe) private static var raise: (@convention(c) (Pointer?, Int32) -> Void)?
  typealias Function = @convention(c) (Pointer?, Int32) -> Void
  typealias Register = @convention(c) (Pointer?, LibXML2.Text?, Function?) -> Int32

  /// Lets the library tell what it allocates, in front of the allocator that it has; once, when it is loaded. False where it lacks what is needed for it.
  static func install(_ library: Pointer) -> Register? {
    typealias Get = @convention(c) (Pointer?, Pointer?, Pointer?, Pointer?) -> Int32
    typealias Set = @convention(c) (Free, Allocate, Reallocate, Duplicate) -> Int32
    guard let get = dlsym(library, "xmlMemGet"), let set = dlsym(library, "xmlMemSetup"),
      let concat = dlsym(library, "xmlXPathConcatFunction"),
      let translate = dlsym(library, "xmlXPathTranslateFunction"), let error = dlsym(library, "xmlXPathErr"),
      let register = dlsym(library, "xmlXPathRegisterFunc")
    else { return nil }
    var functions: (free: Free?, allocate: Allocate?, reallocate: Reallocate?, duplicate: Duplicate?)
    _ = withUnsafeMutablePointer(to: &functions.free) { free in
      withUnsafeMutablePointer(to: &functions.allocate) { allocate in
        withUnsafeMutablePointer(to: &functions.reallocate) { reallocate in
          withUnsafeMutablePointer(to: &functions.duplicate) { duplicate in
            unsafeBitCast(get, to: Get.self)(free, allocate, reallocate, duplicate)
          }
        }
      }
    }
    guard let free = functions.free, let allocate = functions.allocate, let reallocate = functions.reallocate,
      let duplicate = functions.duplicate
    else { return nil }
    allocator = Allocator(free: free, allocate: allocate, reallocate: reallocate, duplicate: duplicate)
    ownConcat = unsafeBitCast(concat, to: Function.self)
    ownTranslate = unsafeBitCast(translate, to: Function.self)
    raise = unsafeBitCast(error, to: (@convention(c) (Pointer?, Int32) -> Void).self)
    let result = unsafeBitCast(set, to: Set.self)(
      { XPathBudget.allocator?.free($0) },
      { size in
        XPathBudget.current?.pointee.charge(size)
        return XPathBudget.allocator?.allocate(size)
      },
      { pointer, size in
        XPathBudget.current?.pointee.charge(size)
        return XPathBudget.allocator?.reallocate(pointer, size)
      },
      { text in
        if let text { XPathBudget.current?.pointee.charge(strlen(text)) }
        return XPathBudget.allocator?.duplicate(text)
      })
    return result == 0 ? unsafeBitCast(register, to: Register.self) : nil
  }

  // MARK: Functions that are asked beforehand

  /// Joining begins at the end and copies what it has each time.
  static let concat: Function = { parser, count in
    guard let parser else { return }
    if let budget = XPathBudget.current {
      var joined = 0
      var work = 0
      for place in 0..<max(0, Int(count)) {
        joined += ParserContext.size(of: ParserContext.argument(parser, place), budget.pointee.document)
        work += joined
      }
      budget.pointee.charge(scaled(work))
    }
    XPathBudget.call(XPathBudget.ownConcat, parser, count)
  }

  /// Each character is looked for among those that are replaced.
  static let translate: Function = { parser, count in
    guard let parser else { return }
    if let budget = XPathBudget.current, count == 3 {
      let document = budget.pointee.document
      let text = ParserContext.size(of: ParserContext.argument(parser, 2), document)
      let replaced = ParserContext.size(of: ParserContext.argument(parser, 1), document)
      let (work, isTooMuch) = text.multipliedReportingOverflow(by: max(1, replaced))
      budget.pointee.charge(isTooMuch ? .max : scaled(work))
    }
    XPathBudget.call(XPathBudget.ownTranslate, parser, count)
  }

  /// What a function does with a byte takes longer than to copy it.
  private static func scaled(_ work: Int) -> Int {
    let (scaled, isTooMuch) = work.multipliedReportingOverflow(by: 8)
    return isTooMuch ? .max : scaled
  }

  /// Calls a function, or, where there is nothing left for it, ends the evaluation as libxml2 does when there are too many operations.
  private static func call(_ function: Function?, _ parser: Pointer, _ count: Int32) {
    let operationLimitExceeded: Int32 = 26
    if current?.pointee.isExceeded == true { raise?(parser, operationLimitExceeded) } else { function?(parser, count) }
  }

  /// `xmlXPathParserContext`, which holds the arguments of a function.
  private enum ParserContext {
    /// The argument that is so many before the last.
    static func argument(_ parser: Pointer, _ place: Int) -> Pointer? {
      let count = Int(parser.load(fromByteOffset: 40, as: Int32.self))
      guard place < count, let values = parser.load(fromByteOffset: 48, as: Pointer?.self) else { return nil }
      return values.load(fromByteOffset: (count - 1 - place) * 8, as: Pointer?.self)
    }

    /// How long a value is as text, or may be.
    static func size(of value: Pointer?, _ document: Int) -> Int {
      guard let value else { return 0 }
      switch LibXML2.XPathObject.type(value) {
      case 1: return document
      case 4: return value.load(fromByteOffset: 32, as: LibXML2.Text?.self).map { strlen($0) } ?? 0
      default: return 32
      }
    }
  }
}
