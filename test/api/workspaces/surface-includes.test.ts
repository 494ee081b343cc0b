import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { type Included, includingWorld } from './support/including.ts';
import { startNotifying } from './support/notifications.ts';
import { requestOf } from './support/surface/index.ts';

/** Include names of HCP Terraform without a resource here. The relationships are empty. */
const NOTHING: Readonly<Record<string, string>> = {
  cost_estimate: 'no costs are estimated',
  policy_evaluations: 'there are no policies',
  resources_processed: 'states are processed when they come in',
  stacks: 'there are no stacks',
  tf_policy_evaluations: 'there are no policies',
};
/** Lists that are always empty. */
const EMPTY = ['/organizations/:organization_name/policy-sets', '/organizations/:organization_name/policies'];
const EMPTY_LISTS = new Set([...EMPTY, '/runs/:run_id/policy-checks'].map((path) => `GET ${path}`));

// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
type Json = any;

const key = ({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`;
const pointedAt = (resource: Json): Json[] =>
  Object.values<Json>(resource.relationships ?? {}).flatMap(({ data }) => data ?? []);

describe.each(databaseKinds)('include, on %s', { timeout: 120_000 }, (kind) => {
  let server: Awaited<ReturnType<typeof startNotifying>>;
  let world: Included;
  let routes: string[];
  beforeAll(async () => {
    server = await startNotifying(kind);
    world = await includingWorld(server);
    const { paths } = (await server.api.nobody().call('GET', '/openapi.json')).body;
    routes = server.api.routes.filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      const { parameters = [] } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      return parameters.some(({ name }: Json) => name === 'include') && !EMPTY_LISTS.has(route);
    });
  }, 120_000);
  afterAll(async () => {
    await server.receiver.stop();
    await server.api.close();
  });

  function ask(route: string, include: string) {
    const { method, path, body } = requestOf(route, world.valuesFor(route));
    return server.acme.owner.call(method, `${path}${path.includes('?') ? '&' : '?'}include=${include}`, body);
  }

  /** Returns the include names in the error of a route for an unknown one. */
  async function wordsOf(route: string): Promise<string[]> {
    const { status, body } = await ask(route, 'nothing_of_this_name');
    expect([route, status, body.errors]).toEqual([
      route,
      400,
      [
        expect.objectContaining({
          title: 'Invalid include parameter',
          detail: expect.stringContaining('include parameter'),
          source: { parameter: 'include' },
        }),
      ],
    ]);
    return body.errors[0].detail.split('Valid values: ')[1].split(', ');
  }

  test('a word that a route does not know is refused, and the others are named', async () => {
    expect(routes.length).toBeGreaterThan(35);
    for (const route of routes) expect([route, (await wordsOf(route)).length > 0]).toEqual([route, true]);
  });

  /** Returns the faults of a response to one include name. */
  function faultsOf(word: string, { data, included = [] }: Json): string[] {
    const all = new Map([data, included].flat().map((resource: Json) => [key(resource), resource]));
    const faults: string[] = [];
    let resources: Json[] = [data].flat();
    for (const step of word.split('.')) {
      const relationship = step.replaceAll('_', '-');
      const identifiers = resources.flatMap((one) => one.relationships?.[relationship]?.data ?? []);
      const isNothing = NOTHING[step] !== undefined;
      if (identifiers.length > 0 === isNothing) faults.push(`${step} points at ${identifiers.length}`);
      resources = identifiers.flatMap((identifier) => all.get(key(identifier)) ?? []);
      if (resources.length < identifiers.length) faults.push(`${step} is not included`);
    }
    // Full linkage (JSON:API 1.1 §7.1): each included resource is referenced by another one.
    const linked = new Set([...all.values()].flatMap(pointedAt).map(key));
    faults.push(...included.map(key).filter((one: string) => !linked.has(one)));
    if (new Set(included.map(key)).size < included.length) faults.push('something is included twice');
    return faults;
  }

  test('every include name of a route includes its resources, and those on the path to them', async () => {
    const faults: [string, string, string[]][] = [];
    for (const route of routes) {
      for (const word of await wordsOf(route)) {
        const answer = await ask(route, word);
        expect([route, word, answer.status]).toEqual([route, word, 200]);
        const found = faultsOf(word, answer.body);
        if (found.length > 0) faults.push([route, word, found]);
      }
    }
    expect(faults).toEqual([]);
  });

  test('dashes are equivalent to underscores in every word', async () => {
    for (const route of routes) {
      const [word = ''] = (await wordsOf(route)).filter((one) => one.includes('_'));
      if (word === '') continue;
      const [one, other] = [await ask(route, word), await ask(route, word.replaceAll('_', '-'))];
      expect([route, other.body.included?.length]).toEqual([route, one.body.included?.length]);
    }
  });
});
