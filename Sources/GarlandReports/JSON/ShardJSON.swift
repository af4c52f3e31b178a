import GarlandJSON
import GarlandResults

extension RunShard {
  /// Writes the members of `run.shard`.
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
  }

  /// Creates a shard from the value of `run.shard`, or returns nil for an invalid value.
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
  }
}

extension RunMerge {
  /// Writes the members of `run.shards`.
  func write(in json: inout JSONWriter) {
    json.member("count", count)
    json.array("missing", missing) { $0.number($1) }
  }

  /// Creates shards from the value of `run.shards`, or returns nil for an invalid value.
  init?(_ value: JSONValue) {
    guard let count = value["count"]?.intValue, count > 0 else { return nil }
    self.init(count: count, missing: (value["missing"]?.arrayValue ?? []).compactMap(\.intValue))
  }
}
