import GarlandDiagnostics

extension NameTable {
  /// Names in the order in which they were added. The index of a name is its position.
  struct Numbered {
    private(set) var all: [String] = []
    private var indexes: [String: Int] = [:]

    func index(of name: String) -> Int? { indexes[name] }

    /// Adds a name and returns its index.
    mutating func add(_ name: String) -> Int {
      indexes[name] = all.count
      all.append(name)
      return all.count - 1
    }
  }

  /// The extracts of all steps, one after the other.
  struct Extracts {
    private(set) var all: [Extract] = []
    /// The end of each step's extracts in ``all``, by the step's ordinal.
    private var ends: [Int32] = []

    mutating func reserveSteps(_ count: Int) { ends.reserveCapacity(count) }

    /// Adds an extract of the step that the next call of `endStep` ends.
    mutating func add(_ extract: Extract) { all.append(extract) }

    /// Adds the last extracts of a step. The extracts that are added next belong to the next step.
    mutating func endStep(_ extracts: [Extract]) {
      if !extracts.isEmpty { all += extracts }
      ends.append(Int32(clamping: all.count))
    }

    mutating func rename(at place: Int, to name: String) { all[place].name = name }

    mutating func use(at place: Int) { all[place].isUsed = true }

    /// Returns the positions of a step's extracts in ``all``.
    func places(of ordinal: Int) -> Range<Int> { (ordinal == 0 ? 0 : Int(ends[ordinal - 1]))..<Int(ends[ordinal]) }
  }

  /// The kinds of the steps, by their ordinals.
  struct Kinds {
    /// The steps that are calls: they have outputs and no response.
    var calls: Set<Int> = []
    /// The calls whose document has errors of its own, so that its outputs are unknown.
    var unreadableCalls: Set<Int> = []
    /// The steps that wait for an incoming request; their URL exists before the request arrives.
    var listens: Set<Int> = []
    /// The steps that read a stream, with the format of the stream.
    var streams: [Int: StreamFormat] = [:]
    /// Whether a step has a loop.
    var hasLoop: [Bool] = []
  }

  /// The variables of the document.
  struct Variables {
    private var numbered = Numbered()
    private(set) var kinds: [ValueKinds] = []
    /// The values as templates, by index, as far as they have been decoded.
    var values: [Int: ValueTemplate] = [:]
    var used: [Bool] = []

    var names: [String] { numbered.all }

    func index(of name: String) -> Int? { numbered.index(of: name) }

    mutating func add(_ name: String, kinds: ValueKinds) {
      _ = numbered.add(name)
      self.kinds.append(kinds)
      used.append(false)
    }
  }

  /// The entries of `auth`: those of this document, followed by those of other documents that this document names.
  struct Authentications {
    private(set) var names: [String] = []
    /// Whether each entry is `oauth2`, so that expressions can use its token.
    private(set) var hasToken: [Bool] = []
    /// The entries of other documents.
    private(set) var foreign: [AuthDefinition] = []

    mutating func add(_ name: String, hasToken isToken: Bool) {
      names.append(name)
      hasToken.append(isToken)
    }

    mutating func add(_ name: String, _ index: Int, of workflow: Workflow) {
      foreign.append(AuthDefinition(named: name, from: .init(workflow: workflow, index: index)))
      add(name, hasToken: workflow.authentications[index].oauth2 != nil)
    }
  }

  /// The secrets of the document: those that it declares, followed by those that it only uses.
  struct Secrets {
    private(set) var declarations: [SecretDeclaration] = []
    private var indexes: [String: Int] = [:]

    func index(of name: String) -> Int? { indexes[name] }

    mutating func declare(_ name: String, at range: SourceRange, file: Located<String>?) {
      let declaration = SecretDeclaration(name: name, range: range, isDeclared: true, file: file)
      if let known = indexes[name] {
        if file != nil { declarations[known] = declaration }
        return
      }
      indexes[name] = declarations.count
      declarations.append(declaration)
    }

    /// Adds a secret without a declaration, and returns its index.
    mutating func add(_ name: String, usedAt range: SourceRange) -> Int {
      indexes[name] = declarations.count
      declarations.append(SecretDeclaration(name: name, range: range, isDeclared: false))
      return declarations.count - 1
    }
  }
}
