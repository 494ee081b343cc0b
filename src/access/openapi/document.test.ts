import { describe, expect, it } from 'vitest';
import { DONE, type Operation } from '../api/operation.ts';
import { flag, integer, list, seconds, text } from '../fields.ts';
import { openApiDocument } from './document.ts';

const handle = async () => DONE;
const operations: readonly Operation[] = [
  { path: 'things', verb: 'list', summary: 'List things', fields: { after: text() }, handle },
  { path: 'things/:name', verb: 'read', summary: 'Read a thing', handle },
  {
    path: 'things/:name',
    verb: 'update',
    access: 'sudo',
    summary: 'Write a thing',
    fields: { on: flag(true), most: integer(4), names: list(), ttl: seconds() },
    handle,
  },
  { path: 'login', verb: 'update', access: 'anyone', summary: 'Log in', handle },
  { path: 'state', verb: 'read', access: 'anyone', bare: true, summary: 'State', handle },
  { path: 'all/*rest', verb: 'delete', summary: 'Delete all', handle },
];

describe('the document', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  const { paths } = openApiDocument([{ prefix: 'auth/{cert_mount_path}', operations }], '0.1.0') as any;
  const at = (path: string) => paths[`/auth/{cert_mount_path}/${path}`];

  it('has each operation at its path, lists with a slash at the end', () => {
    const methods = Object.entries(paths).map(([path, item]) => [path, Object.keys(item as object)]);
    expect(methods).toEqual([
      ['/auth/{cert_mount_path}/all/{rest}', ['delete']],
      ['/auth/{cert_mount_path}/login', ['post']],
      ['/auth/{cert_mount_path}/state', ['get']],
      ['/auth/{cert_mount_path}/things/', ['get']],
      ['/auth/{cert_mount_path}/things/{name}', ['get', 'post']],
    ]);
  });

  it('says what a path stands for', () => {
    expect(at('things/{name}').get.parameters).toEqual([
      { name: 'cert_mount_path', in: 'path', required: true, schema: { type: 'string', default: 'cert' } },
      { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  it('says what a list takes, and how it is told from a read', () => {
    expect(at('things/').get.parameters.slice(1)).toEqual([
      { name: 'list', in: 'query', required: true, schema: { type: 'string', enum: ['true'] } },
      { name: 'after', in: 'query', schema: { type: 'string' } },
    ]);
  });

  it('says what a write takes', () => {
    expect(at('things/{name}').post.requestBody.content['application/json'].schema).toEqual({
      type: 'object',
      properties: {
        on: { type: 'boolean', default: true },
        most: { type: 'integer', default: 4 },
        names: { type: 'array', items: { type: 'string' } },
        ttl: { type: 'string', format: 'duration' },
      },
    });
  });

  it('says who may', () => {
    expect(at('login').post.security).toEqual([]);
    expect(at('things/{name}').post).toMatchObject({ 'x-vault-sudo': true });
    expect(at('things/{name}').get).not.toHaveProperty('security');
  });

  it('says what comes back', () => {
    expect(Object.keys(at('things/{name}').get.responses)).toEqual(['200', '202', '204', 'default']);
    expect(at('state').get.responses[200].content['application/json'].schema).toEqual({ type: 'object' });
  });
});
