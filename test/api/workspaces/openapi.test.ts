import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { AnswerChecks } from '../../support/openapi.ts';
import { startApi, type TestApi } from './support/api.ts';
import { newOrganization, type TestOrganization } from './support/organization.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
type Json = any;

/** Returns all values inside a value, and the value itself. */
function everything(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(everything)];
}

describe.each(databaseKinds)('the OpenAPI document on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let document: Json;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    document = (await api.nobody().call('GET', '/openapi.json')).body;
  });
  afterAll(() => api.close());

  const operations = (): Json[] => Object.values<Json>(document.paths).flatMap((item) => Object.values(item));

  test('is served to every caller, with the same bytes each time', async () => {
    const { status, headers, text } = await api.nobody().call('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await acme.owner.call('GET', '/openapi.json')).text).toBe(text);
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api/v2' }] });
    expect(text, 'it names nothing that anybody has made').not.toContain(acme.name);
  });

  test('has every route, and none that is gone', () => {
    const documented = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(documented.toSorted()).toEqual(api.routes.toSorted());
  });

  test('describes the responses of every route', () => {
    const vague = operations().filter(({ responses }) => {
      const schemas = Object.entries<Json>(responses).flatMap(([status, { content }]) =>
        status === 'default' ? [] : [content?.['application/vnd.api+json']?.schema],
      );
      return schemas.some((schema) => schema && !schema.$ref && !schema.properties);
    });
    expect(vague.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('refers to nothing that is not in it, and names each operation once', () => {
    const references = everything(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.filter((reference) => !schemas.includes(reference))).toEqual([]);
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('describes path parameters, query parameters and bodies', () => {
    const list = document.paths['/organizations/{organization_name}/workspaces'].get;
    expect(list.parameters).toContainEqual(
      expect.objectContaining({ name: 'organization_name', in: 'path', required: true }),
    );
    expect(list.parameters).toContainEqual(expect.objectContaining({ name: 'page[size]', in: 'query' }));
    const create = document.paths['/organizations/{organization_name}/workspaces'].post;
    const { schema } = create.requestBody.content['application/vnd.api+json'];
    expect(schema.properties.data.properties.attributes.required).toEqual(['name']);
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values<Json>(item)) {
        const inPath = parameters.filter((one: Json) => one.in === 'path');
        expect(inPath.map(({ name }: Json) => name)).toEqual(named);
      }
    }
  });

  test('contains the permissions of an operation', () => {
    expect(document.security).toEqual([{ token: [] }]);
    expect(document.paths['/ping'].get.security).toEqual([]);
    expect(document.paths['/workspaces/{workspace_id}'].get).not.toHaveProperty('security');
    expect(document.paths['/state-versions/{state_version_id}/download'].get.security).toEqual([{ token: [] }, {}]);
  });

  describe('is the document against which these tests validate responses', () => {
    const path = () => `/organizations/${acme.name}/workspaces`;
    let answer: { status: number; headers: Record<string, unknown>; text: string; body: Json };
    let checks: AnswerChecks;
    beforeAll(async () => {
      await acme.workspace('checked');
      checks = new AnswerChecks(document);
      const shown = await acme.owner.call('GET', `${path()}?include=organization`);
      answer = { ...shown, headers: { ...shown.headers } };
    });
    const faults = (change: (body: Json) => void, status = 200) => {
      const body = structuredClone(answer.body);
      change(body);
      return checks.faultsOf('GET', path(), { ...answer, status, body });
    };

    test('accepts the real response', () => {
      expect(answer.body.included).toHaveLength(1);
      expect(faults(() => {})).toEqual([]);
    });

    test.each<[string, (body: Json) => void]>([
      ['an attribute that is missing', (body) => delete body.data[0].attributes['auto-apply']],
      ['an attribute of another type', (body) => Object.assign(body.data[0].attributes, { 'auto-apply': 'true' })],
      ['an attribute that is not in it', (body) => Object.assign(body.data[0].attributes, { surprise: 1 })],
      ['a permission that is missing', (body) => delete body.data[0].attributes.permissions['can-lock']],
      ['a time that is none', (body) => Object.assign(body.data[0].attributes, { 'created-at': 'yesterday' })],
      ['a relationship that is missing', (body) => delete body.data[0].relationships.project],
      [
        'a relationship to another type',
        (body) => Object.assign(body.data[0].relationships.project.data, { type: 'runs' }),
      ],
      ['a resource of another type', (body) => Object.assign(body.data[0], { type: 'runs' })],
      ['one resource in place of several', (body) => Object.assign(body, { data: body.data[0] })],
      ['no pagination', (body) => delete body.meta],
      ['an included resource that is incomplete', (body) => delete body.included[0].attributes.email],
      ['an included resource of a type that nobody knows', (body) => Object.assign(body.included[0], { type: 'x' })],
    ])('refuses %s', (_, change) => {
      expect(faults(change)).not.toEqual([]);
    });

    test('refuses a status, a content type and a body that are not in it', () => {
      expect(faults(() => {}, 204)).not.toEqual([]);
      expect(faults(() => {}, 404)).not.toEqual([]);
      const html = { ...answer, headers: { 'content-type': 'text/html' } };
      expect(checks.faultsOf('GET', path(), html)).not.toEqual([]);
      expect(checks.faultsOf('DELETE', '/workspaces/ws-1', { ...answer, status: 204 })).not.toEqual([]);
      expect(checks.faultsOf('GET', '/nowhere', answer)).not.toEqual([]);
    });
  });
});
