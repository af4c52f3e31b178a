import GarlandJSON

/// Routes that accept bodies of any size, and compute a digest while the body arrives.
enum UploadRoutes {
  static let routes = [
    Route(
      "POST PUT PATCH", "/upload",
      "Size and SHA-256 of any body, without keeping it; ?limit=BYTES &refuse=STATUS answer before the body is read", gate: uploadGate,
      upload),
    Route("POST PUT", "/form", "The pairs of an urlencoded form", form),
    Route("POST PUT", "/multipart", "The parts of a multipart form with sizes and digests", gate: summaryGate, multipart),
    Route(
      "POST PUT", "/expect-continue", "The outcome of Expect: 100-continue; ?answer=continue|never|417|413|401 sets the answer",
      gate: expectGate, expectation),
  ]

  static let uploadGate: Route.Gate = { request throws(Refusal) in
    if request.query["refuse"] != nil {
      throw Refusal(try request.queryInteger("refuse", default: 413, in: 400...599), "refused as asked")
    }
    var admission = Admission(keptLimit: 0)
    if request.query["limit"] != nil {
      let limit = try request.queryInteger("limit", default: 0, in: 0...Int.max)
      if let length = request.headers.first("Content-Length").flatMap({ Int($0) }), length > limit { throw Refusal.tooLarge(limit) }
      admission.sizeLimit = limit
    }
    return admission
  }

  static let upload: Route.PureHandler = { request throws(Refusal) in
    .json([
      "method": .string(request.method), "type": JSONValue(request.headers.first("Content-Type")), "size": JSONValue(request.body.size),
      "sha256": .string(request.body.sha256), "continued": .bool(request.wasContinued),
      "chunked": .bool(request.headers.contains("Transfer-Encoding")),
    ])
  }

  static let form: Route.PureHandler = { request throws(Refusal) in
    guard let form = request.form else { throw Refusal(415, "the body has to be application/x-www-form-urlencoded") }
    return .json(RequestEcho.form(form))
  }

  static let summaryGate: Route.Gate = { _ throws(Refusal) in Admission(keptLimit: 8 << 10) }

  static let multipart: Route.PureHandler = { request throws(Refusal) in
    guard request.body.parts != nil else { throw Refusal(415, "the body has to be multipart/form-data") }
    if let fault = request.body.multipartFault { throw Refusal(400, "the multipart body is not valid: \(fault)") }
    return .json(RequestEcho.multipart(request.body))
  }

  static let expectGate: Route.Gate = { request throws(Refusal) in
    switch request.query["answer"] ?? "continue" {
    case "continue": return Admission()
    case "never": return Admission(continues: false)
    case let text:
      guard let status = Int(text), (400...499).contains(status) else {
        throw Refusal(400, "answer has to be continue, never, or a status from 400 to 499")
      }
      throw Refusal(status, "refused as asked")
    }
  }

  static let expectation: Route.PureHandler = { request throws(Refusal) in
    .json([
      "expected": .bool(request.expectsContinue), "continued": .bool(request.wasContinued), "size": JSONValue(request.body.size),
      "sha256": .string(request.body.sha256),
    ])
  }
}
