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
    pass


class TestClient(WithoutEngine, test_integration.IntegrationTest):
    pass


class TestSystemBackend(WithoutEngine, test_system_backend.TestSystemBackend):
    pass
