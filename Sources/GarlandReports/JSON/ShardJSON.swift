import GarlandJSON
import GarlandResults

extension RunShard {
  /// Writes the members of `run.shard`. They describe the shard (the part of a plan) that the run carried out.
  func write(in json: inout JSONWriter) {
    json.member("number", number)
    json.member("count", count)
    json.member("profile", profile)
    json.member("partition", partition)
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
    guard !loops.isEmpty else { return }
    json.array("loops", loops) { json, loop in
      json.object { json in
        json.member("file", loop.file)
        json.member("id", loop.id)
        json.member("first", loop.range.lowerBound)
        json.member("count", loop.range.count)
        json.member("of", loop.count)
      }
    }
  }

  /// Reads a shard from the value of `run.shard`. Returns nil for an invalid value.
  init?(_ value: JSONValue) {
    guard let number = value["number"]?.intValue, let count = value["count"]?.intValue, number > 0, number <= count,
      let partition = value["partition"]?.stringValue, let documents = value["documents"]?.arrayValue,
      let variables = value["variables"]?.arrayValue
    else { return nil }
    self.init(
      number: number, count: count, profile: value["profile"]?.stringValue, partition: partition,
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
  /// Reads a divided loop from an element of `run.shard.loops`. Returns nil for an invalid value.
  fileprivate init?(_ value: JSONValue) {
    guard let file = value["file"]?.stringValue, let id = value["id"]?.stringValue, let first = value["first"]?.intValue,
      let count = value["count"]?.intValue, let all = value["of"]?.intValue, first >= 0, count > 0, all > 0, first <= all - count
    else { return nil }
    self.init(file: file, id: id, range: first..<first + count, count: all)
  }
}

extension RunMerge {
  /// Writes the number of the plan's shards, the numbers of the shards without a report, and the identifiers of the merged runs, as the
  /// members of `run.shards`.
  func write(in json: inout JSONWriter) {
    json.member("count", count)
    json.array("missing", missing) { $0.number($1) }
    json.array("runs", runs) { $0.string($1) }
  }

  /// Reads the merged shards from the value of `run.shards`. Returns nil for an invalid value.
  init?(_ value: JSONValue) {
    guard let count = value["count"]?.intValue, count > 0 else { return nil }
    self.init(
      count: count, missing: (value["missing"]?.arrayValue ?? []).compactMap(\.intValue),
      runs: (value["runs"]?.arrayValue ?? []).compactMap(\.stringValue))
  }
}
