import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

interface Described {
  readonly path: string;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly operation: any;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
type Json = any;

const schemaOf = (response: Json): Json => response.content['application/json'].schema;

/** Words of a schema (OpenAPI 3.0.3 §4.7.24) that are in use here. */
const WORDS = /^(type|format|description|properties|required|additionalProperties|items|enum|default|nullable|allOf)$/;
const TYPES = /^(string|integer|number|boolean|array|object)$/;

/**
 * Checks a schema recursively: a `$ref` has no siblings, each required property exists, and an array declares its
 * items.
 */
function assertSchema(schema: Json): void {
  if (schema.$ref !== undefined) {
    expect(Object.keys(schema)).toEqual(['$ref']);
    return;
  }
  for (const word of Object.keys(schema)) expect([word, schema]).toEqual([expect.stringMatching(WORDS), schema]);
  const { type, properties = {}, required, additionalProperties, items, allOf = [], nullable } = schema;
  if (type !== undefined || nullable) expect(type).toMatch(TYPES);
  if (type === 'array') expect(schema).toHaveProperty('items');
  if (required) expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
  if (required) expect(required.length).toBeGreaterThan(0);
  const inside = [...Object.values(properties), ...allOf, items, additionalProperties];
  for (const one of inside) if (typeof one === 'object') assertSchema(one);
}

/** Values that stand for nothing that exists. */
const filled = (path: string): string =>
  path.replace(/\{(\w+)_mount_path\}/, '$1').replaceAll(/\{\w+\}/g, 'nothing-of-this-name');

describe.each(databaseKinds)('the OpenAPI document, on %s', (kind) => {
  let server: TestServer;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  let document: any;
  let operations: Described[];

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    document = (await server.call('GET', '/v1/sys/internal/specs/openapi')).body;
    operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
  });
  afterAll(() => server.stop());

  it('needs no token, has no envelope, and is also available under the name that tools use', async () => {
    expect(document.openapi).toMatch(/^3\.0\.\d$/);
    expect(document.info.title).toBe('Lockkeeper access API');
    expect((await server.call('GET', '/v1/openapi.json')).body).toEqual(document);
    expect((await server.root('GET', '/v1/sys/internal/specs/openapi')).body).toEqual(document);
  });

  it('has every declared operation', () => {
    const declared = server.application.access.operationGroups.flatMap((surface) => surface.operations);
    expect(declared.length).toBeGreaterThan(30);
    expect(operations).toHaveLength(declared.length);
    expect(operations.map(({ operation }) => operation.summary).toSorted()).toEqual(
      declared.map(({ summary }) => summary).toSorted(),
    );
  });

  it('has only operations that exist, with correct authentication', async () => {
    for (const { path, method, operation } of operations) {
      const query = operation.parameters?.some(({ name }: { name: string }) => name === 'list') ? '?list=true' : '';
      const url = `/v1${filled(path)}${query}`;
      const { status, body } = await server.call(method.toUpperCase(), url);
      const refused = [url, method, 403, { errors: ['permission denied'] }];
      if (operation.security?.length === 0) expect([url, method, status, body]).not.toEqual(refused);
      else expect([url, method, status, body]).toEqual(refused);
    }
  });

  it('is closed in itself: every reference leads somewhere, every name is there once', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][\w-]*$/);
    const tags = document.tags.map(({ name }: Json) => name);
    for (const { operation } of operations) expect(tags).toEqual(expect.arrayContaining(operation.tags));
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((one: { in: string }) => one.in === 'path');
      expect(declared.map(({ name }: { name: string }) => name)).toEqual(inPath);
    }
  });

  it('describes each response, by name', () => {
    for (const { path, method, operation } of operations) {
      const { default: refused, ...granted } = operation.responses;
      expect([path, method, schemaOf(refused)]).toEqual([path, method, { $ref: '#/components/schemas/Errors' }]);
      for (const [status, response] of Object.entries<Json>(granted)) {
        expect([path, method, status]).toEqual([path, method, expect.stringMatching(/^[2-5]\d\d$/)]);
        expect(response.description).toMatch(/\w/);
        if (!response.content)
          expect([path, method, status]).toEqual([path, method, expect.stringMatching(/^20[24]$/)]);
        else expect([path, method, schemaOf(response)]).toEqual([path, method, { $ref: expect.any(String) }]);
      }
    }
    const { schemas } = document.components;
    expect(Object.keys(schemas).length).toBeGreaterThan(100);
    expect(schemas.CertRoleAnswer.properties.data).toEqual({ $ref: '#/components/schemas/CertRole' });
    expect(schemas.AuthAnswer.properties.auth).toEqual({ $ref: '#/components/schemas/Auth' });
    expect(schemas.CertRole.properties).toMatchObject({
      allowed_common_names: { type: 'array', items: { type: 'string' }, nullable: true },
      token_ttl: { type: 'integer', format: 'int64' },
      ocsp_enabled: { type: 'boolean' },
    });
    expect(schemas.CertWriteCertificateRequest.properties).toMatchObject({
      token_ttl: { type: 'string', format: 'duration' },
      ocsp_max_retries: { type: 'integer', default: 4 },
    });
  });

  it('describes each parameter', () => {
    for (const { path, method, operation } of operations) {
      for (const { name, in: place, description, schema } of operation.parameters ?? []) {
        expect([path, method, name, place, description]).toEqual([path, method, name, place, expect.any(String)]);
        expect([path, method, name, schema]).toEqual([path, method, name, expect.objectContaining({})]);
      }
      const body = operation.requestBody?.content['application/json'].schema;
      const { properties = {} } = body?.$ref ? document.components.schemas[body.$ref.split('/').at(-1)] : {};
      for (const [name, { description }] of Object.entries<Json>(properties)) {
        expect([path, method, name, description]).toEqual([path, method, name, expect.any(String)]);
      }
    }
  });

  it('uses only schemas of OpenAPI 3.0', () => {
    const bodies = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).map(({ schema }: Json) => schema),
    );
    for (const schema of [...Object.values<Json>(document.components.schemas), ...bodies]) assertSchema(schema);
  });

  it('names no mount', async () => {
    await server.root('POST', '/v1/sys/auth/hidden-place', { type: 'cert' });
    const { text } = await server.call('GET', '/v1/sys/internal/specs/openapi');
    expect(text).not.toContain('hidden-place');
    expect(text).toContain('/auth/{cert_mount_path}/login');
  });
});
