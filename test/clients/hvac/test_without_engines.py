"""Cases of hvac itself whose classes enable a secrets engine first, without it: as they are, for all that need none."""

from tests.integration_tests.api.system_backend import test_policies
from tests.integration_tests.v1 import test_integration, test_system_backend
from tests.utils.hvac_integration_test_case import HvacIntegrationTestCase


class WithoutEngine:
    def setUp(self):
        HvacIntegrationTestCase.setUp(self)

    def tearDown(self):
        HvacIntegrationTestCase.tearDown(self)


class TestPolicies(WithoutEngine, test_policies.TestPolicies):
    """hvac compares policies with all that Vault says of one. What OpenBao says besides has to be there, and is left out."""

    BESIDES = {
        "allow_slashes_in_identity_templates",
        "allow_wildcards_in_identity_templates",
        "cas_required",
        "modified",
        "version",
    }

    def assertEqual(self, first, second, msg=None):
        if isinstance(second, dict) and "policy" in second:
            self.assertLessEqual(self.BESIDES, second.keys())
            second = {name: value for name, value in second.items() if name not in self.BESIDES}
        super().assertEqual(first, second, msg)


class TestClient(WithoutEngine, test_integration.IntegrationTest):
    pass


class TestSystemBackend(WithoutEngine, test_system_backend.TestSystemBackend):
    pass
