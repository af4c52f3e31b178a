"""A server that wants NTLM, and checks it: version 2, as [MS-NLMP] 3.3.2 has it. `python3 ntlm.py` serves until it is killed, and prints its URL."""

import base64
import hmac
import os
import socket
import struct
import threading

DOMAIN, USER, PASSWORD = "CORP", "alice", "wonderland"


def md4(data):
    """RFC 1320: Python has it no more."""
    def turn(value, count):
        value &= 0xFFFFFFFF
        return (value << count | value >> (32 - count)) & 0xFFFFFFFF

    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
    padded = data + b"\x80" + b"\0" * ((55 - len(data)) % 64) + struct.pack("<Q", len(data) * 8)
    rounds = [
        (lambda x, y, z: x & y | ~x & z, 0, list(range(16)), (3, 7, 11, 19)),
        (lambda x, y, z: x & y | x & z | y & z, 0x5A827999, [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], (3, 5, 9, 13)),
        (lambda x, y, z: x ^ y ^ z, 0x6ED9EBA1, [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], (3, 9, 11, 15)),
    ]
    for start in range(0, len(padded), 64):
        words = struct.unpack("<16I", padded[start:start + 64])
        a, b, c, d = state
        for function, constant, order, shifts in rounds:
            for index, word in enumerate(order):
                a = turn(a + function(b, c, d) + words[word] + constant, shifts[index % 4])
                a, b, c, d = d, a, b, c
        state = [old + new & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d))]
    return struct.pack("<4I", *state)


def challenge(nonce):
    """The server's message: a challenge, and who it is, so that clients answer by version 2."""
    name = DOMAIN.encode("utf-16-le")
    information = struct.pack("<HH", 2, len(name)) + name + struct.pack("<HH", 0, 0)
    # Unicode, NTLM, always signed, target is a domain, version 2's session, target information.
    flags = 0x1 | 0x4 | 0x200 | 0x8000 | 0x10000 | 0x80000 | 0x800000
    start = 48
    return (
        b"NTLMSSP\0" + struct.pack("<IHHII", 2, len(name), len(name), start, flags) + nonce + b"\0" * 8
        + struct.pack("<HHI", len(information), len(information), start + len(name)) + name + information)


def proves(message, nonce):
    """Whether a client's last message is the user's, who knows the password."""
    def field(at):
        length, _, start = struct.unpack_from("<HHI", message, at)
        return message[start:start + length]

    try:
        response, domain, user = field(20), field(28).decode("utf-16-le"), field(36).decode("utf-16-le")
    except (struct.error, UnicodeDecodeError):
        return False
    if (domain.upper(), user.lower()) != (DOMAIN, USER) or len(response) < 32:
        return False
    key = hmac.new(md4(PASSWORD.encode("utf-16-le")), (user.upper() + domain).encode("utf-16-le"), "md5").digest()
    return hmac.compare_digest(hmac.new(key, nonce + response[16:], "md5").digest(), response[:16])


def serve(connection):
    """One connection, which is what NTLM authenticates."""
    stream = connection.makefile("rb")
    nonce = None
    while True:
        first = stream.readline().decode("latin-1").split(" ")
        if len(first) < 3:
            return connection.close()
        fields = {}
        while True:
            line = stream.readline().decode("latin-1").strip()
            if not line:
                break
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        stream.read(int(fields.get("content-length", "0")))
        scheme, _, text = fields.get("authorization", "").partition(" ")
        message = base64.b64decode(text) if scheme == "NTLM" else b""
        kind = struct.unpack_from("<I", message, 8)[0] if message.startswith(b"NTLMSSP\0") and len(message) >= 12 else 0
        status, wanted, body = "401 Unauthorized", "WWW-Authenticate: NTLM\r\n", b'{"authenticated": false}'
        if kind == 1:
            nonce = os.urandom(8)
            wanted = f"WWW-Authenticate: NTLM {base64.b64encode(challenge(nonce)).decode()}\r\n"
        elif kind == 3 and nonce and proves(message, nonce):
            status, wanted, body = "200 OK", "", f'{{"authenticated": true, "user": "{USER}"}}'.encode()
        head = f"HTTP/1.1 {status}\r\n{wanted}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)


def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


if __name__ == "__main__":
    main()
