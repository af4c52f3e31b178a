"""An OAuth 2 provider on Authlib, for what oidc-provider-mock has not: grants beside the authorization code, and clients that prove who they are
otherwise than by a password.

usage: authlib_provider.py PORT SIGNER_KEY [SERVER_CERTIFICATE SERVER_KEY CLIENT_AUTHORITY SELF_SIGNED_CLIENT]

With certificates it speaks TLS and asks clients for theirs (RFC 8705).
"""

import ssl
import sys
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import BaseGrant, ClientMixin, InvalidRequestError, TokenEndpointMixin, TokenMixin, UnauthorizedClientError, grants
from authlib.oauth2.rfc6749.errors import InvalidGrantError, OAuth2Error
from authlib.oauth2.rfc6749.util import list_to_scope, scope_to_list
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialMixin
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from flask import Flask, Response, jsonify, request
from joserfc.jwk import ECKey, OctKey
from werkzeug.serving import WSGIRequestHandler, make_server

PORT = int(sys.argv[1])
ORIGIN = f"{'https' if len(sys.argv) > 3 else 'http'}://127.0.0.1:{PORT}"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
METHODS = ["client_secret_basic", "client_secret_post", "client_assertion_jwt", "tls_client_auth", "self_signed_tls_client_auth", "none"]
USERS = {"alice": "wonderland", "bob": "builder & son", "carol": "christmas"}
GRANTS = {"client_credentials", "password", "refresh_token", JWTBearerGrant.GRANT_TYPE, DeviceCodeGrant.GRANT_TYPE, EXCHANGE}

with open(sys.argv[2], "rb") as file:
    SIGNER = load_pem_private_key(file.read(), None).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class Client(ClientMixin):
    def __init__(self, id, method, secret=None, key=None):
        self.client_id, self.method, self.secret, self.key = id, method, secret, key

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return list_to_scope([name for name in scope_to_list(scope or "") if name in ("read", "write")])

    def check_client_secret(self, secret):
        return secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_grant_type(self, grant):
        return grant in GRANTS


SECRET = "a-secret-of-more-than-32-bytes-for-HMAC"
CLIENTS = {
    client.client_id: client
    for client in [
        Client("basic", "client_secret_basic", "s3cr3t"),
        Client("post", "client_secret_post", "s3cr3t & more: ü"),
        Client("hmac", "client_assertion_jwt", key=OctKey.import_key(SECRET)),
        Client("signer", "client_assertion_jwt", key=ECKey.import_key(SIGNER)),
        Client("public", "none"),
        Client("certified", "tls_client_auth"),
        Client("self-signed", "self_signed_tls_client_auth"),
    ]
}


class Token(TokenMixin):
    def __init__(self, values, client, user, actor):
        self.values, self.client, self.user, self.actor = values, client, user, actor
        self.end = time.time() + values["expires_in"]
        self.is_used = False

    def check_client(self, client):
        return client is self.client

    def get_scope(self):
        return self.values.get("scope", "")


access_tokens, refresh_tokens, used_ids, devices, counts = {}, {}, set(), {}, {}


def save(values, call):
    token = Token(values, call.client, call.user, getattr(call, "actor", None))
    access_tokens[values["access_token"]] = token
    if "refresh_token" in values:
        refresh_tokens[values["refresh_token"]] = token


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS


class Password(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def authenticate_user(self, username, password):
        if username in USERS and USERS[username] == password:
            return username


class Refresh(grants.RefreshTokenGrant):
    """Each refresh token is good once."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        token = refresh_tokens.get(text)
        return token if token and not token.is_used else None

    def authenticate_user(self, token):
        return token.user

    def revoke_old_credential(self, token):
        token.is_used = True


class Assertion(JWTBearerGrant):
    def resolve_issuer_client(self, issuer):
        return CLIENTS.get(issuer)

    def resolve_client_public_key(self, client):
        return client.key

    def authenticate_user(self, subject):
        return subject if subject in USERS else None

    def get_audiences(self):
        return [ORIGIN, f"{ORIGIN}/token"]

    def has_granted_permission(self, client, user):
        return True


class Exchange(BaseGrant, TokenEndpointMixin):
    """RFC 8693, for access tokens of this provider."""

    GRANT_TYPE = EXCHANGE
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def token(self, role):
        form = self.request.form
        if form.get(f"{role}_token_type") != ACCESS_TOKEN:
            raise InvalidRequestError(f"{role}_token_type has to be {ACCESS_TOKEN}")
        token = access_tokens.get(form.get(f"{role}_token"))
        if not token:
            raise InvalidRequestError(f"{role}_token is not known")
        return token

    def validate_token_request(self):
        self.request.client = self.authenticate_token_endpoint_client()
        subject = self.token("subject")
        self.request.user = subject.user
        if "actor_token" in self.request.form:
            self.request.actor = self.token("actor").user
        self.scope = self.request.payload.scope or subject.get_scope()
        if not set(scope_to_list(self.scope)) <= set(scope_to_list(subject.get_scope())):
            raise InvalidGrantError("the scope is wider than that of the subject_token")

    def create_token_response(self):
        token = self.generate_token(user=self.request.user, scope=self.scope, include_refresh_token=False)
        self.save_token(token)
        return 200, dict(token, issued_token_type=ACCESS_TOKEN), self.TOKEN_RESPONSE_HEADER


class ClientAssertion(JWTBearerClientAssertion):
    def get_audiences(self):
        return [ORIGIN, f"{ORIGIN}/token"]

    def validate_jti(self, claims, id):
        is_new = id not in used_ids
        used_ids.add(id)
        return is_new

    def resolve_client_public_key(self, client):
        return client.key


def by_certificate(name):
    """RFC 8705: the subject of a certificate that TLS has verified, or the very certificate that is registered."""

    def authenticate(query_client, call):
        client = query_client(call.payload.client_id)
        der = request.environ.get("CLIENT_CERTIFICATE")
        if not client or client.method != name or not der:
            return None
        certificate = x509.load_der_x509_certificate(der)
        if name == "tls_client_auth":
            fits = certificate.issuer == AUTHORITY.subject and certificate.subject == x509.Name.from_rfc4514_string("CN=client")
        else:
            fits = certificate == SELF_SIGNED
        return client if fits else None

    return authenticate


class Device(DeviceCredentialMixin):
    def __init__(self, client_id, scope, data):
        self.client_id, self.scope, self.user_code = client_id, scope, data["user_code"]
        self.end, self.decision, self.last, self.interval = time.time() + data["expires_in"], None, None, data["interval"]

    def get_client_id(self):
        return self.client_id

    def get_scope(self):
        return self.scope or ""

    def get_user_code(self):
        return self.user_code

    def get_nonce(self):
        return None

    def get_auth_time(self):
        return None

    def is_expired(self):
        return time.time() > self.end


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = METHODS
    INTERVAL = 1

    def get_verification_uri(self):
        return f"{ORIGIN}/device"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = Device(client_id, scope, data)


class DeviceCode(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, code):
        return devices.get(code)

    def query_user_grant(self, user_code):
        return next((device.decision for device in devices.values() if device.user_code == user_code), None)

    def should_slow_down(self, device):
        """The first question is always too early, so that every client gets `slow_down`."""
        is_first, device.last = device.last is None, time.time()
        return is_first


app = Flask(__name__)
app.config.update(OAUTH2_REFRESH_TOKEN_GENERATOR=True, OAUTH2_TOKEN_EXPIRES_IN={"password": 3600, "client_credentials": 3600})
server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save)
for grant in [ClientCredentials, Password, Refresh, Assertion, Exchange, DeviceCode]:
    server.register_grant(grant)
server.register_client_auth_method(ClientAssertion.CLIENT_AUTH_METHOD, ClientAssertion())
for name in ["tls_client_auth", "self_signed_tls_client_auth"]:
    server.register_client_auth_method(name, by_certificate(name))
server.register_endpoint(DeviceEndpoint)


@app.post("/token")
def token():
    grant = request.form.get("grant_type", "")
    counts[grant] = counts.get(grant, 0) + 1
    return server.create_token_response()


@app.post("/device_authorization")
def device_authorization():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/device")
def device():
    """Somebody types a code in."""
    for known in devices.values():
        if known.user_code == request.form["user_code"]:
            known.decision = (request.form["user"], request.form.get("decision", "allow") == "allow")
            return "", 204
    return "", 404


@app.get("/me")
def me():
    """The user of a token."""
    token = access_tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
    if not token or token.end < time.time():
        return Response(status=401, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
    return jsonify(user=token.user, client=token.client.client_id, scope=token.get_scope(), actor=token.actor)


@app.post("/expire")
def expire():
    for token in access_tokens.values():
        if token.user == request.args["user"]:
            token.end = 0
    return "", 204


@app.get("/counts")
def count():
    return jsonify(counts)


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify(
        issuer=ORIGIN, token_endpoint=f"{ORIGIN}/token", device_authorization_endpoint=f"{ORIGIN}/device_authorization",
        grant_types_supported=sorted(GRANTS))


class Handler(WSGIRequestHandler):
    def make_environ(self):
        environ = super().make_environ()
        if hasattr(self.connection, "getpeercert"):
            environ["CLIENT_CERTIFICATE"] = self.connection.getpeercert(binary_form=True)
        return environ


context = None
if len(sys.argv) > 3:
    certificate, key, authority, self_signed = sys.argv[3:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.verify_mode = ssl.CERT_OPTIONAL
    for file in [authority, self_signed]:
        context.load_verify_locations(file)
    AUTHORITY, SELF_SIGNED = (x509.load_pem_x509_certificate(open(file, "rb").read()) for file in [authority, self_signed])
make_server("127.0.0.1", PORT, app, threaded=True, request_handler=Handler, ssl_context=context).serve_forever()
