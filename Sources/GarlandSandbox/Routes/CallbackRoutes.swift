import GarlandJSON

/// Routes that make the sandbox send requests, as the sender of webhooks does.
enum CallbackRoutes {
  static let routes = [
    Route(
      "POST", "/callbacks",
      "202, and then a request to the loopback URL of {\"url\": …}; \"method\", \"headers\", \"json\" or \"text\" say what, \"after\" in how many milliseconds",
      control: create)
  ]

  static let create: Route.ControlHandler = { (request, context) throws(Refusal) in
    let wanted = try request.jsonObject()
    guard let url = wanted["url"]?.stringValue, let target = CallbackTarget(url) else {
      throw Refusal(422, "`url` has to be an http URL of 127.0.0.1 or localhost, with a port")
    }
    var callback = Callback(target: target)
    if let method = wanted["method"]?.stringValue { callback.method = method }
    if let json = wanted["json"] {
      callback.body = Array(json.jsonText().utf8)
      callback.headers.append(HeaderField("Content-Type", "application/json"))
    } else if let text = wanted["text"]?.stringValue {
      callback.body = Array(text.utf8)
      callback.headers.append(HeaderField("Content-Type", "text/plain"))
    }
    for (name, value) in wanted["headers"]?.objectValue ?? [:] {
      callback.headers.append(HeaderField(name, value.stringValue ?? value.jsonText()))
    }
    guard callback.isSound else { throw Refusal(422, "`method` and `headers` have to be such as HTTP has") }
    let delay = wanted["after"]?.intValue ?? 0
    guard (0...60_000).contains(delay) else { throw Refusal(422, "`after` is a number of milliseconds up to 60000") }
    guard context.callbacks.send(callback, after: .milliseconds(Int64(delay))) else { throw Refusal(503, "the server is being stopped") }
    return .json(["url": .string(url), "method": .string(callback.method), "after": JSONValue(delay)], status: 202)
  }
}
