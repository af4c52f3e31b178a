import Foundation

/// 1,023 MiB of zeros, compressed three times: a response of 300 bytes.
public enum CompressedGigabyte {
  /// The status line and the fields of the response.
  public static var head: String {
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\nContent-Length: \(body.count)\r\n\r\n"
  }

  public static let body: [UInt8] = {
    let lines = [
      "H4sIAAAAAAACA5Pv5mAAASbmt3d0/eYkSrRd7OdrCrkwbQlXoJBZoLPGsl1MJomMM/IWTPYJ4Ljh0fyKqeBNg3yrw6S2EJHLBm/P",
      "KGntey3z9ZX7vcriWotYabE4Xzn98LB/tsue64vbX4/jB5p94IRvfvrkoxIGOWfX29dbgqw79u7F2V+vikR+FO/Y+VwGKGBQpW4t",
      "f1+vnuPPr7I9ryAi7+vv10flMYZ/ln//7S4zUMjtvZsBSHcQC4i3wBXMiQJzFNyQOKMyozKjMqMyozKjMrhlnuWZ3YzIYaz+fPj5",
      "27+MDAwP9s8617Z5Pf/99oeZ3/XZPy67f/QFPwMAp9MCwSEHAAA=",
    ]
    return Array(Data(base64Encoded: lines.joined()) ?? Data())
  }()
}
