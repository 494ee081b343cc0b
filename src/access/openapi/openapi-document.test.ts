import { describe, expect, it } from 'vitest';
import {
  answersAuth,
  answersBare,
  answersData,
  answersKeys,
  answersNothing,
  answersWarnings,
} from '../operation/answer.ts';
import { flag, integer, list, seconds, text } from '../operation/fields.ts';
import { DONE, type Operation } from '../operation/operation.ts';
import { component, orNull, shownFields, flag as shownFlag } from '../operation/schema.ts';
import { openApiDocument } from './openapi-document.ts';

const State = component('State', { sealed: shownFlag() });
const Thing = component('Thing', {
  on: shownFlag('Whether it is enabled.'),
  ...shownFields({ names: list() }),
  state: orNull(State),
});
const handle = async () => DONE;
const operations: readonly Operation[] = [
  {
    id: 'list',
    path: 'things',
    verb: 'list',
    summary: 'List things',
    answers: answersKeys(),
    fields: { after: text() },
    handle,
  },
  { id: 'read', path: 'things/:name', verb: 'read', summary: 'Read a thing', answers: answersData(Thing), handle },
  {
    id: 'things-write-thing',
    path: 'things/:name',
    verb: 'update',
    access: 'sudo',
    summary: 'Write a thing',
    answers: answersWarnings(),
    fields: { on: flag(true), most: integer(4), names: list(), ttl: seconds() },
    handle,
  },
  { id: 'login', path: 'login', verb: 'update', access: 'anyone', summary: 'Log in', answers: answersAuth(), handle },
  { id: 'state', path: 'state', verb: 'read', access: 'anyone', answers: answersBare(State), summary: 'State', handle },
  { id: 'all', path: 'all/*rest', verb: 'delete', summary: 'Delete all', answers: answersNothing(), handle },
];

describe('the document', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  const { paths, components } = openApiDocument([{ prefix: 'auth/{cert_mount_path}', operations }], '0.1.0') as any;
  const at = (path: string) => paths[`/auth/{cert_mount_path}/${path}`];

  it('has each operation at its path, lists with a trailing slash', () => {
    const methods = Object.entries(paths).map(([path, item]) => [path, Object.keys(item as object)]);
    expect(methods).toEqual([
      ['/auth/{cert_mount_path}/all/{rest}', ['delete']],
      ['/auth/{cert_mount_path}/login', ['post']],
      ['/auth/{cert_mount_path}/state', ['get']],
      ['/auth/{cert_mount_path}/things/', ['get']],
      ['/auth/{cert_mount_path}/things/{name}', ['get', 'post']],
    ]);
  });

  it('describes path parameters', () => {
    expect(at('things/{name}').get.parameters).toEqual([
      {
        name: 'cert_mount_path',
        in: 'path',
        required: true,
        description: 'Path of the mount.',
        schema: { type: 'string', default: 'cert' },
      },
      { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  it('describes the query of a list, and the parameter that distinguishes it from a read', () => {
    expect(at('things/').get.parameters.slice(1)).toEqual([
      {
        name: 'list',
        in: 'query',
        required: true,
        description: 'Distinguishes a list from a read.',
        schema: { type: 'string', enum: ['true'] },
      },
      { name: 'after', in: 'query', schema: { type: 'string' } },
    ]);
  });

  it('describes the body of a write', () => {
    const { schema } = at('things/{name}').post.requestBody.content['application/json'];
    expect(schema).toEqual({ $ref: '#/components/schemas/ThingsWriteThingRequest' });
    expect(components.schemas.ThingsWriteThingRequest).toEqual({
      type: 'object',
      properties: {
        on: { type: 'boolean', default: true },
        most: { type: 'integer', default: 4 },
        names: { type: 'array', items: { type: 'string' } },
        ttl: { type: 'string', format: 'duration' },
      },
    });
  });

  it('describes the required authorization', () => {
    expect(at('login').post.security).toEqual([]);
    expect(at('things/{name}').post).toMatchObject({ 'x-vault-sudo': true });
    expect(at('things/{name}').get).not.toHaveProperty('security');
  });

  it('describes the answers', () => {
    const schemaAt = (path: string, method: string) =>
      at(path)[method].responses[200].content['application/json'].schema;
    expect(Object.keys(at('things/{name}').get.responses)).toEqual(['200', 'default']);
    expect(Object.keys(at('things/{name}').post.responses)).toEqual(['200', '204', 'default']);
    expect(schemaAt('state', 'get')).toEqual({ $ref: '#/components/schemas/State' });
    expect(schemaAt('things/{name}', 'get')).toEqual({ $ref: '#/components/schemas/ThingAnswer' });
    expect(components.schemas.ThingAnswer.properties.data).toEqual({ $ref: '#/components/schemas/Thing' });
    expect(components.schemas.Thing).toEqual({
      type: 'object',
      required: ['on', 'names', 'state'],
      properties: {
        on: { type: 'boolean', description: 'Whether it is enabled.' },
        names: { type: 'array', items: { type: 'string' }, nullable: true },
        state: { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/State' }] },
      },
    });
  });

  it('refuses two schemas with one name', () => {
    const other: Operation = {
      id: 'other',
      path: 'other',
      verb: 'read',
      summary: 'Other',
      answers: answersData(component('Thing', {})),
      handle,
    };
    const surface = { prefix: 'sys', operations: [...operations, other] };
    expect(() => openApiDocument([surface], '0.1.0')).toThrow('two schemas are called Thing');
  });
});
