import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const PART = 190_000;
const MOST = 16 * 1_048_576;
const CUT = /\nThe log is cut here: [^\n]*\n/g;

describe.each(databaseKinds)('logs on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let run: string;
  let plan: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    run = await runs.run(await runs.workspace('one'));
    await runs.through(run, 'planning');
    plan = `/plans/${(await runs.show(run)).relationships.plan.data.id}`;
  });

  const append = (offset: number, bytes: Buffer) =>
    acme.owner.call('POST', `${plan}/actions/append-log`, {
      data: { attributes: { offset, content: bytes.toString('base64') } },
    });
  const read = async (offset: number, limit: number) => {
    const { attributes } = (await acme.owner.call('GET', plan)).body.data;
    const url = `${new URL(attributes['log-read-url']).pathname}?limit=${limit}&offset=${offset}`;
    return (await api.app.inject({ method: 'GET', url })).payload;
  };

  test('the control characters around a log do not stand in it: a part that ends in one ends nothing', async () => {
    await append(0, Buffer.from('one\u0003two\u0002\u0003\u0003'));
    expect(await read(0, 100)).toBe('\u0002one?two???');
    expect(await read(0, 5)).toBe('\u0002one?');
    await runs.through(run, 'planned');
    expect(await read(0, 100)).toBe('\u0002one?two???\u0003');
  });

  test('a log that gets too long says once that it is cut; what follows is taken and dropped, and the run goes on', async () => {
    const part = Buffer.alloc(PART, 'x');
    let sent = 0;
    for (; sent < MOST; sent += PART) expect((await append(sent, part)).status).toBe(200);
    for (let more = 0; more < 3; more++, sent += PART) expect((await append(sent, part)).status).toBe(200);
    const kept = (await acme.owner.call('GET', plan)).body.data.attributes['log-bytes'];
    expect((await append(kept, part)).body.data.attributes['log-bytes']).toBe(kept);
    expect((await append(0, part)).status).toBe(409);
    expect(kept).toBeLessThan(MOST);
    const end = await read(kept - 500, 1000);
    expect(end.match(CUT)).toHaveLength(1);
    expect(end.endsWith('The run goes on.\n')).toBe(true);
    await runs.through(run, 'planned');
    expect(await read(kept + 1, 10)).toBe('\u0003');
    expect(await runs.statusOf(run)).toBe('planned');
  });
});
