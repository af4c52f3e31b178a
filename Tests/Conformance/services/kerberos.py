"""A realm of Kerberos with a user `alice`, and a server that wants her ticket: Debian's krb5-kdc, krb5-admin-server, krb5-user, apache2-bin and
libapache2-mod-auth-gssapi. `python3 kerberos.py` serves until it is killed, and prints its URL and what a client's environment needs.

Garland's own tests have another one (`Tests/TestSupport`): this folder has to serve who has nothing of Garland's but it."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MODULES = pathlib.Path("/usr/lib/apache2/modules")
PROGRAMS = ["/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit", "/usr/sbin/apache2"]


def is_installed():
    return all(os.access(program, os.X_OK) for program in PROGRAMS) and (MODULES / "mod_auth_gssapi.so").exists()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Kerberos:
    """Starts both; `close` ends them."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conformance-kerberos-"))
        self.folder.chmod(0o755)
        self.processes = []
        self.kdc_port, self.port = free_port(), free_port()
        # Kerberos knows no addresses.
        self.url = f"http://localhost:{self.port}"
        self.write_configuration()
        self.configuration = {"KRB5_CONFIG": str(self.folder / "krb5.conf"), "KRB5_KDC_PROFILE": str(self.folder / "kdc.conf")}
        self.run("/usr/sbin/kdb5_util", "create", "-s", "-r", "CONFORMANCE.TEST", "-P", "master")
        for query in ["addprinc -randkey HTTP/localhost", "addprinc -randkey alice", f"ktadd -k {self.folder}/http.keytab HTTP/localhost",
                      f"ktadd -k {self.folder}/alice.keytab alice"]:
            self.run("/usr/sbin/kadmin.local", "-q", query)
        (self.folder / "http.keytab").chmod(0o644)
        self.start(self.kdc_port, "/usr/sbin/krb5kdc", "-n")
        self.run("/usr/bin/kinit", "-k", "-t", f"{self.folder}/alice.keytab", "alice")
        self.start(self.port, "/usr/sbin/apache2", "-d", str(self.folder), "-f", str(self.folder / "httpd.conf"), "-DFOREGROUND")

    def environment(self):
        """The environment in which a client has alice's ticket."""
        return {"KRB5_CONFIG": self.configuration["KRB5_CONFIG"], "KRB5CCNAME": f"FILE:{self.folder}/tickets"}

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def variables(self):
        return {**os.environ, **self.configuration, **self.environment()}

    def run(self, *command):
        result = subprocess.run(command, cwd=self.folder, env=self.variables(), capture_output=True, text=True)
        if result.returncode:
            raise SystemExit(f"{' '.join(command)}: {result.stdout}{result.stderr}")

    def start(self, port, *command):
        log = open(self.folder / "log", "ab")
        process = subprocess.Popen(command, cwd=self.folder, env=self.variables(), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.processes.append(process)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"{command[0]} did not start: {(self.folder / 'log').read_text(errors='replace')}")

    def write_configuration(self):
        (self.folder / "krb5.conf").write_text(f"""[libdefaults]
default_realm = CONFORMANCE.TEST
dns_lookup_kdc = false
dns_lookup_realm = false
dns_canonicalize_hostname = false
rdns = false
udp_preference_limit = 1
[realms]
CONFORMANCE.TEST = {{
  kdc = 127.0.0.1:{self.kdc_port}
}}
[domain_realm]
localhost = CONFORMANCE.TEST
""")
        (self.folder / "kdc.conf").write_text(f"""[kdcdefaults]
kdc_listen = 127.0.0.1:{self.kdc_port}
kdc_tcp_listen = 127.0.0.1:{self.kdc_port}
[realms]
CONFORMANCE.TEST = {{
  database_name = {self.folder}/principal
  key_stash_file = {self.folder}/stash
  acl_file = {self.folder}/acl
}}
[logging]
kdc = FILE:{self.folder}/kdc.log
""")
        (self.folder / "www").mkdir()
        (self.folder / "www" / "index.json").write_text('{"authenticated": true}\n')
        loads = [f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in
                 ["mpm_event", "authn_core", "authz_core", "authz_user", "alias", "auth_gssapi"]]
        (self.folder / "httpd.conf").write_text("\n".join([*loads, f"""Listen 127.0.0.1:{self.port}
ServerName localhost
PidFile {self.folder}/httpd.pid
Mutex file:{self.folder}
ErrorLog {self.folder}/error.log
{"User nobody" if os.getuid() == 0 else ""}
{"Group nogroup" if os.getuid() == 0 else ""}
DocumentRoot {self.folder}/www
AliasMatch ^/.*$ {self.folder}/www/index.json
<Location />
ForceType application/json
AuthType GSSAPI
AuthName conformance
GssapiCredStore keytab:{self.folder}/http.keytab
GssapiAllowedMech krb5
Require valid-user
</Location>
"""]))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if not is_installed():
        raise SystemExit(__doc__)
    realm = Kerberos()
    try:
        print(realm.url, *(f"{name}={value}" for name, value in realm.environment().items()), flush=True)
        signal.pause()
    finally:
        realm.close()


if __name__ == "__main__":
    main()
