import GarlandCrypto
import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

extension RunShard {
  /// Creates the description of a shard. The description contains digests of the plan, so that shards of different plans can be
  /// distinguished.
  ///
  /// - Parameters:
  ///   - number: the number of the shard, from 1.
  ///   - partition: the division of the plan's steps into shards.
  ///   - repetitions: the repetitions and users of the whole run, in any form. All shards must have the same.
  ///   - plan: the whole plan.
  ///   - files: the documents of the plan (those with steps first), the project files, and the files with the rows of loops.
  ///   - profile: the profile that the command line names.
  ///   - overrides: the variables that the command line sets.
  ///   - masked: returns a text with its secrets masked, so that digests reveal nothing about secrets.
  package init(
    _ number: Int, of partition: Partition, repetitions: String, _ plan: Plan, files: [SourceFile], profile: String?,
    overrides: [WorkflowDecoder.Override], masked: (String) -> String
  ) throws {
    var steps: [String: [String]] = [:]
    for planned in plan.steps { steps[planned.workflow.file.name, default: []].append(planned.step.id) }
    var seen: Set<String> = []
    var documents: [Document] = []
    for file in files where seen.insert(file.name).inserted {
      documents.append(Document(file: file.name, digest: try Self.digest(file.bytes), steps: steps[file.name] ?? []))
    }
    var values: [String: String] = [:]
    for override in overrides { values[override.name.value] = try Self.digest(Array(masked(override.value.jsonText()).utf8)) }
    self.init(
      number: number, count: partition.shards.count, profile: profile,
      division: try Self.digest(Array("\(repetitions);\(Self.text(of: partition))".utf8)), documents: documents,
      variables: values.sorted { $0.key < $1.key }.map { Variable(name: $0.key, digest: $0.value) })
    let items = partition.shards[number - 1].items
    loops = items.sorted { $0.key < $1.key }.map { step, share in
      Loop(file: plan.steps[step].workflow.file.name, id: plan.steps[step].step.id, range: share.range, count: share.count)
    }
  }

  /// Returns a text that identifies a partition of the plan into shards. Two partitions have the same text only if they are equal.
  private static func text(of partition: Partition) -> String {
    partition.shards.map { shard in
      shard.steps.map { step in "\(step)" + (shard.items[step].map { ":\($0.range)" } ?? "") }.joined(separator: ",")
    }.joined(separator: ";")
  }

  /// Returns the first 16 digits of the SHA-256 digest, which are sufficient to distinguish versions of a file.
  private static func digest(_ bytes: some Collection<UInt8>) throws(CryptoError) -> String {
    String(try Digest(of: bytes, using: .sha256).hex.prefix(16))
  }
}
