"""What hvac makes of a server that lets each token ask twice a second."""

import json
import os
from unittest import TestCase, mock

import requests
from hvac import exceptions
from requests.adapters import HTTPAdapter
from tests import utils
from tests.utils.hvac_integration_test_case import HvacIntegrationTestCase
from urllib3.util import Retry

SETTINGS = {"rate_limits": {"access": 2}}


class TestRate(HvacIntegrationTestCase, TestCase):
    @classmethod
    def setUpClass(cls):
        with mock.patch.dict(os.environ, {"SERVER_SETTINGS": json.dumps(SETTINGS)}):
            super().setUpClass()

    def ask(self, times, **options):
        client = utils.create_client(url=self.client.url, token=self.manager.root_token, **options)
        for _ in range(times):
            client.auth.token.lookup_self()

    def test_who_asks_too_often_is_told_so(self):
        with self.assertRaisesRegex(exceptions.RateLimitExceeded, "rate limit quota exceeded"):
            self.ask(20)

    def test_who_retries_as_hvac_advises_is_let_in(self):
        """Its documentation hands `Retry` to the session; that waits as long as Retry-After says."""
        session = requests.Session()
        session.mount("https://", HTTPAdapter(max_retries=Retry(total=5)))
        self.ask(6, session=session)
