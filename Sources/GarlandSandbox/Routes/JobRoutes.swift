import GarlandJSON

/// Routes for jobs that a client must poll several times until they are complete.
enum JobRoutes {
  static let routes = [
    Route(
      "POST", "/jobs", "202 and the Location of a job that is done after ?polls=2 questions; ?result=failed &retry_after=SECONDS",
      stateful: create),
    Route("GET", "/jobs/{id}", "How the job is: pending, running, done or failed", stateful: poll),
    Route("DELETE", "/jobs/{id}", "Forgets the job", stateful: delete),
  ]

  static let create: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let polls = try request.queryInteger("polls", default: 2, in: 0...1_000)
    let job = try tenant.jobs.create(polls: polls, fails: request.query["result"] == "failed")
    var headers = [HeaderField("Location", "/jobs/\(job.id)")]
    if let after = request.query["retry_after"] { headers.append(HeaderField("Retry-After", after)) }
    return .json(["id": JSONValue(job.id), "state": .string(job.state), "polls": 0], status: 202, headers: headers)
  }

  static let poll: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let id = try request.integer("id", in: 1...Int.max)
    guard let job = tenant.jobs.poll(id) else { throw Refusal.notFound("job \(id)") }
    return .json([
      "id": JSONValue(job.id), "state": .string(job.state), "polls": JSONValue(job.polls),
      "result": job.isOver && !job.fails ? ["answer": 42] : .null,
    ])
  }

  static let delete: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let id = try request.integer("id", in: 1...Int.max)
    guard tenant.jobs.remove(id) else { throw Refusal.notFound("job \(id)") }
    return .noContent()
  }
}
