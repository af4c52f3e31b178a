/// A shard (the part of a plan that one run executes), with the data that shows whether two shards come from the same plan.
public struct RunShard: Sendable, Hashable {
  /// A document (workflow file) of the plan.
  public struct Document: Sendable, Hashable {
    /// The document's name in the form that the user wrote.
    public var file: String
    /// A digest of the document's text, which shows whether two shards used the same text.
    public var digest: String
    /// The ids of the document's steps that are part of the plan, in plan order.
    public var steps: [String]

    /// Creates a document from its properties.
    public init(file: String, digest: String, steps: [String]) {
      self.file = file
      self.digest = digest
      self.steps = steps
    }
  }

  /// A variable that the command line sets.
  public struct Variable: Sendable, Hashable {
    /// The variable's name.
    public var name: String
    /// A digest of the variable's value, which shows whether two shards used the same value.
    public var digest: String

    /// Creates a variable from its properties.
    public init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  /// A loop whose items are divided among shards, and the items that this shard runs.
  public struct Loop: Sendable, Hashable {
    /// The name of the document that contains the loop.
    public var file: String
    /// The id of the step that has the loop.
    public var id: String
    /// The positions of the shard's items in the loop, from 0.
    public var range: Range<Int>
    /// The number of items of the whole loop.
    public var count: Int

    /// Creates the description of the loop items that a shard runs. Each parameter sets the property with the same name.
    public init(file: String, id: String, range: Range<Int>, count: Int) {
      self.file = file
      self.id = id
      self.range = range
      self.count = count
    }
  }

  /// The maximum number of shards. A larger number is a mistake, since no user has so many machines, and dividing the steps would take
  /// long.
  public static let most = 10_000

  /// The number of the shard, from 1.
  public var number: Int
  /// The total number of shards.
  public var count: Int
  /// The name of the profile (the documents' settings for one environment, such as `staging`) that the command line selects; nil if it
  /// selects none.
  public var profile: String?
  /// A digest of the division of the whole run into shards: of the assignment of the plan's steps to shards, and of the numbers of
  /// repetitions and users. Shards with different digests can't be merged. Reports call it `partition`.
  public var division: String
  /// The documents of the plan, in plan order. After them come the project and quarantine files that apply to the documents, and the files
  /// from which loops read rows.
  public var documents: [Document]
  /// The variables that the command line sets, sorted by name.
  public var variables: [Variable]
  /// The loops whose items are divided among shards, with the items that this shard runs, in plan order. Default: none.
  public var loops: [Loop] = []

  /// Creates a shard; every property is a parameter.
  public init(number: Int, count: Int, profile: String?, division: String, documents: [Document], variables: [Variable]) {
    self.number = number
    self.count = count
    self.profile = profile
    self.division = division
    self.documents = documents
    self.variables = variables
  }
}

/// Information about the shards whose reports were merged into one report.
public struct RunMerge: Sendable, Hashable {
  /// The number of shards of the plan.
  public var count: Int
  /// The numbers of the shards without a report, in order.
  public var missing: [Int]
  /// The identifiers of the runs that were merged, in the order of their shards. Empty if the shards were run by an earlier release of
  /// Garland, whose reports do not contain the identifiers.
  public var runs: [String]
  /// The durations of the runs that were merged, in the order of their shards. Empty for a report that does not contain them. Default:
  /// none.
  public var durations: [Duration] = []
  /// The parts of the loops whose items were divided among shards, in the order of the shards. Default: none.
  public var loops: [RunShard.Loop] = []

  /// The shards without a report in words, such as `the report of shard 2/3 is missing`; nil if all shards have a report.
  public var absence: String? {
    guard !missing.isEmpty else { return nil }
    let shards = missing.map { "\($0)/\(count)" }.joined(separator: ", ")
    return missing.count == 1 ? "the report of shard \(shards) is missing" : "the reports of shards \(shards) are missing"
  }

  /// Creates the description of a merged report.
  ///
  /// - Parameters:
  ///   - count: The number of shards of the plan.
  ///   - missing: The numbers of the shards without a report, in order.
  ///   - runs: The identifiers of the runs that were merged, in the order of their shards.
  public init(count: Int, missing: [Int], runs: [String]) {
    self.count = count
    self.missing = missing
    self.runs = runs
  }
}
