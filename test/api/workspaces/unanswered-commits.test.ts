import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs, sql } from '../../../src/storage/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import { archive } from '../../support/samples/archive.ts';
import { agentsOf, byAgents } from './support/agents.ts';
import { startApi, type TestApi } from './support/api.ts';
import { newOrganization, type TestOrganization } from './support/organization.ts';
import { runsOf, type TestRuns } from './support/runs.ts';
import { atAddress, lockedWorkspace, stateText } from './support/states.ts';

const selectNames = sql<Record<string, never>, { name: string }>('SELECT name FROM blob');

/** The created stores, newest last. */
const stores: FileBlobs[] = [];
class KnownBlobs extends FileBlobs {
  constructor(folder: string) {
    super(folder);
    stores.push(this);
  }
}

describe.each(databaseKinds)('blobs after a COMMIT that succeeds without a response, on %s', (kind) => {
  let api: TestApi;
  let unanswered: Awaited<ReturnType<TestApi['unanswered']>>;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    api = await startApi(kind, KnownBlobs);
    unanswered = await api.unanswered();
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(async () => {
    await unanswered.close();
    await api.close();
  });

  const put = async (node: Pick<TestApi, 'app'>, url: string, payload: string | Buffer) => {
    const { pathname, search } = new URL(url);
    const headers = { 'content-type': 'application/octet-stream' };
    return (await node.app.inject({ method: 'PUT', url: pathname + search, headers, payload })).statusCode;
  };

  /** Every name with a row is listed. With `all`, there are no other names. */
  const expectBytes = async (all = false) => {
    const rows = await api.workspaces.database.all(selectNames, {});
    const stored = async () => {
      const names: string[] = [];
      for (let from: string | undefined, more = true; more; more = from !== undefined) {
        const { blobs, next } = (await stores.at(-1)?.list(from)) ?? { blobs: [], next: undefined };
        names.push(...blobs.map(({ name }) => name));
        from = next;
      }
      return names.toSorted();
    };
    const named = rows.map(({ name }) => name).toSorted();
    if (all) await expect.poll(stored).toEqual(named);
    else expect(await stored()).toEqual(expect.arrayContaining(named));
  };

  test('a refused upload leaves no bytes', async () => {
    const { url } = await runs.configuration(await runs.workspace('refused'), { 'auto-queue-runs': true });
    expect(await put(api, url, archive('one'))).toBe(200);
    expect(await put(api, url, archive('another'))).toBe(409);
    await expectBytes(true);
  });

  test('a configuration is kept, and its run is queued once', async () => {
    const workspace = await runs.workspace('unanswered');
    const { id, url } = await runs.configuration(workspace, { 'auto-queue-runs': true });
    expect(await put(unanswered, url, archive('archive'))).toBe(503);
    const queued = async () => (await acme.owner.call('GET', `/workspaces/${workspace}/runs`)).body.data;
    const [run, ...others] = await queued();
    expect([run.relationships['configuration-version'].data.id, others]).toEqual([id, []]);
    expect((await acme.owner.call('GET', `/configuration-versions/${id}/download`)).text).toBe(
      archive('archive').toString(),
    );
    // A client that got no response sends the request again.
    expect(await put(api, url, archive('archive'))).toBe(200);
    expect(await put(api, url, archive('another'))).toBe(409);
    expect((await queued()).map((one: { id: string }) => one.id)).toEqual([run.id]);
    expect((await acme.owner.call('GET', `/configuration-versions/${id}/download`)).text).toBe(
      archive('archive').toString(),
    );
    await expectBytes();
  });

  test('a configuration that replaces another is kept', async () => {
    const { id, url } = await runs.configuration(await runs.workspace('replaced'));
    expect(await put(api, url, archive('first'))).toBe(200);
    expect(await put(unanswered, url, archive('second'))).toBe(503);
    expect((await acme.owner.call('GET', `/configuration-versions/${id}/download`)).text).toBe(
      archive('second').toString(),
    );
    expect(await put(api, url, archive('second'))).toBe(200);
    await expectBytes();
  });

  test('outputs of a plan are kept', async () => {
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('unanswered');
    const agent = await agents.agent(pool);
    await runs.run(await runs.workspace('outputs', byAgents(pool)));
    const job = await agent.take();
    await job.start();
    const content = { planned_values: { size: 'x'.repeat(10_000) } };
    const path = `/plans/${job.id}/json-output`;
    expect((await unanswered.holder(job.token).call('PUT', path, content)).status).toBe(503);
    expect((await acme.owner.call('GET', path)).body).toEqual(content);
    expect((await job.call('PUT', path, content)).status).toBe(204);
    expect((await acme.owner.call('GET', path)).body).toEqual(content);
    await expectBytes();
  });

  test('a state and its JSON form are kept', async () => {
    const { create, current } = await lockedWorkspace(api, acme, 'states');
    const text = stateText(1);
    const { id, attributes } = (await create(text, { serial: 1 })).body.data;
    for (const [form, content] of [
      ['hosted-state-upload-url', text],
      ['hosted-json-state-upload-url', '{"format_version":"1.0"}'],
    ] as const) {
      expect(await put(unanswered, attributes[form], content)).toBe(503);
      expect((await atAddress(api, 'PUT', attributes[form], content)).status).toBe(200);
    }
    const { data } = (await current()).body;
    expect(data.id).toBe(id);
    expect((await acme.owner.call('GET', `/state-versions/${id}/download`)).text).toBe(text);
    expect((await atAddress(api, 'PUT', attributes['hosted-json-state-upload-url'], '{}')).status).toBe(409);
    await expectBytes();
  });
});
