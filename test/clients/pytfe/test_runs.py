import base64
import hashlib
import io
import json
import tarfile

import pytest
from pytfe import errors, models


def ids(items):
    return [item.id for item in items]


def state_text(serial):
    outputs = {"address": {"value": "10.0.0.1", "type": "string"}}
    state = {"version": 4, "terraform_version": "1.5.7", "serial": serial, "lineage": "l-1", "outputs": outputs}
    return json.dumps(state | {"resources": []}).encode()


def archive():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        content = b'output "a" { value = 1 }'
        info = tarfile.TarInfo("main.tf")
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
    packed.seek(0)
    return packed


def test_state_versions(client, organization, workspace):
    versions = client.state_versions
    client.workspaces.lock(workspace.id, models.WorkspaceLockOptions())
    first, second = state_text(1), state_text(2)
    options = models.StateVersionCreateOptions(
        serial=1, md5=hashlib.md5(first).hexdigest(), lineage="l-1", state=base64.b64encode(first).decode()
    )
    made = versions.create(workspace.id, options)
    uploaded = versions.upload(
        workspace.id,
        raw_state=second,
        options=models.StateVersionCreateOptions(serial=2, md5=hashlib.md5(second).hexdigest(), lineage="l-1"),
    )
    assert versions.read_current(workspace.id).id == uploaded.id
    assert versions.read(made.id).serial == 1
    assert versions.download(made.id) == first
    assert versions.download_current(workspace.id) == second
    of = models.StateVersionListOptions(organization=organization, workspace=workspace.name)
    assert ids(versions.list(of)) == [uploaded.id, made.id]
    [output] = versions.list_outputs(uploaded.id)
    assert (output.name, output.value) == ("address", "10.0.0.1")
    assert client.state_version_outputs.read(output.id).value == "10.0.0.1"
    assert [one.name for one in client.state_version_outputs.read_current(workspace.id)] == ["address"]
    assert versions.rollback(workspace.id, made.id).serial == 3
    versions.soft_delete_backing_data(made.id)
    versions.restore_backing_data(made.id)
    client.workspaces.unlock(workspace.id)
    assert list(client.workspace_resources.list(workspace.id)) == []


def test_runs(client, organization, workspace):
    versions = client.configuration_versions
    options = models.ConfigurationVersionCreateOptions(auto_queue_runs=False)
    configuration = versions.create(workspace.id, options)
    versions.upload_tar_gzip(configuration.upload_url, archive())
    assert versions.read(configuration.id).status.value == "uploaded"
    assert ids(versions.list(workspace.id)) == [configuration.id]
    # A workspace as it was read has times, which this client cannot send.
    of = models.Workspace(id=workspace.id)
    run = client.runs.create(models.RunCreateOptions(workspace=of, message="From Python", plan_only=True))
    read = client.runs.read(run.id)
    assert (read.message, read.plan_only) == ("From Python", True)
    assert ids(client.runs.list(workspace.id)) == [run.id]
    assert run.id in ids(client.runs.list_for_organization(organization))
    assert client.plans.read(read.plan.id).id == read.plan.id
    assert client.applies.read(read.apply.id).id == read.apply.id
    comment = client.comments.create(run.id, models.CommentCreateOptions(body="Looks fine"))
    assert ids(client.comments.list(run.id)) == [comment.id]
    assert client.comments.read(comment.id).body == "Looks fine"
    events = list(client.run_events.list(run.id))
    assert client.run_events.read(events[0].id).id == events[0].id
    client.runs.cancel(run.id, models.RunCancelOptions(comment="No more"))
    assert client.runs.read(run.id).status.value == "canceled"
    with pytest.raises(errors.TFEError):
        client.runs.apply(run.id)


def test_run_triggers(client, organization, workspace):
    source = client.workspaces.create(organization, models.WorkspaceCreateOptions(name="source"))
    made = client.run_triggers.create(workspace.id, models.RunTriggerCreateOptions(sourceable=source))
    assert client.run_triggers.read(made.id).sourceable_name == "source"
    inbound = models.RunTriggerListOptions(run_trigger_type="inbound")
    assert ids(client.run_triggers.list(workspace.id, inbound)) == [made.id]
    client.run_triggers.delete(made.id)
    assert ids(client.run_triggers.list(workspace.id, inbound)) == []
