import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeTime } from '../support/machine/fake-time.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Cluster } from './support/cluster.ts';
import type { Node } from './support/node.ts';
import type { Organization } from './support/organization.ts';
import { Setting } from './support/setting.ts';
import { Work } from './support/work.ts';

/** Seconds by which the clock of a node is ahead of the database's clock, or behind it. */
const SKEWS = [0, 65, -65];
const RUNS = 6;

describe('three nodes whose clocks are a minute apart', () => {
  let setting: Setting;
  let cluster: Cluster;
  let acme: Organization;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    setting = await Setting.start({
      more: `notifications: { allowed_addresses: [127.0.0.1], authorities_file: ${receiver.caFile} }\n`,
      environment: (node) => fakeTime(SKEWS[node - 1] ?? 0),
    });
    ({ cluster, acme } = setting);
  });
  afterAll(async () => {
    await setting?.end();
    await receiver.stop();
  });

  const each = <T>(ask: (node: Node) => Promise<T>): Promise<T[]> => Promise.all(cluster.nodes.map(ask));
  const lookUp = (token: string) =>
    each(async (node) => (await node.ask('GET', '/v1/auth/token/lookup-self', token)).status);
  const newToken = async (node: Node, ttl: string) => {
    const made = await node.ask('POST', '/v1/auth/token/create', cluster.tokens.root, { ttl });
    return made.body.auth.client_token as string;
  };

  it('report it', () => {
    const notice = "the clock of this machine differs from the database's clock; the server uses the database's";
    const told = cluster.nodes.map((node) => node.logged(notice).map((line) => Math.round(Number(line.seconds_ahead))));
    expect(told).toEqual([[], [65], [-65]]);
  });

  it('accept a token for its whole lifetime, whichever node issued it', async () => {
    const tokens = await each((node) => newToken(node, '30s'));
    for (const token of tokens) expect(await lookUp(token)).toEqual([200, 200, 200]);
    for (const token of await each((node) => newToken(node, '2s')))
      await expect.poll(() => lookUp(token)).toEqual([403, 403, 403]);
  });

  it('lose no write, and give no lock to two clients', async () => {
    const work = await Work.begin({ cluster, organization: acme }, 'skewed');
    await work.goesOn();
    await work.endsWell();
  });

  it('send every notification once, however long the receiver takes', async () => {
    receiver.answer = (_received, response) => void sleep(1200).then(() => response.end('ok'));
    const workspace = await acme.workspaceWithRuns('told');
    const attributes = { name: 'Builds', 'destination-type': 'generic', enabled: true };
    const url = `${receiver.address}/once`;
    const path = `workspaces/${workspace}/notification-configurations`;
    await acme.make(path, 'notification-configurations', { ...attributes, url, triggers: ['run:created'] });
    const runs: string[] = [];
    for (let n = 0; n < RUNS; n++) {
      const made = await acme.run(cluster.node(1 + (n % 3)), workspace);
      expect(made.status, made.text).toBe(201);
      runs.push(made.body.data.id);
    }
    const told = () => receiver.at('/once').flatMap(({ body }) => body.run_id ?? []) as string[];
    await expect.poll(() => new Set(told()).size, { timeout: 90_000 }).toBe(RUNS);
    expect(told()).toEqual(runs);
  });
});
