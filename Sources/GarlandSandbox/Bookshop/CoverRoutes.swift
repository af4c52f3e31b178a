/// The routes for the cover pictures of the books.
enum CoverRoutes {
  /// The size limits of an upload of a cover: one for the picture, and a larger one for the body, which may be a multipart form.
  static let gate: Route.Gate = { _ throws(Refusal) in
    Admission(keptLimit: Bookshop.coverLimit, sizeLimit: Bookshop.coverLimit + (64 << 10))
  }

  static let read: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let book = try tenant.shop.book(try BookRoutes.id(request))
    guard let cover = book.cover else { throw Refusal(.problem(404, "no-cover", "The book \(book.id) has no cover")) }
    let headers = [HeaderField("Content-Type", cover.type), HeaderField("ETag", "\"\(cover.sha256)\"")]
    if let refusal = Preconditions(etag: "\"\(cover.sha256)\"").evaluate(request, headers: headers) { throw refusal }
    return SandboxResponse(200, headers: headers, body: .bytes(cover.bytes))
  }

  static let write: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let id = try BookRoutes.changeable(request, tenant)
    try tenant.shop.setCover(try cover(request), of: id)
    return .noContent()
  }

  static let remove: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    try tenant.shop.setCover(nil, of: try BookRoutes.changeable(request, tenant))
    return .noContent()
  }

  private static func cover(_ request: SandboxRequest) throws(Refusal) -> Book.Cover {
    guard let parts = request.body.parts else {
      guard let type = request.headers.first("Content-Type"), MediaType(type).essence.hasPrefix("image/") else {
        throw Refusal(.problem(415, "no-image", "The cover has to be an image, or a multipart form with one"))
      }
      guard request.body.size > 0 else { throw Refusal(.problem(422, "no-image", "The image is empty")) }
      guard request.body.isWhole else { throw Refusal.tooLarge(Bookshop.coverLimit) }
      return Book.Cover(type: type, bytes: request.body.kept, sha256: request.body.sha256, caption: nil)
    }
    if let fault = request.body.multipartFault { throw Refusal(400, "the multipart body is not valid: \(fault)") }
    guard let image = parts.first(where: { $0.name == "image" }), image.size > 0 else {
      throw Refusal(.problem(422, "no-image", "The form has no file named image"))
    }
    guard image.isWhole else { throw Refusal.tooLarge(Bookshop.coverLimit) }
    let caption = parts.first { $0.name == "caption" }.flatMap { String(validating: $0.kept, as: UTF8.self) }
    return Book.Cover(type: image.type ?? "application/octet-stream", bytes: image.kept, sha256: image.sha256, caption: caption)
  }
}
