import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

interface Described {
  readonly path: string;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly operation: any;
}

/** Values that stand for nothing that exists. */
const filled = (path: string): string =>
  path.replace('{cert_mount_path}', 'cert').replaceAll(/\{\w+\}/g, 'nothing-of-this-name');

describe.each(databaseKinds)('the OpenAPI document, on %s', (kind) => {
  let server: TestServer;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  let document: any;
  let operations: Described[];

  beforeAll(async () => {
    server = await startTestServer(kind);
    document = (await server.call('GET', '/v1/sys/internal/specs/openapi')).body;
    operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
  });
  afterAll(() => server.stop());

  it('is there for everybody, without an envelope, under the name that tools look for too', async () => {
    expect(document.openapi).toMatch(/^3\.0\.\d$/);
    expect(document.info.title).toBe('Lockkeeper access API');
    expect((await server.call('GET', '/v1/openapi.json')).body).toEqual(document);
    expect((await server.root('GET', '/v1/sys/internal/specs/openapi')).body).toEqual(document);
  });

  it('has every operation that is declared', () => {
    const declared = server.application.access.surfaces.flatMap((surface) => surface.operations);
    expect(declared.length).toBeGreaterThan(30);
    expect(operations).toHaveLength(declared.length);
    expect(operations.map(({ operation }) => operation.summary).toSorted()).toEqual(
      declared.map(({ summary }) => summary).toSorted(),
    );
  });

  it('has none that does not answer, and says truthfully who may', async () => {
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
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((one: { in: string }) => one.in === 'path');
      expect(declared.map(({ name }: { name: string }) => name)).toEqual(inPath);
    }
  });

  it('names no mount', async () => {
    await server.root('POST', '/v1/sys/auth/hidden-place', { type: 'cert' });
    const { text } = await server.call('GET', '/v1/sys/internal/specs/openapi');
    expect(text).not.toContain('hidden-place');
    expect(text).toContain('/auth/{cert_mount_path}/login');
  });
});
