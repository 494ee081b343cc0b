"""What hvac tests with other methods and engines, with the method that Lockkeeper has."""

from unittest import TestCase

from hvac import exceptions
from tests import utils
from tests.integration_tests.api.system_backend import test_auth
from tests.utils.hvac_integration_test_case import HvacIntegrationTestCase


class TestAuth(test_auth.TestAuth):
    TEST_AUTH_METHOD_TYPE = "cert"
    TEST_AUTH_METHOD_PATH = "test-cert"


class MountCase(HvacIntegrationTestCase, TestCase):
    PATH = "test-cert"

    def setUp(self):
        super().setUp()
        self.client.sys.enable_auth_method(method_type="cert", path=self.PATH)

    def tearDown(self):
        super().tearDown()
        for path in self.client.sys.list_auth_methods()["data"]:
            if path != "token/":
                self.client.sys.disable_auth_method(path=path)

    def paths(self):
        return list(self.client.sys.list_auth_methods()["data"])


class TestTuning(MountCase):
    def test_tune_auth_method(self):
        tuned = self.client.sys.tune_auth_method(
            path=self.PATH, description="of a test", default_lease_ttl=3600, max_lease_ttl=12345678
        )
        self.assertEqual(tuned.status_code, 204)
        tuning = self.client.sys.read_auth_method_tuning(path=self.PATH)["data"]
        self.assertEqual((tuning["default_lease_ttl"], tuning["max_lease_ttl"]), (3600, 12345678))
        self.assertEqual(self.client.sys.list_auth_methods()["data"][f"{self.PATH}/"]["description"], "of a test")

    def test_tune_mount_configuration(self):
        path = f"auth/{self.PATH}"
        before = self.client.sys.read_mount_configuration(path=path)["data"]
        self.assertEqual((before["default_lease_ttl"], before["max_lease_ttl"]), (2764800, 2764800))
        self.client.sys.tune_mount_configuration(path=path, default_lease_ttl="3600s", max_lease_ttl="8600s")
        after = self.client.sys.read_mount_configuration(path=path)["data"]
        self.assertEqual((after["default_lease_ttl"], after["max_lease_ttl"]), (3600, 8600))

    def test_tune_what_is_not_there(self):
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.tune_auth_method(path="nowhere", description="x")
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.read_auth_method_tuning(path="nowhere")


class TestMount(MountCase):
    def test_other_methods_are_refused(self):
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.enable_auth_method(method_type="github", path="elsewhere")
        self.assertNotIn("elsewhere/", self.paths())

    def test_token_cannot_be_disabled(self):
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.disable_auth_method(path="token")
        self.assertIn("token/", self.paths())

    def test_disable_takes_roles_along(self):
        self.client.auth.cert.create_ca_certificate_role(
            name="web", certificate_file=utils.get_config_file_path("client-cert.pem"), mount_point=self.PATH
        )
        self.client.sys.disable_auth_method(path=self.PATH)
        self.client.sys.enable_auth_method(method_type="cert", path=self.PATH)
        with self.assertRaises(exceptions.InvalidPath):
            self.client.auth.cert.list_certificate_roles(mount_point=self.PATH)

    def test_move(self):
        self.client.sys.move_backend(from_path=f"auth/{self.PATH}", to_path="auth/moved")
        self.assertIn("moved/", self.paths())
        self.assertNotIn(f"{self.PATH}/", self.paths())
