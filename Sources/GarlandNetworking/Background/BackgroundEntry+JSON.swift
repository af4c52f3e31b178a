import GarlandJSON
import GarlandText
import HTTPTypes

extension BackgroundEntry {
  /// The version of the JSON format of journal entries.
  private static let format = 1

  var json: JSONValue {
    switch self {
    case .header(let identifier, let next):
      ["garland_background": JSONValue(Self.format), "identifier": JSONValue(identifier), "next": JSONValue(next)]
    case .added(let task): ["added": Self.json(task)]
    case .received(let id, let path, let response): ["received": JSONValue(id), "from": JSONValue(path), "response": Self.json(response)]
    case .ended(let id, .finished(let response)): ["ended": JSONValue(id), "response": Self.json(response)]
    case .ended(let id, .failed(let failure)): ["ended": JSONValue(id), "failure": Self.json(failure)]
    case .delivered(let id): ["delivered": JSONValue(id)]
    }
  }

  /// Decodes an entry. Returns nil if the JSON is not an entry of this format.
  init?(_ json: JSONValue) {
    if json["garland_background"]?.intValue == Self.format, let identifier = json["identifier"]?.stringValue,
      let next = json["next"]?.intValue
    {
      self = .header(identifier: identifier, nextID: next)
    } else if let added = json["added"], let task = Self.task(added) {
      self = .added(task)
    } else if let id = json["received"]?.intValue, let path = json["from"]?.stringValue,
      let response = json["response"].flatMap(Self.response)
    {
      self = .received(id: id, temporaryPath: path, response)
    } else if let id = json["ended"]?.intValue, let response = json["response"].flatMap(Self.response) {
      self = .ended(id: id, .finished(response))
    } else if let id = json["ended"]?.intValue, let failure = json["failure"].flatMap(Self.failure) {
      self = .ended(id: id, .failed(failure))
    } else if let id = json["delivered"]?.intValue {
      self = .delivered(id: id)
    } else {
      return nil
    }
  }

  // MARK: Tasks

  private static func json(_ task: BackgroundTask) -> JSONValue {
    var object = JSONObject()
    object["id"] = JSONValue(task.id)
    switch task.work {
    case .upload(let file): object["upload"] = JSONValue(file)
    case .download(let target):
      object["download"] = JSONValue(target.path)
      object["suggested"] = .bool(target.name == .suggested)
      object["replaces"] = .bool(target.replacesExisting)
      object["creates"] = .bool(target.createsDirectories)
    }
    object["method"] = JSONValue(task.method.rawValue)
    object["url"] = JSONValue(task.url)
    object["fields"] = json(task.headerFields)
    if let tag = task.tag { object["tag"] = JSONValue(tag) }
    object["priority"] = JSONValue(task.priority.rawValue)
    object["created"] = JSONValue(Int(task.created))
    if let begin = task.earliestBegin { object["begin"] = JSONValue(Int(begin)) }
    return .object(object)
  }

  private static func task(_ json: JSONValue) -> BackgroundTask? {
    guard let id = json["id"]?.intValue, let url = json["url"]?.stringValue,
      let method = json["method"]?.stringValue.flatMap({ HTTPRequest.Method($0) }), let fields = json["fields"].flatMap(fields),
      let created = json["created"]?.intValue
    else { return nil }
    let work: BackgroundTask.Work
    if let file = json["upload"]?.stringValue {
      work = .upload(file: file)
    } else if let path = json["download"]?.stringValue {
      work = .download(
        DownloadTarget(
          path: path, name: json["suggested"]?.boolValue == true ? .suggested : .given,
          replacesExisting: json["replaces"]?.boolValue ?? false,
          createsDirectories: json["creates"]?.boolValue ?? false, partial: .kept))
    } else {
      return nil
    }
    return BackgroundTask(
      id: id, work: work, method: method, url: url, headerFields: fields, tag: json["tag"]?.stringValue,
      priority: json["priority"]?.intValue.flatMap { TransferPriority(rawValue: $0) } ?? .normal, created: Int64(created),
      earliestBegin: json["begin"]?.intValue.map { Int64($0) })
  }

  // MARK: Results

  private static func json(_ response: BackgroundResult.Response) -> JSONValue {
    var object = JSONObject()
    object["status"] = JSONValue(response.status)
    object["fields"] = json(response.headerFields)
    if let path = response.path { object["path"] = JSONValue(path) }
    if !response.content.isEmpty { object["content"] = JSONValue(Base64.encode(response.content)) }
    return .object(object)
  }

  private static func response(_ json: JSONValue) -> BackgroundResult.Response? {
    guard let status = json["status"]?.intValue, let fields = json["fields"].flatMap(fields) else { return nil }
    let content = json["content"]?.stringValue.flatMap { try? Base64.decode($0) }
    return BackgroundResult.Response(status: status, headerFields: fields, path: json["path"]?.stringValue, content: content ?? [])
  }

  private static func json(_ failure: BackgroundResult.Failure) -> JSONValue {
    var object = JSONObject()
    if let kind = failure.kind { object["kind"] = JSONValue(kind.rawValue) }
    object["words"] = JSONValue(failure.description)
    if let status = failure.status { object["status"] = JSONValue(status) }
    return .object(object)
  }

  private static func failure(_ json: JSONValue) -> BackgroundResult.Failure? {
    guard let words = json["words"]?.stringValue else { return nil }
    return BackgroundResult.Failure(
      kind: json["kind"]?.stringValue.flatMap { NetworkingError.Kind(rawValue: $0) }, description: words, status: json["status"]?.intValue)
  }

  // MARK: Fields

  private static func json(_ fields: HTTPFields) -> JSONValue {
    .array(fields.map { [JSONValue($0.name.rawName), JSONValue($0.value)] })
  }

  private static func fields(_ json: JSONValue) -> HTTPFields? {
    guard let pairs = json.arrayValue else { return nil }
    var fields = HTTPFields()
    for pair in pairs {
      guard let name = pair[0]?.stringValue.flatMap({ HTTPField.Name($0) }), let value = pair[1]?.stringValue else { return nil }
      fields.append(HTTPField(name: name, value: value))
    }
    return fields
  }
}
