import FoundationEssentials
import GarlandNetworking

// Each combination of overloads, with variables of all types: none may be ambiguous.
private struct Filter: Codable, Sendable { var from: Int }

private func requests(
  _ session: Session, name: String, id: Int, nickname: String?, price: Double, tags: [String], map: [String: Int],
  any: [String: Any], flag: Bool, when: Date, home: URL, bytes: Data, age: Int?, sub: Substring, list: [Filter], filter: Filter,
  anyList: [Any], opt: [String]?, dec: Decimal, uuid: UUID
) {
  _ = session.request(url, parameters: ["name": name])
  _ = session.request(url, parameters: ["id": id])
  _ = session.request(url, parameters: ["name": name, "id": 7])
  _ = session.request(url, parameters: ["name": name, "id": id])
  _ = session.request(url, parameters: ["name": name, "id": id], headers: [:])
  _ = session.request(url, parameters: [:], headers: [:])
  _ = session.request(url, parameters: [:])
  _ = session.request(url, headers: [:])
  _ = session.request(url, method: .post, parameters: ["name": name, "id": id], encoding: .json, headers: [:])
  _ = session.request(url, method: .post, parameters: ["name": name, "id": id], encoding: .json, headers: ["X-A": name])
  _ = session.request(url, method: .post, parameters: ["name": name, "id": id], encoding: .json, headers: [.accept: "b"])
  _ = session.request(url, method: .post, parameters: ["name": name, "id": id], encoding: .json, headers: [.accept("b")])
  _ = session.request(url, parameters: ["name": name], headers: [.authorization(bearerToken: name)])
  _ = session.request(url, parameters: ["nickname": nickname])
  _ = session.request(url, parameters: ["nickname": nickname, "age": age])
  _ = session.request(url, parameters: ["price": price, "id": id])
  _ = session.request(url, parameters: ["price": price + 1.5, "id": id * 2, "name": name + "x"])
  _ = session.request(url, parameters: ["tags": tags])
  _ = session.request(url, parameters: ["tags": tags, "map": map, "id": id])
  _ = session.request(url, parameters: ["tags": [name, "b"], "map": ["a": id, "b": 2], "list": [1, id]])
  _ = session.request(url, parameters: ["a": ["b": ["c": name, "d": id], "e": [name, id]] as [String: Any]])
  _ = session.request(url, parameters: ["a": ["b": ["c": name, "d": id], "e": [name]]])
  _ = session.request(url, parameters: ["user": ["name": name, "id": id], "tags": tags])
  _ = session.request(url, parameters: ["user": ["name": name, "id": id, "price": price]], headers: [:])
  _ = session.request(url, parameters: any)
  _ = session.request(url, parameters: any, headers: [:])
  _ = session.request(url, parameters: any, headers: ["X-A": "b"])
  _ = session.request(url, method: .post, parameters: any, encoding: .json, headers: ["X-A": "b"])
  _ = session.request(url, parameters: map)
  _ = session.request(url, parameters: map, headers: [:])
  _ = session.request(url, parameters: filter)
  _ = session.request(url, parameters: filter, headers: [:])
  _ = session.request(url, parameters: list, headers: ["X-A": "b"])
  _ = session.request(url, parameters: ["filter": filter, "flag": flag, "when": when, "home": home])
  _ = session.request(url, parameters: ["bytes": bytes, "dec": dec, "uuid": uuid, "list": list])
  _ = session.request(url, parameters: ["sub": sub, "opt": opt, "anyList": anyList, "any": any])
  _ = session.request(url, parameters: ["n": nil, "flag": true, "x": 1.5, "t": "text", "a": [1, 2], "d": ["a": 1]])
  _ = session.request(url, parameters: ["n": nil])
  _ = session.request(url, parameters: ["q": "text \(name) \(id)", "page": id + 1, "size": max(1, id), "ok": id > 3, "f": Double(id) / 2])
  _ = session.request(home, parameters: ["name": name, "id": id], headers: [:])
  if let other = URL(string: url) { _ = session.request(other, parameters: ["name": name, "id": id]) }
  _ = session.request(url + "users/\(id)", parameters: ["name": name, "id": id])
  let parameters: Parameters = ["name": name, "id": id, "nick": nickname, "tags": tags]
  _ = session.request(url, parameters: parameters)
  _ = session.request(url, parameters: parameters, headers: [:])
  let encodables: [String: any Encodable] = ["a": name, "b": id]
  _ = session.request(url, parameters: encodables)
  _ = session.request(url, parameters: encodables, headers: [:])
  let sendables: [String: any Encodable & Sendable] = ["a": name, "b": id]
  _ = session.request(url, parameters: sendables)
  let anys: [String: any Sendable] = ["a": name, "b": id]
  _ = session.request(url, parameters: anys)
  let optionals: [String: String?] = ["a": nickname]
  _ = session.request(url, parameters: optionals)
  let none: Parameters? = nil
  _ = session.request(url, parameters: none)
  let noFilter: Filter? = nil
  _ = session.request(url, parameters: noFilter)
  _ = session.request(url, parameters: nil)
  _ = session.request(url, method: .get, parameters: nil, encoding: .url)
  let condition = flag ? ["a": name] : [:]
  _ = session.request(url, parameters: condition)
  _ = session.request(url, parameters: flag ? ["a": name, "b": id] : ["a": name])
}

private func otherVerbs(
  _ session: Session, name: String, id: Int, any: [String: Any], map: [String: Int], filter: Filter, fields: HTTPFields,
  headers: HTTPHeaders, home: URL, bytes: Data
) {
  _ = session.download(url, parameters: ["name": name, "id": id])
  _ = session.download(url, parameters: ["name": name, "id": id], headers: [:])
  _ = session.download(url, parameters: ["name": name], headers: ["X-A": "b"])
  _ = session.download(url, parameters: any, headers: ["X-A": "b"])
  _ = session.download(url, parameters: filter, headers: headers)
  _ = session.download(url, to: DownloadTarget(path: "a"), method: .post, parameters: any, encoding: .json)
  _ = session.download(url, headers: [:])
  _ = session.download(url, headers: headers)
  _ = session.download(url, headers: fields)
  _ = session.download(url, parameters: ["name": name], headers: headers)
  _ = session.stream(url, method: .post, parameters: ["prompt": name, "stream": true], encoding: .json)
  _ = session.stream(url, method: .post, parameters: ["prompt": name, "stream": true], encoding: .json, headers: ["X-A": "b \(name)"])
  _ = session.stream(url, method: .post, parameters: any, encoding: .json, headers: headers)
  _ = session.stream(url, method: .post, parameters: filter, encoding: .json, headers: [:])
  _ = session.stream(url, headers: [:])
  _ = session.request(url, headers: fields)
  _ = session.request(url, headers: headers)
  _ = session.request(url, parameters: any, headers: headers)
  _ = session.request(url, parameters: map, headers: headers)
  _ = session.request(url, parameters: ["a": 1], headers: headers)
  _ = session.request(url, parameters: ["a": 1], headers: fields)
  _ = session.request(url, parameters: ["a": name], headers: fields)
  _ = session.upload(bytes, to: url, headers: [:])
  _ = session.upload(bytes, to: home)
  _ = session.upload(bytes, to: url, headers: headers)
  _ = session.upload(bytes, to: url, headers: ["Content-Type": "text/plain"])
  _ = session.upload(bytes, to: url, headers: [.contentType: "text/plain"])
  _ = session.upload([1, 2], to: url, headers: ["X-A": "b"])
  _ = session.upload(Array(name.utf8), to: url, headers: [.contentType: "text/plain"])
  _ = session.upload(file: "a", to: url, headers: [:])
  _ = session.upload(file: "a", to: url, headers: ["X-A": "b"])
  _ = session.upload(to: url, headers: ["X-A": "b"]) { form in form.append(name, name: "a") }
  _ = session.upload(to: url, headers: [:]) { form in form.append(bytes, name: "a") }
  _ = session.upload(to: url) { form in form.append(name, name: "a") }
  _ = session.eventStream(url, headers: ["X-A": "b"])
  _ = session.eventStream(home, headers: [:])
  _ = session.partStream(home, headers: ["X-A": "b"])
  _ = session.webSocket(home, headers: ["X-A": "b"])
  _ = session.webSocket("wss://a/", headers: [:])
  _ = session.webSocket("wss://a/", headers: [.accept: "a"])
  _ = session.webSocket("wss://a/", headers: headers)
  _ = session.webSocket("wss://a/", headers: fields)
}

@MainActor final class Model {
  var items: [Int] = []
  let session = Session()
  func load() async throws(NetworkingError) {
    for try await event in session.eventStream(url) { items.append(event.data.count) }
    for try await part in session.partStream(url) { items.append(part.index) }
    for try await message in session.webSocket(url).messages { items.append(message.size) }
    for try await piece in session.stream(url) { items.append(piece.count) }
    for try await line in session.stream(url).lines { items.append(line.count) }
  }
}

// Values of a response and an error need no other import.
func results(_ session: Session) async {
  let target = DownloadTarget(path: "a", computesDigest: true)
  let response = await session.download(url, to: target).response()
  if case .file(let file) = response.response?.body { print(file.sha256 ?? "", file.size) }
  print(response.error?.underlyingError ?? NoValue(), response.response?.headerFields[.eTag] ?? "")
}
private struct NoValue: Error {}

func variableParameters(_ session: Session, name: String, nickname: String?) {
  var parameters: Parameters = [:]
  parameters["name"] = name
  parameters["size"] = 5
  parameters["tags"] = ["a", name]
  if let nickname { parameters["nickname"] = nickname }
  _ = session.request(url, parameters: parameters, headers: nil)
}
