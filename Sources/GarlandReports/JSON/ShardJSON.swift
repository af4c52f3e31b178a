import GarlandJSON
import GarlandResults

extension RunShard {
  /// Writes the members of `run.shard`. They describe the shard (the part of a plan) that the run carried out.
  func write(in json: inout JSONWriter) {
    json.member("number", number)
    json.member("count", count)
    json.member("profile", profile)
    json.member("partition", division)
    json.array("documents", documents) { json, document in
      json.object { json in
        json.member("file", document.file)
        json.member("digest", document.digest)
        json.array("steps", document.steps) { $0.string($1) }
      }
    }
    json.array("variables", variables) { json, variable in
      json.object { json in
        json.member("name", variable.name)
        json.member("digest", variable.digest)
      }
    }
    if !loops.isEmpty { json.array("loops", loops) { json, loop in json.object { loop.write(in: &$0) } } }
  }

  /// Reads a shard from the value of `run.shard`. Returns nil for an invalid value.
  init?(_ value: JSONValue) {
    guard let number = value["number"]?.intValue, let count = value["count"]?.intValue, number > 0, number <= count,
      let division = value["partition"]?.stringValue, let documents = value["documents"]?.arrayValue,
      let variables = value["variables"]?.arrayValue
    else { return nil }
    self.init(
      number: number, count: count, profile: value["profile"]?.stringValue, division: division,
      documents: documents.map { document in
        Document(
          file: document["file"]?.stringValue ?? "", digest: document["digest"]?.stringValue ?? "",
          steps: (document["steps"]?.arrayValue ?? []).compactMap(\.stringValue))
      },
      variables: variables.map { Variable(name: $0["name"]?.stringValue ?? "", digest: $0["digest"]?.stringValue ?? "") })
    for value in value["loops"]?.arrayValue ?? [] {
      guard let loop = Loop(value) else { return nil }
      loops.append(loop)
    }
  }
}

extension RunShard.Loop {
  /// Writes the step of a divided loop, and the items that a shard ran.
  fileprivate func write(in json: inout JSONWriter) {
    json.member("file", file)
    json.member("id", id)
    json.member("first", range.lowerBound)
    json.member("count", range.count)
    json.member("of", count)
  }

  /// Reads a divided loop from an element of `run.shard.loops` or `run.shards.loops`. Returns nil for an invalid value.
  init?(_ value: JSONValue) {
    guard let file = value["file"]?.stringValue, let id = value["id"]?.stringValue, let first = value["first"]?.intValue,
      let count = value["count"]?.intValue, let all = value["of"]?.intValue, first >= 0, count > 0, all > 0, first <= all - count
    else { return nil }
    self.init(file: file, id: id, range: first..<first + count, count: all)
  }
}

extension RunMerge {
  /// Writes the members of `run.shards`: the number of the plan's shards, the numbers of the shards without a report, the identifiers and
  /// durations of the merged runs, and the parts of divided loops.
  func write(in json: inout JSONWriter) {
    json.member("count", count)
    json.array("missing", missing) { $0.number($1) }
    json.array("runs", runs) { $0.string($1) }
    if !durations.isEmpty { json.array("seconds", durations) { $0.duration($1) } }
    if !loops.isEmpty { json.array("loops", loops) { json, loop in json.object { loop.write(in: &$0) } } }
  }

  /// Reads the merged shards from the value of `run.shards`. Returns nil for an invalid value.
  init?(_ value: JSONValue) {
    guard let count = value["count"]?.intValue, count > 0 else { return nil }
    self.init(
      count: count, missing: (value["missing"]?.arrayValue ?? []).compactMap(\.intValue),
      runs: (value["runs"]?.arrayValue ?? []).compactMap(\.stringValue))
    durations = (value["seconds"]?.arrayValue ?? []).compactMap { Duration(reported: $0) }
    for value in value["loops"]?.arrayValue ?? [] {
      guard let loop = RunShard.Loop(value) else { return nil }
      loops.append(loop)
    }
  }
}
