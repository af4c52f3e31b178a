// Forms of declarations for `.ci/check-sizes`, which here allows 5 lines of a function and 3 properties of a type. Names that begin with
// `long` or `Large` have to be found, all others not. The file is too long, too.

func longFunction() {
  use(0)
  use(1)
  use(2)
  use(3)
}

func function() {
  use(0)
  use(1)
  use(2)
}

struct Large {
  let a = 1
  private(set) var b: [String: Int] = [:]
  @Wrapped(name: "c") var c: Int
  lazy var d = { 4 }()

  init() {
    use(0)
    use(1)
    use(2)
    use(3)
  }

  var longProperty: Int {
    use(0)
    use(1)
    use(2)
    use(3)
  }

  subscript(long index: Int) -> Int {
    use(0)
    use(1)
    use(2)
    use(3)
  }

  func longWithClosures(value: () -> Void = { use(0) }) {
    run { use(1) }
    use(0)
    use(1)
    use(2)
  }

  static func longStatic<Value>(of value: Value) -> Value
  where Value: Sendable {
    use(0)
    use(1)
    use(2)
  }
}

struct LargeList {
  var a, b: Int
  var pairs: Dictionary<String, Int> = [:], others: [Int] = []
}

// A property with observers or a value is stored; one with a getter is not, and a `static` one does not count.
final class Small {
  static let names = ["a", "b"].map { $0 + "}" }
  class var shared: Small { Small() }
  var observed = 0 {
    didSet { use(observed) }
  }
  let made: Int = {
    use(0)
    use(1)
    use(2)
    use(3)
    use(4)
    return 1
  }()
  var computed: Int { 1 }
  var written: Int {
    get { 1 }
    set { use(newValue) }
  }
  var last: Int?

  func texts() -> String {
    "} \(["}"].map { "\($0) {" }.joined()) {" + #"{ "quoted" \#("{") {"# + """
      {{{ \("a")
      """.replacing(#/[{"]+/#, with: "}") /* { */  // A brace in a comment: {
  }
}

protocol Requirements {
  var first: Int { get }
  var second: Int { get set }
  func third()
  init(fourth: Int)
}

extension Outer {
  struct Inner {
    mutating func longInner() async throws -> (Int, [String: Int]) {
      use(0)
      use(1)
      use(2)
      use(3)
    }
  }
}
