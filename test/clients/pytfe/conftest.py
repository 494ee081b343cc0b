"""A client and an organization for each file of tests; writes each case's outcome to a file of JSON lines."""

import json
import os
from pathlib import Path

import pytest
from pytfe import TFEClient, TFEConfig, models


def pytest_runtest_logreport(report: pytest.TestReport):
    if report.when != "call" and not report.failed:
        return
    line = {"name": report.nodeid.rpartition("/")[2], "outcome": report.outcome, "detail": report.longreprtext}
    with Path(os.environ["CASES_FILE"]).open("a") as file:
        file.write(json.dumps(line) + "\n")


@pytest.fixture(scope="session")
def client():
    config = TFEConfig(address=os.environ["TFE_ADDRESS"], token=os.environ["TFE_TOKEN"], max_retries=0)
    return TFEClient(config)


@pytest.fixture(scope="module")
def organization(client, request):
    """The name of one that goes with the file."""
    name = request.module.__name__.replace("_", "-")
    client.organizations.create(models.OrganizationCreateOptions(name=name, email="ops@example.com"))
    yield name
    client.organizations.delete(name)


@pytest.fixture
def workspace(client, organization, request):
    name = request.node.name.replace("[", "-").replace("]", "")
    return client.workspaces.create(organization, models.WorkspaceCreateOptions(name=name))


@pytest.fixture(scope="module")
def project(client, organization):
    return client.projects.create(organization, models.ProjectCreateOptions(name="Shared project"))


@pytest.fixture(scope="module")
def team(client, organization):
    return client.teams.create(organization, models.TeamCreateOptions(name="runners"))
