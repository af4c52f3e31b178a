"""WebSocket servers of three libraries, which echo what they get.

usage: websocket_server.py LIBRARY PORT [CERTIFICATE KEY]

`/` echoes; `/close` closes with 4001 and a reason; `/refuse` answers 403; `/headers` sends the field `X-Test` of the request. The subprotocol
`echo.v1` is chosen when it is offered. With a certificate they speak TLS.
"""

import asyncio
import http
import ssl
import sys

LIBRARY, PORT = sys.argv[1], int(sys.argv[2])
REASON = "as you wish"
CONTEXT = None
if len(sys.argv) > 3:
    CONTEXT = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    CONTEXT.load_cert_chain(sys.argv[3], sys.argv[4])


async def with_websockets():
    from websockets.asyncio.server import serve

    def refuse(connection, request):
        if request.path == "/refuse":
            return connection.respond(http.HTTPStatus.FORBIDDEN, "not today\n")

    async def handle(connection):
        path = connection.request.path
        if path == "/close":
            return await connection.close(4001, REASON)
        if path == "/headers":
            return await connection.send(connection.request.headers.get("X-Test", ""))
        async for message in connection:
            await connection.send(message)

    def choose(connection, offered):
        return "echo.v1" if "echo.v1" in offered else None

    # On a busy machine, a handshake may take longer than the 10 s that this library allows by default.
    async with serve(
        handle, "127.0.0.1", PORT, ssl=CONTEXT, select_subprotocol=choose, process_request=refuse, max_size=None,
        open_timeout=None, ping_timeout=None
    ) as server:
        await server.serve_forever()


async def with_aiohttp():
    from aiohttp import WSMsgType, web

    async def handle(request):
        if request.path == "/refuse":
            return web.Response(status=403, text="not today\n")
        connection = web.WebSocketResponse(protocols=["echo.v1"], max_msg_size=0)
        await connection.prepare(request)
        if request.path == "/close":
            await connection.close(code=4001, message=REASON.encode())
        elif request.path == "/headers":
            await connection.send_str(request.headers.get("X-Test", ""))
            await connection.close()
        else:
            async for message in connection:
                if message.type == WSMsgType.TEXT:
                    await connection.send_str(message.data)
                elif message.type == WSMsgType.BINARY:
                    await connection.send_bytes(message.data)
        return connection

    app = web.Application()
    app.router.add_get("/{path:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", PORT, ssl_context=CONTEXT).start()
    await asyncio.Event().wait()


async def with_wsproto():
    from wsproto import ConnectionType, WSConnection
    from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, RejectConnection, RejectData, Request, TextMessage
    from wsproto.extensions import PerMessageDeflate

    async def handle(reader, writer):
        connection = WSConnection(ConnectionType.SERVER)
        parts = []
        while data := await reader.read(65536):
            connection.receive_data(data)
            for event in connection.events():
                out = b""
                if isinstance(event, Request):
                    if event.target == "/refuse":
                        out = connection.send(RejectConnection(status_code=403, headers=[(b"content-length", b"10")], has_body=True))
                        out += connection.send(RejectData(data=b"not today\n"))
                    else:
                        chosen = "echo.v1" if "echo.v1" in event.subprotocols else None
                        out = connection.send(AcceptConnection(subprotocol=chosen, extensions=[PerMessageDeflate()]))
                        if event.target == "/close":
                            out += connection.send(CloseConnection(code=4001, reason=REASON))
                        elif event.target == "/headers":
                            value = dict(event.extra_headers).get(b"x-test", b"").decode()
                            out += connection.send(TextMessage(data=value)) + connection.send(CloseConnection(code=1000))
                elif isinstance(event, (TextMessage, BytesMessage)):
                    parts.append(event.data)
                    if event.message_finished:
                        whole, parts = parts[0][:0].join(parts), []
                        out = connection.send(type(event)(data=whole))
                elif isinstance(event, Ping):
                    out = connection.send(event.response())
                elif isinstance(event, CloseConnection):
                    try:
                        out = connection.send(event.response())
                    except Exception:
                        out = b""
                    writer.write(out)
                    await writer.drain()
                    writer.close()
                    return
                writer.write(out)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", PORT, ssl=CONTEXT)
    await server.serve_forever()


asyncio.run({"websockets": with_websockets, "aiohttp": with_aiohttp, "wsproto": with_wsproto}[LIBRARY]())
