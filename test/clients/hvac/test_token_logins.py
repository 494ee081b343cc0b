"""Logins with a token of another issuer, as hvac makes them: what its own cases of them do with engines and other methods."""

import base64
import json
import subprocess
import tempfile
import time
from pathlib import Path
from unittest import TestCase

from hvac import exceptions
from tests import utils
from tests.utils.hvac_integration_test_case import HvacIntegrationTestCase


class Issuer:
    """Signs with RS256."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.key = str(Path(self.folder.name) / "key.pem")
        self.openssl("genrsa", "-out", self.key, "2048")
        self.public_key = self.openssl("rsa", "-in", self.key, "-pubout").decode()

    def openssl(self, *arguments, content=None):
        return subprocess.run(["openssl", *arguments], check=True, capture_output=True, input=content).stdout

    def sign(self, **claims):
        now = int(time.time())
        parts = [{"alg": "RS256", "typ": "JWT"}, {"iss": "ci", "aud": "1234", "iat": now, "exp": now + 300, **claims}]
        text = ".".join(encoded(json.dumps(part).encode()) for part in parts)
        return f"{text}.{encoded(self.openssl('dgst', '-sha256', '-sign', self.key, content=text.encode()))}"


def encoded(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class TestTokenLogin(HvacIntegrationTestCase, TestCase):
    PATH = "ci"

    def setUp(self):
        super().setUp()
        self.issuer = Issuer()
        self.addCleanup(self.issuer.folder.cleanup)
        self.client.sys.enable_auth_method(method_type="jwt", path=self.PATH)
        self.addCleanup(self.client.sys.disable_auth_method, path=self.PATH)
        response = self.client.auth.jwt.configure(
            jwt_validation_pubkeys=[self.issuer.public_key], bound_issuer="ci", default_role="deploy", path=self.PATH
        )
        self.assertEqual(response.status_code, 204)
        self.write_role()

    def write_role(self, **fields):
        response = self.client.auth.jwt.create_role(
            name="deploy",
            role_type="jwt",
            user_claim="sub",
            bound_audiences=["1234"],
            allowed_redirect_uris=[],
            bound_claims={"repository": ["acme/infra", "acme/other"]},
            claim_mappings={"repository": "repository"},
            path=self.PATH,
            **fields,
        )
        self.assertEqual(response.status_code, 204)

    def login(self, **claims):
        client = utils.create_client(url=self.client.url)
        jwt = self.issuer.sign(**{"sub": "job", "repository": "acme/infra", **claims})
        return client, client.auth.jwt.jwt_login(role="deploy", jwt=jwt, path=self.PATH)

    def test_configuration(self):
        config = self.client.auth.jwt.read_config(path=self.PATH)["data"]
        self.assertEqual((config["bound_issuer"], config["default_role"]), ("ci", "deploy"))
        self.assertEqual(config["jwt_validation_pubkeys"], [self.issuer.public_key.strip()])

    def test_role(self):
        role = self.client.auth.jwt.read_role(name="deploy", path=self.PATH)["data"]
        self.assertEqual((role["user_claim"], role["role_type"], role["bound_audiences"]), ("sub", "jwt", ["1234"]))
        self.assertEqual(role["bound_claims"], {"repository": ["acme/infra", "acme/other"]})
        self.client.auth.jwt.delete_role(name="deploy", path=self.PATH)
        with self.assertRaises(exceptions.InvalidPath):
            self.client.auth.jwt.read_role(name="deploy", path=self.PATH)

    def test_login(self):
        client, answer = self.login()
        auth = answer["auth"]
        self.assertEqual(auth["metadata"], {"role": "deploy", "repository": "acme/infra"})
        self.assertEqual(client.token, auth["client_token"])
        self.assertEqual(client.lookup_token()["data"]["meta"]["role"], "deploy")
        self.assertEqual(client.auth.token.renew_self()["auth"]["policies"], ["default"])

    def test_login_without_keeping_the_token(self):
        client = utils.create_client(url=self.client.url)
        jwt = self.issuer.sign(sub="job", repository="acme/other")
        answer = client.auth.jwt.jwt_login(role="", jwt=jwt, use_token=False, path=self.PATH)
        self.assertNotEqual(client.token, answer["auth"]["client_token"])

    def test_refused(self):
        for claims in ({"repository": "evil/infra"}, {"aud": "other"}, {"iss": "other"}, {"exp": 1}):
            with self.assertRaises(exceptions.InvalidRequest):
                self.login(**claims)
