import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { newOrganization, type TestOrganization } from './support/organization.ts';
import { oneOfEverything, requestOf, type Values } from './support/surface/index.ts';
import { NO_SETTINGS, WRITTEN, type Written } from './support/written/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Data = any;

/** Returns the attribute as a response shows it. */
function readAs(written: Written, name: string, data: Data): unknown {
  const read = written.elsewhere?.[name]?.read;
  return read === undefined ? data.attributes[name] : read(data);
}

const isSecret = (written: Written, name: string) =>
  written.elsewhere?.[name] !== undefined && written.elsewhere[name].read === undefined;

/** Expects the written properties of an object, and ignores others. */
const like = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? expect.objectContaining(Object.fromEntries(Object.entries(value).map(([name, own]) => [name, like(own)])))
    : value;

function isLike(read: unknown, value: unknown): boolean {
  try {
    expect(read).toEqual(like(value));
    return true;
  } catch {
    return false;
  }
}

/** Path parameters that this write renames. */
function renamed(route: string, { id, attributes }: Data): Values {
  if (route.startsWith('PATCH') && route.endsWith('/:organization_name')) return { organization_name: id };
  return route.startsWith('PATCH') && route.endsWith('/:workspace_name') ? { workspace_name: attributes.name } : {};
}

/** Adds what another route adds, too. */
const SAME_KEYS = new Set(['POST /vars']);

type World = Awaited<ReturnType<typeof newWorld>>;

/** An organization with one of everything. */
async function newWorld(api: TestApi) {
  const acme = await newOrganization(api);
  return { acme, values: await oneOfEverything(acme) };
}

describe.each(databaseKinds)('every written attribute is read back as it was written, on %s', (kind) => {
  let api: TestApi;
  /** Returns the names of the attributes that a route takes. */
  let declared: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    api = await startApi(kind);
    const { paths } = (await api.nobody().call('GET', '/openapi.json')).body;
    const attributes = api.routes.map((route): [string, string[]] => {
      const [method = '', path = ''] = route.split(' ');
      const { requestBody } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      const schema = requestBody?.content['application/vnd.api+json'].schema;
      return [route, Object.keys(schema?.properties?.data?.properties?.attributes?.properties ?? {})];
    });
    declared = new Map(attributes.filter(([, names]) => names.length > 0));
  });
  afterAll(() => api.close());

  test('every route with attributes is listed, with all of them', () => {
    expect([...Object.keys(WRITTEN), ...Object.keys(NO_SETTINGS)].toSorted()).toEqual([...declared.keys()].toSorted());
    for (const [route, { sets, elsewhere = {} }] of Object.entries(WRITTEN)) {
      const given = sets.flatMap((set) => Object.keys(typeof set === 'function' ? set({}) : set));
      const listed = new Set([...given, ...Object.keys(elsewhere)]);
      expect([route, [...listed].toSorted()]).toEqual([route, declared.get(route)?.toSorted()]);
    }
  });

  /** Writes one set of attributes instead of those of the surface, and returns the response. */
  async function write(acme: TestOrganization, values: Values, route: string, set: object): Promise<Data> {
    const { method, path, body } = requestOf(route, values);
    const { data }: Data = body;
    const { byAgent, bySiteAdmin, isWhole } = WRITTEN[route] ?? { sets: [] };
    if (bySiteAdmin) await api.workspaces.tenancy.users.setSiteAdmin(acme.owner.username, true);
    const caller = byAgent ? api.holder(values.agent_token ?? '') : acme.owner;
    const headers = byAgent ? { 'agent-id': values.agent_id ?? '' } : {};
    const own = method === 'POST' || isWhole ? data.attributes : {};
    const sent = { data: { ...data, attributes: { ...own, ...set } } };
    const answer = await caller.call(method, path, sent, headers);
    expect([route, set, answer.text, answer.status < 300]).toEqual([route, set, answer.text, true]);
    return answer.body.data;
  }

  /** Paths that show the written resource itself. */
  async function shown(acme: TestOrganization, route: string, data: Data): Promise<Data> {
    const path = WRITTEN[route]?.show ?? data.links?.self?.replace('/api/v2', '');
    return path === undefined ? data : (await acme.owner.call('GET', path)).body.data;
  }

  let shared: Promise<World> | undefined;

  /** Routes that only add something share an organization. */
  function worldFor(route: string, { bySiteAdmin }: Written): Promise<World> {
    if (!route.startsWith('POST ') || SAME_KEYS.has(route) || bySiteAdmin) return newWorld(api);
    shared ??= newWorld(api);
    return shared;
  }

  test.each(Object.entries(WRITTEN))('%s', async (route, written) => {
    const { acme, values } = await worldFor(route, written);
    let before = written.isOnlyOne ? { attributes: {} } : await write(acme, values, route, {});
    const proven = new Set<string>();
    for (const set of written.sets) {
      const attributes = typeof set === 'function' ? set(values) : set;
      const answered = await write(acme, { ...values, ...renamed(route, before) }, route, attributes);
      const after = await shown(acme, route, answered);
      for (const [name, value] of Object.entries(attributes)) {
        if (isSecret(written, name)) continue;
        expect([route, name, readAs(written, name, answered)]).toEqual([route, name, like(value)]);
        expect([route, name, readAs(written, name, after)]).toEqual([route, name, like(value)]);
        if (!isLike(readAs(written, name, before), value)) proven.add(name);
      }
      before = after;
    }
    const open = declared.get(route)?.filter((name) => !proven.has(name) && !isSecret(written, name));
    expect([route, open], 'never written with another value than it had').toEqual([route, []]);
  });
});
