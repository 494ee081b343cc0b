import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkspaceResource } from '../../../src/workspaces/workspace/settings/resource.ts';
import { databaseKinds } from '../../support/databases.ts';
import { type Answer, startApi, type TestApi } from './support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from './support/organization.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.constantFrom(null, '', '\0', '\ud800', -0),
);
const names = Object.keys(WorkspaceResource.create.properties);
const attributes = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 6 });
const relationships = fc.dictionary(fc.constantFrom('project', 'tags', 'tag-bindings'), fc.record({ data: anything }));

describe.each(databaseKinds)('hostile input on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('target');
  });
  afterAll(() => api.close());

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    acme.owner.call(method, path, body, headers);

  /** The request succeeds, or the client gets an error document of the API. */
  function expectSense({ status, body, text: sent }: Answer): void {
    expect(status, sent).toBeLessThan(500);
    if (status < 400) return;
    for (const error of body.errors) {
      expect(error).toMatchObject({ status: String(status), title: expect.any(String), detail: expect.any(String) });
    }
  }

  test('any attributes at all are stored or refused', async () => {
    await fc.assert(
      fc.asyncProperty(attributes, relationships, async (given, related) => {
        const path = `/organizations/${acme.name}/workspaces`;
        expectSense(
          await send(
            'POST',
            path,
            workspaceBody({ name: `f-${Math.random().toString(36).slice(2)}`, ...given }, related),
          ),
        );
        expectSense(await send('PATCH', `/workspaces/${id}`, workspaceBody(given, related)));
        const shown = await send('GET', `/workspaces/${id}`);
        expect(shown.status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  test('any body gets a response, on every kind of route', async () => {
    const routes = [
      ['POST', '/organizations'],
      ['POST', `/organizations/${acme.name}/projects`],
      ['POST', `/organizations/${acme.name}/teams`],
      ['PATCH', `/teams/${acme.ownersTeamId}`],
      ['POST', `/teams/${acme.ownersTeamId}/machine-identities`],
      ['POST', `/users/${acme.owner.id}/authentication-tokens`],
      ['POST', `/workspaces/${id}/actions/lock`],
      ['POST', `/workspaces/${id}/relationships/tags`],
      ['DELETE', `/workspaces/${id}/relationships/tags`],
      ['PATCH', `/workspaces/${id}/tag-bindings`],
    ] as const;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), anything, async ([method, path], body) => {
        expectSense(await send(method, path, body));
        expectSense(await send(method, path, JSON.stringify({ data: body })));
      }),
      { numRuns: 60 },
    );
  });

  test('half a character in a setting leaves lists readable', async () => {
    const body =
      '{"data":{"type":"workspaces","attributes":{"name":"half","description":"a\\ud800b","working-directory":"\\udc00"}}}';
    const made = await send('POST', `/organizations/${acme.name}/workspaces`, body);
    expect([made.status, made.body.data.attributes.description]).toEqual([201, 'a\ufffdb']);
    const list = await send('GET', `/organizations/${acme.name}/workspaces?counts=true&filter[execution-mode]=remote`);
    expect(list.status, list.text).toBe(200);
  });

  test('any query gets a response', async () => {
    const parameter = fc.constantFrom(
      'page[size]',
      'page[number]',
      'search[name]',
      'search[tags]',
      'search[wildcard-name]',
      'sort',
      'include',
      'filter[project][id]',
      'filter[tagged][0][key]',
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(parameter, text), async (query) => {
        const search = Object.entries(query).map(
          ([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`,
        );
        expectSense(await send('GET', `/organizations/${acme.name}/workspaces?${search.join('&')}`));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['not JSON', '{', 400],
    ['JSON with more behind it', '{} {}', 400],
    ['deep JSON', '['.repeat(100_000), 400],
    ['a prototype', '{"data":{"type":"workspaces","attributes":{"name":"p","__proto__":{"auto-apply":true}}}}', 400],
    ['no body', '', 422],
    ['null', 'null', 422],
    ['an array', '[]', 422],
    ['no data', '{}', 422],
    ['another type', '{"data":{"type":"runs","attributes":{"name":"x"}}}', 422],
    ['no name', '{"data":{"type":"workspaces","attributes":{}}}', 422],
    ['attributes of null', '{"data":{"type":"workspaces","attributes":null}}', 422],
  ])('%s is refused', async (_, body, status) => {
    const answer = await send('POST', `/organizations/${acme.name}/workspaces`, body);
    expect(answer.status, answer.text).toBe(status);
    expectSense(answer);
  });

  test('a body that is too large or of another kind is refused', async () => {
    const path = `/organizations/${acme.name}/workspaces`;
    expect((await send('POST', path, JSON.stringify({ pad: 'x'.repeat(2_000_000) }))).status).toBe(413);
    const form = await send('POST', path, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(415);
    expect(form.body.errors[0].title).toBe('unsupported media type');
  });

  test('an empty body counts as missing, with any content type', async () => {
    const id = await acme.workspace('empty-bodies');
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'nonsense']) {
      for (const action of ['lock', 'unlock']) {
        const answer = await send('POST', `/workspaces/${id}/actions/${action}`, '', { 'content-type': type });
        expect([type, action, answer.status]).toEqual([type, action, 200]);
      }
    }
    const needed = await send('POST', `/organizations/${acme.name}/teams`, '', { 'content-type': 'text/plain' });
    expect(needed.status).toBe(422);
  });

  test('an error does not repeat long input', async () => {
    const answer = await send(
      'POST',
      `/organizations/${acme.name}/workspaces`,
      workspaceBody({ name: 'x'.repeat(50_000) }),
    );
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(500);
  });

  test('SQL in any place is text', async () => {
    const evil = "'; DROP TABLE workspace; --";
    expectSense(await send('GET', `/organizations/${acme.name}/workspaces?search[name]=${encodeURIComponent(evil)}`));
    expectSense(await send('GET', `/organizations/${encodeURIComponent(evil)}/workspaces`));
    await send('PATCH', `/workspaces/${id}`, workspaceBody({ description: evil }));
    expect((await send('GET', `/workspaces/${id}`)).body.data.attributes.description).toBe(evil);
  });
});
