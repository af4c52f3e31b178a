import ArgumentParser
import GarlandResults

/// The value of `--shard`: `2/5`, `auto`, or `auto/5`.
enum ShardChoice: ExpressibleByArgument, Equatable {
  case fixed(Shard)
  /// For `auto` and `auto/5`: the environment determines which shard to run. `count` is the total number of shards, such as 5 for `auto/5`.
  /// For `auto`, `count` is nil, and the environment also determines the total number.
  case automatic(count: Int?)

  /// The number of a shard, counted from 1, and the total number of shards.
  struct Shard: Equatable {
    var number: Int
    var count: Int
  }

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    let count = parts.count == 2 ? Int(parts[1]) : nil
    if parts.count == 2, count.map({ !(1...RunShard.most ~= $0) }) ?? true { return nil }
    if parts[0] == "auto", parts.count <= 2 {
      self = .automatic(count: count)
    } else if let count, let number = Int(parts[0]), 1...count ~= number {
      self = .fixed(Shard(number: number, count: count))
    } else {
      return nil
    }
  }

  /// Returns advice for an error message with which the argument parser rejects a value of `--shard`; nil for any other message.
  static func explanation(of message: String) -> String? {
    guard message.hasPrefix("The value "), message.contains(" is invalid for '--shard ") else { return nil }
    let value = message.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first ?? ""
    let numbers = value.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    if numbers.count == 2, let number = numbers[0], let count = numbers[1], 1...RunShard.most ~= count {
      return "there is no shard \(number) of \(count): the number of the shard is from 1 to \(count)"
    }
    let example = "write the number of the shard and of all shards, such as `--shard 2/5`, or `--shard auto`"
    return "\(example); there are at most \(RunShard.most) shards"
  }
}

/// The options for dividing the steps among several machines.
struct ShardOptions: ParsableArguments {
  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      "Run one part of the steps and their dependencies: 2/5 is the second of five. `auto` takes both numbers from the CI system, `auto/5` only the first.",
      valueName: "number/count"))
  var shard: ShardChoice?
}
