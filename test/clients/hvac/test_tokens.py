"""What hvac can ask of the token store and does not test itself."""

from unittest import TestCase

from hvac import exceptions
from tests import utils
from tests.utils.hvac_integration_test_case import HvacIntegrationTestCase


class TestToken(HvacIntegrationTestCase, TestCase):
    def create(self, client, **options):
        auth = client.auth.token.create(**options)["auth"]
        return utils.create_client(url=client.url, token=auth["client_token"]), auth

    def test_children_go_with_their_parent(self):
        parent, auth = self.create(self.client, ttl="1h")
        child, _ = self.create(parent, ttl="1h")
        self.client.auth.token.revoke(auth["client_token"])
        self.assertFalse(parent.is_authenticated())
        self.assertFalse(child.is_authenticated())

    def test_orphans_stay(self):
        parent, auth = self.create(self.client, ttl="1h")
        child, _ = self.create(parent, ttl="1h")
        self.client.auth.token.revoke_and_orphan_children(auth["client_token"])
        self.assertFalse(parent.is_authenticated())
        self.assertTrue(child.is_authenticated())

    def test_uses(self):
        client, _ = self.create(self.client, ttl="1h", num_uses=2)
        self.assertTrue(client.is_authenticated())
        self.assertTrue(client.is_authenticated())
        self.assertFalse(client.is_authenticated())

    def test_batch(self):
        client, auth = self.create(self.client, policies=["default"], ttl="1h", type="batch")
        self.assertEqual((auth["token_type"], auth["renewable"], auth["accessor"]), ("batch", False, ""))
        self.assertEqual(client.auth.token.lookup_self()["data"]["type"], "batch")
        with self.assertRaises(exceptions.InvalidRequest):
            client.auth.token.renew_self()

    def test_accessors(self):
        _, auth = self.create(self.client, ttl="1h")
        self.assertIn(auth["accessor"], self.client.auth.token.list_accessors()["data"]["keys"])

    def test_role(self):
        tokens = self.client.auth.token
        tokens.create_or_update_role("deploy", allowed_policies="deploy", orphan=True, token_period="10m")
        role = tokens.read_role("deploy")["data"]
        self.assertEqual((role["allowed_policies"], role["orphan"], role["token_period"]), (["deploy"], True, 600))
        lookup = self.create(self.client, role_name="deploy")[0].auth.token.lookup_self()["data"]
        self.assertEqual((lookup["role"], lookup["orphan"], lookup["period"]), ("deploy", True, 600))
        with self.assertRaises(exceptions.InvalidRequest):
            tokens.create(role_name="deploy", policies=["other"])
        tokens.delete_role("deploy")

    def test_tidy(self):
        self.assertEqual(self.client.auth.token.tidy().status_code, 202)
