/// Content that other programs have encoded.
public enum ContentEncoder {
  private static let script = """
    import sys, zlib, gzip, brotli, subprocess
    data = sys.stdin.buffer.read()
    def raw(d):
      c = zlib.compressobj(9, zlib.DEFLATED, -15)
      return c.compress(d) + c.flush()
    out = {"gzip": gzip.compress, "deflate": zlib.compress, "raw": raw, "members": lambda d: gzip.compress(d[:100]) + gzip.compress(d[100:]), "br": brotli.compress,
      "zstd": lambda d: subprocess.run(["/usr/bin/zstd", "-c"], input=d, stdout=subprocess.PIPE, check=True).stdout}
    sys.stdout.buffer.write(out[sys.argv[1]](data))
    """

  /// Returns bytes in a coding: `gzip`, `deflate`, `raw` deflate, `members` of gzip, `br` or `zstd`.
  public static func encoded(_ coding: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("data", bytes)
    let command = "/usr/bin/python3 -c \"$1\" \"$2\" <\"$3/data\""
    return try ChildProcess.runBlocking("/bin/sh", ["-c", command, "sh", script, coding, folder.path]).outputBytes
  }
}
