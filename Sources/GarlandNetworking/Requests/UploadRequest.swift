/// A request that sends content: bytes, a file, a form or a stream.
///
/// Its response is kept in memory.
///
/// ```swift
/// let request = session.upload(file: "report.pdf", to: "https://example.com/reports", method: .put)
/// Task { for await progress in request.uploadProgress { print(progress.fraction ?? 0) } }
/// let reply = try await request.validate().string
/// ```
///
/// `@unchecked Sendable`: the class adds no property to ``Request``.
public final class UploadRequest: DataRequest, @unchecked Sendable {}
