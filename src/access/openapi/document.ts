import type { Operation } from '../api/operation.ts';
import type { Field, FieldSet } from '../fields.ts';
import { BARE_RESPONSES, RESPONSES, SCHEMAS, SECURITY, SECURITY_SCHEMES } from './components.ts';

/** Operations that are reached below one path. */
export interface Surface {
  /** `sys`; `auth/{cert_mount_path}` for what can be mounted anywhere. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
}

type Method = 'get' | 'post' | 'patch' | 'delete';
type PathItem = Partial<Record<Method, object>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly [member: string]: unknown;
}

/** PUT means POST, and is not shown twice; LIST is a GET that says so. */
const METHODS: Readonly<Record<Operation['verb'], Method>> = {
  read: 'get',
  list: 'get',
  update: 'post',
  patch: 'patch',
  delete: 'delete',
};

/**
 * The access API as an OpenAPI 3.0 document: every operation that is declared, and nothing else.
 * @param version of this program
 */
export function openApiDocument(surfaces: readonly Surface[], version: string): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  for (const { prefix, operations } of surfaces) {
    for (const operation of operations) {
      const path = documentPath(prefix, operation);
      const item = paths[path] ?? {};
      paths[path] = { ...item, [METHODS[operation.verb]]: described(prefix, path, operation) };
    }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Lockkeeper access API',
      description: 'Login by certificate, tokens, policies and mounts.',
      version,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: SECURITY,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: SCHEMAS, securitySchemes: SECURITY_SCHEMES },
  };
}

/** `/auth/{cert_mount_path}/certs/{name}`. A list has a slash at its end, so that it can stand beside a read. */
export function documentPath(prefix: string, { path, verb }: Pick<Operation, 'path' | 'verb'>): string {
  const whole = path === '' ? prefix : `${prefix}/${path}`;
  return `/${whole.replaceAll(/[:*](\w+)/g, '{$1}')}${verb === 'list' ? '/' : ''}`;
}

function described(prefix: string, path: string, operation: Operation): object {
  const { verb, summary, fields = {}, access, bare } = operation;
  const writes = verb === 'update' || verb === 'patch';
  return {
    operationId: `${verb}${path.replaceAll(/\W+/g, '-')}`.replace(/-$/, ''),
    summary,
    tags: [tagOf(prefix)],
    ...(access === 'anyone' && { security: [] }),
    ...(access === 'sudo' && { 'x-vault-sudo': true }),
    ...nonEmpty('parameters', [...pathParameters(path), ...(writes ? [] : queryParameters(verb, fields))]),
    ...(writes && { requestBody: { content: { 'application/json': { schema: bodySchema(fields) } } } }),
    responses: bare ? BARE_RESPONSES : RESPONSES,
  };
}

/** What groups operations in the originals' document. */
function tagOf(prefix: string): string {
  const [first = ''] = prefix.split('/');
  return first === 'sys' ? 'system' : first;
}

function nonEmpty(name: string, values: readonly object[]): object {
  return values.length > 0 ? { [name]: values } : {};
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const mounted = /^(\w+)_mount_path$/.exec(name)?.[1];
    const schema = { type: 'string', ...(mounted && { default: mounted }) };
    return { name, in: 'path', required: true, schema };
  });
}

function queryParameters(verb: Operation['verb'], fields: FieldSet): object[] {
  const named = Object.entries(fields).map(([name, field]) => ({ name, in: 'query', schema: schemaOf(field) }));
  const list = { name: 'list', in: 'query', required: true, schema: { type: 'string', enum: ['true'] } };
  return verb === 'list' ? [list, ...named] : named;
}

function bodySchema(fields: FieldSet): object {
  const properties = Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]);
  return { type: 'object', ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
}

function schemaOf({ schema, initial }: Field<unknown>): object {
  return { ...schema, ...(initial ? { default: initial } : {}) };
}
