import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { type Answer, startApi, type TestApi } from './support/api.ts';
import { newOrganization, type TestOrganization } from './support/organization.ts';
import { fill, oneOfEverything, requestOf, type Values } from './support/surface/index.ts';

const LONG = 'x'.repeat(70_000);

/** Replacements of any value. */
const VALUES: readonly unknown[] = [null, true, -1, '\0', LONG, [null], { data: [{ id: '\0' }] }];
/** Replacements of any body. */
const BODIES: readonly string[] = [
  ...['null', 'true', '0', '""', '[]', '{}', '{', '{} {}', '\0', '\xff', 'NaN', '{"data":{"__proto__":{"id":1}}}'],
  ...['{"data":null}', '{"data":[]}', '{"data":"x"}', '{"data":[null]}', '{"data":[{"type":null,"id":1}]}'],
  ...['{"data":{"type":"runs","id":1,"attributes":[],"relationships":[]}}', `{"data":"${LONG}"}`],
  ...['['.repeat(50_000), `${'{"data":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
];
/** Replacements of any path parameter; none of them is a valid name. */
const IDS = ['nothing-of-this-name', '%00', '%F0%9F%98%80', '__proto__'];
/** Replacements of any query. */
const QUERIES = [
  ...['page[size]=0', 'page[number]=999999999', 'page[size]=1&page[size]=2', 'include=__proto__', 'sort=x', 'q=%00'],
  ...['q=%25_%5C', 'q[]=1', 'filter[status]=x', 'filter[organization][name]=%00', `q=${'x'.repeat(3_000)}`],
];

/** Replaces the value at each place of a body by three of VALUES, in turn. */
function* variations(value: unknown, turn: { next: number }): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, own] of Object.entries(value)) {
    const changed = (other: unknown) => (Array.isArray(value) ? [other] : { ...value, [key]: other });
    for (let count = 0; count < 3; count++) yield changed(VALUES[turn.next++ % VALUES.length]);
    for (const inner of variations(own, turn)) yield changed(inner);
  }
}

describe.each(databaseKinds)('every route survives any input, on %s', { timeout: 120_000 }, (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let values: Values;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    values = await oneOfEverything(acme);
  });
  afterAll(() => api.close());

  /** Deletions come last, so that there is something to be hostile to. */
  const routes = () => api.routes.toSorted((a, b) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')));
  const takesBody = (route: string) => !route.startsWith('GET ');

  /**
   * The request succeeds, or the client gets an error with a reason. The caller has checked the response against the
   * OpenAPI document.
   */
  async function expectSense(route: string, path: string, body?: unknown): Promise<Answer> {
    const [method = ''] = route.split(' ');
    const answer = await acme.owner.call(method, path, body);
    const sent = JSON.stringify([route, path, body])?.slice(0, 300);
    expect(answer.status, `${sent}: ${answer.text}`).toBeLessThan(500);
    expect(answer.text.includes(LONG.slice(0, 5_000)) && answer.status >= 400, `${sent} comes back`).toBe(false);
    return answer;
  }

  test('an identifier that is none is a 404, or no path at all', async () => {
    for (const route of routes().filter((one) => one.includes(':'))) {
      for (const id of IDS) {
        const nothing = new Proxy({}, { get: () => id });
        const { path, body } = requestOf(route, values);
        const [, pattern = ''] = route.split(' ');
        const [, query] = path.split('?');
        const hostile = fill(pattern, nothing) + (query === undefined ? '' : `?${query}`);
        const { status } = await expectSense(route, hostile, takesBody(route) ? body : undefined);
        expect([route, id, [400, 401, 404].includes(status), status]).toEqual([route, id, true, status]);
      }
    }
  });

  test('a query gets a response or is refused', async () => {
    for (const route of routes().filter((one) => one.startsWith('GET '))) {
      const { path } = requestOf(route, values);
      const [bare = ''] = path.split('?');
      // An event stream is endless without a time limit.
      const own = bare === '/events' ? 'seconds=0&' : '';
      for (const query of QUERIES) await expectSense(route, `${bare}?${own}${query}`);
    }
  });

  test('a body of another kind is refused', async () => {
    for (const route of routes().filter(takesBody)) {
      const { path } = requestOf(route, {});
      for (const body of BODIES) await expectSense(route, path, body);
    }
  });

  test('a body with anything in any place is stored or refused', async () => {
    const turn = { next: 0 };
    for (const route of routes().filter(takesBody)) {
      const { path, body } = requestOf(route, values);
      for (const hostile of variations(body, turn)) await expectSense(route, path, hostile);
    }
  });

  test('and the resources still exist', async () => {
    for (const path of [`/organizations/${acme.name}`, `/workspaces/${values.workspace_id}`]) {
      expect((await acme.owner.call('GET', path)).status).toBe(200);
    }
  });
});
