import GarlandDiagnostics

extension NameTable {
  /// A list of names in which each name has a number: its index in the list.
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

  /// The extracts of all steps in one list: those of the first step, then those of the second, and so on.
  struct Extracts {
    private(set) var all: [Extract] = []
    /// For each step, in document order, the index after the step's last extract in ``all``.
    private var ends: [Int32] = []

    mutating func reserveSteps(_ count: Int) { ends.reserveCapacity(count) }

    /// Adds an extract to the step whose extracts are being collected. The next call of `endStep` completes this step.
    mutating func add(_ extract: Extract) { all.append(extract) }

    /// Adds the last extracts of a step, and records that the step has no further extracts. Extracts that are added after this call belong
    /// to the next step.
    mutating func endStep(_ extracts: [Extract]) {
      if !extracts.isEmpty { all += extracts }
      ends.append(Int32(clamping: all.count))
    }

    mutating func rename(at place: Int, to name: String) { all[place].name = name }

    mutating func use(at place: Int) { all[place].isUsed = true }

    /// Returns the range of a step's extracts in ``all``.
    func places(of ordinal: Int) -> Range<Int> { (ordinal == 0 ? 0 : Int(ends[ordinal - 1]))..<Int(ends[ordinal]) }
  }

  /// The steps of each kind, as sets of step ordinals.
  struct Kinds {
    /// The steps that call a document. Such a step has outputs and no response.
    var calls: Set<Int> = []
    /// The steps that call a document with errors. The outputs of such a step are unknown.
    var unreadableCalls: Set<Int> = []
    /// The steps that listen for a request. The URL of such a step exists before the request arrives.
    var listens: Set<Int> = []
    /// The steps that read a stream, each with the format of its stream.
    var streams: [Int: StreamFormat] = [:]
    /// For each step, whether the step has a loop.
    var hasLoop: [Bool] = []
  }

  /// The variables of the document.
  struct Variables {
    private var numbered = Numbered()
    private(set) var kinds: [ValueKinds] = []
    /// The values of the variables as templates. The keys are the indexes of the variables. A variable whose value has not
    /// been decoded yet has no entry.
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

  /// The entries of `auth`: those of this document, followed by the entries of other documents that this document uses.
  struct Authentications {
    private(set) var names: [String] = []
    /// For each `auth` entry of this document, whether its kind is `oauth2`. Only the tokens of such entries can be used in expressions.
    private(set) var hasToken: [Bool] = []
    /// The `auth` entries of other documents that this document uses.
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

  /// The secrets of the document: those that it declares, followed by those that it uses without a declaration.
  struct Secrets {
    private(set) var declarations: [SecretDeclaration] = []
    private var indexes: [String: Int] = [:]

    func index(of name: String) -> Int? { indexes[name] }

    mutating func declare(_ name: String, at range: SourceRange, file: Located<String>?) {
      let declaration = SecretDeclaration(name: name, range: range, file: file)
      if let known = indexes[name] {
        if file != nil { declarations[known] = declaration }
        return
      }
      indexes[name] = declarations.count
      declarations.append(declaration)
    }

    /// Adds a secret that the document uses but does not declare, and returns the secret's index.
    mutating func add(_ name: String, usedAt range: SourceRange) -> Int {
      indexes[name] = declarations.count
      declarations.append(SecretDeclaration(name: name, range: range))
      return declarations.count - 1
    }
  }
}
