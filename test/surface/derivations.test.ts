import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { NO_CREDENTIALS, OUTLIVES } from './derived/declared.ts';
import { OF_MACHINES, startedJob } from './derived/machines.ts';
import { OF_PEOPLE } from './derived/people.ts';
import { type Derivation, type Derived, World } from './derived/world.ts';

const DERIVATIONS: readonly Derivation[] = [...OF_PEOPLE, ...OF_MACHINES];

/**
 * Code that derives a credential: a keyed hash, encryption, a signed link, a stored token, or a look-up of an actor.
 */
const MAKES = [
  /[kK]eyring\)?\.hash\(/,
  /new SignedLinks\(/,
  /(?:issuer|[tT]okens)\.issue\(/,
  /\.recall\((?!path|text|rest|found)/,
  /encrypt\([^\n]*\n?[^\n]*base64url|base64url[^\n]*encrypt\(|encrypt\([^\n]*(?:CONTEXT|JSON\.stringify\(token\))/,
  /from '[^']*\/sealed-cookie\.ts'/,
  /\bsign\b[^;]*from 'node:crypto'|new SignJWT\(/,
];

const ROOT = new URL('../../', import.meta.url).pathname;

describe('credentials that are derived from others', () => {
  const declared = [...DERIVATIONS, ...OUTLIVES].flatMap(({ sources }) => sources);

  it('are declared: each source that creates or accepts one is in a row', () => {
    const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter(
      (file) => !/\.test\.ts$|^src\/(?:cli|pki)\//.test(file),
    );
    const making = sources.filter((file) => {
      const text = readFileSync(`${ROOT}${file}`, 'utf8');
      return MAKES.some((pattern) => pattern.test(text));
    });
    const rows = new Set([...declared, ...Object.keys(NO_CREDENTIALS)]);
    expect(making.filter((file) => !rows.has(file))).toEqual([]);
  });

  it('are declared only with sources that exist', () => {
    for (const file of [...declared, ...Object.keys(NO_CREDENTIALS)]) {
      expect(() => readFileSync(`${ROOT}${file}`), file).not.toThrow();
    }
  });

  it('are exactly the rows of the table in the guide', () => {
    const guide = readFileSync(`${ROOT}docs/guides/tokens.md`, 'utf8');
    const section = guide.split('## Derived credentials')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name);
    const named = rows.filter((name) => name !== 'Credential' && !/^-+$/.test(name ?? ''));
    expect(named).toEqual([...DERIVATIONS, ...OUTLIVES].map(({ name }) => name));
  });
});

describe.each(databaseKinds)(
  'a derived credential is revoked with its origin, on every node, on %s',
  { timeout: 60_000 },
  (kind) => {
    let world: World;
    beforeAll(async () => {
      world = await World.start(kind);
    });
    afterAll(() => world.stop());

    async function used({ uses }: Derived, once = false): Promise<Record<string, boolean>> {
      const said: Record<string, boolean> = {};
      for (const [index, node] of (once ? world.nodes.slice(1) : world.nodes).entries()) {
        for (const [name, use] of Object.entries(uses)) said[`${name} (node ${index + 1})`] = await use(node);
      }
      return said;
    }
    const all = (said: Record<string, boolean>, is: boolean) =>
      Object.fromEntries(Object.keys(said).map((name) => [name, is]));

    const cases = DERIVATIONS.flatMap((derivation) =>
      Object.entries(derivation.endings).map(([how, make]) => [derivation.name, how, make, derivation] as const),
    );
    it.each(cases)('%s: %s', async (_name, _how, make, { once = false, soon = false }) => {
      let made = await make(world);
      const before = await used(made, once);
      expect(before).toEqual(all(before, true));
      if (once) made = await make(world);
      await made.end();
      if (soon) await expect.poll(() => used(made), { timeout: 25_000 }).toEqual(all(before, false));
      else expect(await used(made, once)).toEqual(all(before, false));
    });

    it.each([
      ['its token is deleted', false],
      ['its login is revoked', true],
    ] as const)('a started apply uploads its state, and nothing else: %s', async (how, certified) => {
      const { by, data, agent, workspace } = await startedJob(world, certified, 'apply');
      const [one, two] = world.nodes;
      if (!one || !two) throw new Error('two nodes');
      expect((await by(two, 'POST', 'heartbeat')).body.data.attributes.cancel).toBe('none');
      await agent.ends[how]();
      const told = await by(two, 'POST', 'heartbeat');
      expect([told.status, told.text]).toEqual([409, expect.stringContaining('revoked')]);
      const state = JSON.stringify({
        version: 4,
        serial: 1,
        lineage: 'l',
        terraform_version: '1.9.0',
        outputs: {},
        resources: [],
      });
      const version = {
        type: 'state-versions',
        attributes: { serial: 1, md5: 'x', lineage: 'l', state: Buffer.from(state).toString('base64') },
        relationships: { run: { data: { type: 'runs', id: data.attributes['run-id'] } } },
      };
      const { token, links = data.links } = data.attributes;
      const refused = await two.call('POST', links['state-versions'], { token, body: { data: version } });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      for (const [method, link] of [
        ['GET', 'self'],
        ['POST', 'start'],
        ['POST', 'finish'],
        ['GET', 'folder'],
      ] as const) {
        const body = link === 'finish' ? { data: { type: 'jobs', attributes: { outcome: 'finished' } } } : undefined;
        expect((await by(two, method, link, body)).status, link).toBeGreaterThanOrEqual(400);
      }
      expect((await agent.ask(two, 'POST', `/api/v2/agents/${agent.id}/actions/claim`)).status).toBe(401);

      expect((await by(two, 'PUT', 'errored-state', state)).status).toBeLessThan(300);
      const kept = await one.call('GET', `/api/v2/applies/${data.id}/errored-state`, { token: agent.owner });
      expect(kept.status, kept.text).toBeLessThan(400);

      // The run ends like one whose agent is lost, and accepts the state for ten more minutes.
      for (const node of world.nodes) node.advance(150);
      await one.application.workspaces.execution.runClaims.sweep();
      const run = await one.call('GET', `/api/v2/runs/${data.attributes['run-id']}`, { token: agent.owner });
      expect(run.body.data.attributes.status).toBe('errored');
      expect((await by(two, 'PUT', 'errored-state', state)).status).toBeLessThan(300);
      for (const node of world.nodes) node.advance(601);
      expect((await by(two, 'PUT', 'errored-state', state)).status).toBe(401);
      const place = await one.call('GET', `/api/v2/workspaces/${workspace}`, { token: agent.owner });
      expect(place.body.data.attributes.locked).toBe(false);
    });
  },
);
