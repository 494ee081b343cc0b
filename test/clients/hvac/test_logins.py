"""What hvac tests with leases and wrapped answers of other engines, with logins by certificate; and what follows."""

from unittest import TestCase

from hvac import exceptions
from tests import utils
from tests.utils.hvac_integration_test_case import HvacIntegrationTestCase


class LoginCase(HvacIntegrationTestCase, TestCase):
    PATH = "machines"
    CERTIFICATE = utils.get_config_file_path("client-cert.pem")
    KEY = utils.get_config_file_path("client-key.pem")

    def setUp(self):
        super().setUp()
        self.client.sys.enable_auth_method(method_type="cert", path=self.PATH)
        self.client.sys.create_or_update_acl_policy("reader", 'path "sys/auth" { capabilities = ["read", "sudo"] }')
        self.write_role(token_policies=["reader"], token_ttl="1h", token_max_ttl="2h")

    def tearDown(self):
        super().tearDown()
        self.client.sys.disable_auth_method(path=self.PATH)

    def write_role(self, **fields):
        self.client.auth.cert.create_ca_certificate_role(
            name="web", certificate_file=self.CERTIFICATE, mount_point=self.PATH, **fields
        )

    def login(self):
        """A client of its own that is logged in, and what the login said."""
        client = utils.create_client(url=self.client.url)
        return client, client.auth.cert.login("web", "", self.CERTIFICATE, self.KEY, mount_point=self.PATH)["auth"]


class TestLogin(LoginCase):
    def test_policies_decide(self):
        client, auth = self.login()
        self.assertEqual(auth["policies"], ["default", "reader"])
        self.assertEqual((auth["lease_duration"], auth["renewable"], auth["token_type"]), (3600, True, "service"))
        self.assertEqual((auth["metadata"]["cert_name"], auth["metadata"]["common_name"]), ("web", "client"))
        self.assertIn("machines/", client.sys.list_auth_methods()["data"])
        with self.assertRaises(exceptions.Forbidden):
            client.sys.list_acl_policies()
        self.client.sys.create_or_update_acl_policy("reader", 'path "sys/auth" { capabilities = ["deny"] }')
        with self.assertRaises(exceptions.Forbidden):
            client.sys.list_auth_methods()

    def test_capabilities(self):
        client, auth = self.login()
        paths = ["sys/auth", "sys/health", "auth/token/lookup-self"]
        expected = {"sys/auth": ["sudo", "read"], "sys/health": ["deny"], "auth/token/lookup-self": ["read"]}
        by_self = client.sys.get_capabilities(paths=paths)["data"]
        by_token = self.client.sys.get_capabilities(paths=paths, token=auth["client_token"])["data"]
        by_accessor = self.client.sys.get_capabilities(paths=paths, accessor=auth["accessor"])["data"]
        for found in (by_self, by_token, by_accessor):
            self.assertEqual({path: found[path] for path in paths}, expected)

    def test_renew_with_the_same_certificate(self):
        client, _ = self.login()
        renewed = client.auth.token.renew_self(increment="30m")["auth"]
        self.assertEqual(renewed["lease_duration"], 1800)
        capped = client.auth.token.renew_self(increment="5h")
        self.assertLessEqual(capped["auth"]["lease_duration"], 7200)
        self.assertTrue(capped["warnings"])

    def test_renew_by_accessor_gives_no_token_away(self):
        _, auth = self.login()
        renewed = self.client.auth.token.renew_accessor(auth["accessor"], increment="30m")["auth"]
        self.assertEqual((renewed["client_token"], renewed["lease_duration"]), ("", 1800))

    def test_refused_once_the_policies_of_the_role_have_changed(self):
        client, _ = self.login()
        self.write_role(token_policies=["other"])
        with self.assertRaises(exceptions.InvalidRequest):
            client.auth.token.renew_self()

    def test_wrapped(self):
        response = self.client.adapter.post(f"/v1/auth/{self.PATH}/login", json={"name": "web"}, wrap_ttl="60s")
        self.assertIsNone(response["auth"])
        self.assertEqual(response["wrap_info"]["creation_path"], f"auth/{self.PATH}/login")
        auth = self.client.sys.unwrap(response["wrap_info"]["token"])["auth"]
        self.assertEqual(auth["accessor"], response["wrap_info"]["wrapped_accessor"])
        self.assertEqual(auth["policies"], ["default", "reader"])


class TestLease(LoginCase):
    def lease(self):
        """The lease that carries the token, found as an operator finds it."""
        keys = self.client.sys.list_leases(prefix=f"auth/{self.PATH}/login")["data"]["keys"]
        self.assertEqual(len(keys), 1)
        return f"auth/{self.PATH}/login/{keys[0]}"

    def assert_revoked(self, client):
        with self.assertRaises(exceptions.Forbidden):
            client.auth.token.lookup_self()

    def test_read_lease(self):
        self.login()
        lease = self.lease()
        self.assertEqual(self.client.sys.read_lease(lease_id=lease)["data"]["id"], lease)

    def test_tokens_are_not_renewed_by_their_lease(self):
        self.login()
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.renew_lease(lease_id=self.lease(), increment=1800)

    def test_revoke_lease(self):
        client, _ = self.login()
        self.client.sys.revoke_lease(lease_id=self.lease())
        self.assert_revoked(client)

    def test_revoke_prefix(self):
        client, _ = self.login()
        other, _ = self.login()
        self.client.sys.revoke_prefix(prefix=f"auth/{self.PATH}")
        self.assert_revoked(client)
        self.assert_revoked(other)

    def test_revoke_force(self):
        client, _ = self.login()
        self.client.sys.revoke_force(f"auth/{self.PATH}")
        self.assert_revoked(client)

    def test_revoked_with_the_mount(self):
        client, _ = self.login()
        self.client.sys.disable_auth_method(path=self.PATH)
        self.assert_revoked(client)


class TestIdentity(LoginCase):
    def test_one_entity_for_a_name(self):
        _, first = self.login()
        _, second = self.login()
        self.assertEqual(first["entity_id"], second["entity_id"])
        identity = self.client.secrets.identity
        self.assertIn(first["entity_id"], identity.list_entities()["data"]["keys"])
        entity = identity.read_entity(first["entity_id"])["data"]
        alias = entity["aliases"][0]
        mount = self.client.sys.list_auth_methods()["data"][f"{self.PATH}/"]
        self.assertEqual((alias["name"], alias["mount_accessor"]), ("client", mount["accessor"]))

    def test_delete(self):
        _, auth = self.login()
        self.client.secrets.identity.delete_entity(auth["entity_id"])
        with self.assertRaises(exceptions.InvalidPath):
            self.client.secrets.identity.read_entity(auth["entity_id"])

    def test_group_of_machines(self):
        client, auth = self.login()
        identity = self.client.secrets.identity
        group = identity.create_or_update_group_by_name("runners", policies=["deploy"], metadata={"team": "blue"})["data"]
        identity.update_group(group["id"], name="runners", member_entity_ids=[auth["entity_id"]])
        self.assertEqual(client.auth.token.lookup_self()["data"]["identity_policies"], ["deploy"])
        self.assertEqual(identity.read_group_by_name("runners")["data"]["member_entity_ids"], [auth["entity_id"]])
        self.assertEqual(identity.lookup_group(name="runners")["data"]["id"], group["id"])
        self.assertIn("runners", identity.list_groups_by_name()["data"]["keys"])
        outer = identity.create_or_update_group(name="all", member_group_ids=[group["id"]])["data"]["id"]
        self.assertEqual(identity.read_entity(auth["entity_id"])["data"]["inherited_group_ids"], [outer])
        identity.delete_group_by_name("runners")
        identity.delete_group(outer)
        self.assertNotIn("identity_policies", client.auth.token.lookup_self()["data"])

    def test_external_group(self):
        identity = self.client.secrets.identity
        accessor = self.client.sys.list_auth_methods()["data"][f"{self.PATH}/"]["accessor"]
        group = identity.create_or_update_group(name="external", group_type="external")["data"]["id"]
        alias = identity.create_or_update_group_alias("team", mount_accessor=accessor, canonical_id=group)["data"]["id"]
        self.assertEqual(identity.read_group(group)["data"]["alias"]["name"], "team")
        identity.update_group_alias(alias, "team-2", mount_accessor=accessor, canonical_id=group)
        self.assertEqual(identity.read_group_alias(alias)["data"]["name"], "team-2")
        self.assertEqual(identity.list_group_aliases()["data"]["keys"], [alias])
        self.assertEqual(identity.lookup_group(alias_id=alias)["data"]["id"], group)
        identity.delete_group_alias(alias)
        identity.delete_group(group)

    def test_made_before_the_first_login(self):
        identity = self.client.secrets.identity
        accessor = self.client.sys.list_auth_methods()["data"][f"{self.PATH}/"]["accessor"]
        entity = identity.create_or_update_entity("front", policies=["deploy"], metadata={"k": "v"})["data"]["id"]
        alias = identity.create_or_update_entity_alias("client", entity, accessor)["data"]["id"]
        _, auth = self.login()
        self.assertEqual((auth["entity_id"], auth["identity_policies"]), (entity, ["deploy"]))
        self.assertEqual(identity.lookup_entity(alias_name="client", alias_mount_accessor=accessor)["data"]["id"], entity)
        self.assertEqual(identity.read_entity_by_name("front")["data"]["metadata"], {"k": "v"})
        identity.update_entity(entity, name="back")
        other = identity.create_or_update_entity_by_name("other")["data"]["id"]
        identity.update_entity_alias(alias, "client", other, accessor)
        self.assertEqual(identity.read_entity_alias(alias)["data"]["canonical_id"], other)
        identity.merge_entities(from_entity_ids=[other], to_entity_id=entity)
        self.assertEqual(identity.read_entity(entity)["data"]["merged_entity_ids"], [other])
        self.assertEqual(self.login()[1]["entity_id"], entity)
        identity.delete_entity(entity)
        with self.assertRaises(exceptions.InvalidPath):
            identity.read_entity(entity)
