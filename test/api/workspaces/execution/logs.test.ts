import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

const PART = 190_000;
/** Maximum number of waiting readers of one run. */
const MOST_WAITING = 50;
const MOST = 16 * 1_048_576;
const CUT = /\nThe log reached its limit of [^\n]*\n/g;

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
  const address = async () => {
    const { attributes } = (await acme.owner.call('GET', plan)).body.data;
    return new URL(attributes['log-read-url']).pathname;
  };
  const read = async (offset: number, limit: number, at = address()) => {
    const url = `${await at}?limit=${limit}&offset=${offset}`;
    return (await api.app.inject({ method: 'GET', url })).payload;
  };

  test('the control characters around a log are not part of it: a text that ends in one does not end the log', async () => {
    await append(0, Buffer.from('one\u0003two\u0002\u0003\u0003'));
    expect(await read(0, 100)).toBe('\u0002one?two???');
    expect(await read(0, 5)).toBe('\u0002one?');
    await runs.through(run, 'planned');
    expect(await read(0, 100)).toBe('\u0002one?two???\u0003');
  });

  test('a log accepts output only while its phase is running, so nobody fills it before an agent executes it', async () => {
    const waiting = await runs.run(await runs.workspace('waiting'));
    const phases = (await runs.show(waiting)).relationships;
    const text = { data: { attributes: { offset: 0, content: Buffer.from('No changes.').toString('base64') } } };
    const applyLog = `/applies/${phases.apply.data.id}`;
    const planLog = `/plans/${phases.plan.data.id}`;
    const send = (path: string) => acme.owner.call('POST', `${path}/actions/append-log`, text);
    for (const path of [planLog, applyLog]) {
      const refused = await send(path);
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining('accepts output while it is running'),
      ]);
    }
    await runs.through(waiting, 'planning');
    expect((await send(planLog)).status).toBe(200);
    expect((await send(applyLog)).status).toBe(409);
    await runs.through(waiting, 'planned');
    const late = await send(planLog);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('The plan is over')]);
    expect((await send(applyLog)).status).toBe(409);
    expect((await runs.act(waiting, 'apply')).status).toBe(202);
    await runs.through(waiting, 'applying');
    expect((await send(applyLog)).status).toBe(200);
  });

  test('a reader at the end of a growing log waits for the next part', async () => {
    await append(0, Buffer.from('one'));
    const next = read(4, 100);
    const other = read(4, 100);
    await append(3, Buffer.from(' two'));
    expect(await Promise.all([next, other])).toEqual([' two', ' two']);
    const last = read(8, 100);
    await runs.through(run, 'planned');
    expect(await last).toBe('\u0003');
    expect(await read(9, 100)).toBe('');
  });

  test('a read waits neither for available text nor beyond the end', async () => {
    await append(0, Buffer.from('one'));
    expect(await read(3, 100)).toBe('e');
    expect(await read(4, 0)).toBe('');
    expect(await read(400, 100)).toBe('');
  });

  test('a maximum number of readers wait for one run: further readers get the current log at once', async () => {
    await append(0, Buffer.from('one'));
    const at = address();
    const many = Array.from({ length: MOST_WAITING + 1 }, () => read(4, 100, at));
    expect(await Promise.race(many)).toBe('');
    await append(3, Buffer.from(' two'));
    expect((await Promise.all(many)).filter((text) => text === '')).toEqual(['']);
  });

  test('a log that is too long shows once that it is cut; later parts are accepted and dropped, and the run continues', async () => {
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
    expect(end.endsWith('The run continues.\n')).toBe(true);
    await runs.through(run, 'planned');
    expect(await read(kept + 1, 10)).toBe('\u0003');
    expect(await runs.statusOf(run)).toBe('planned');
  });
});
