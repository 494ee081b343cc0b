import { Errors } from '../operation/answer.ts';
import type { Field, FieldSchema, FieldSet } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import { Components, SECURITY, SECURITY_SCHEMES } from './components.ts';

/** Operations below one path. */
export interface OperationGroup {
  /** Path prefix: `sys`, or `auth/{cert_mount_path}` for a method that can be mounted at any path. */
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

/** HTTP methods in the document. PUT equals POST and is left out; LIST is a GET with `list=true`. */
const METHODS: Readonly<Record<Operation['verb'], Method>> = {
  read: 'get',
  list: 'get',
  update: 'post',
  patch: 'patch',
  delete: 'delete',
};

const DESCRIPTION =
  'Certificate and JWT logins, tokens, identities, policies and mounts. To wrap an answer, send the header ' +
  '`X-Vault-Wrap-TTL` with a duration: the answer is then a `WrappedAnswer` with a single-use token. Add ' +
  '`?help=1` to any path to get its documentation instead of running the request.';

/** Groups of operations, as in Vault's document. */
const TAGS = [
  { name: 'auth', description: 'Tokens and auth methods.' },
  { name: 'identity', description: 'Entities and groups behind the tokens.' },
  { name: 'system', description: 'The server, its mounts and policies.' },
];

/**
 * Returns the access API as an OpenAPI 3.0 document, with every declared operation.
 * @param version version of the server
 */
export function openApiDocument(groups: readonly OperationGroup[], version: string): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  const components = new Components();
  for (const { prefix, operations } of groups) {
    for (const operation of operations) {
      const path = documentPath(prefix, operation);
      const item = paths[path] ?? {};
      paths[path] = { ...item, [methodOf(operation)]: described(prefix, path, operation, components) };
    }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Lockkeeper access API',
      description: DESCRIPTION,
      version,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: SECURITY,
    tags: TAGS,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: components.schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

/** Returns the HTTP method; `get` for a list too. */
export const methodOf = ({ verb }: Pick<Operation, 'verb'>): Method => METHODS[verb];

/**
 * Returns the path in the document, such as `/auth/{cert_mount_path}/certs/{name}`. A list has a trailing slash, so
 * that it can be beside a read.
 */
export function documentPath(prefix: string, { path, verb }: Pick<Operation, 'path' | 'verb'>): string {
  const whole = path === '' ? prefix : `${prefix}/${path}`;
  return `/${whole.replaceAll(/[:*](\w+)/g, '{$1}')}${verb === 'list' ? '/' : ''}`;
}

function described(prefix: string, path: string, operation: Operation, components: Components): object {
  const { id, verb, summary, parameters, fields = {}, access } = operation;
  const writes = verb === 'update' || verb === 'patch';
  return {
    operationId: id,
    summary,
    tags: [tagOf(prefix)],
    ...(access === 'anyone' && { security: [] }),
    ...(access === 'sudo' && { 'x-vault-sudo': true }),
    ...nonEmpty('parameters', [...pathParameters(path, parameters), ...(writes ? [] : queryParameters(verb, fields))]),
    ...(writes && { requestBody: json(bodySchema(id, fields), components) }),
    responses: responsesOf(operation, components),
  };
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'The result.',
  202: 'Accepted. The work continues in the background.',
  204: 'Done.',
};

function responsesOf({ answers }: Operation, components: Components): object {
  const given = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: DESCRIPTIONS[Number(status)] ?? schema?.description ?? 'See the body.',
      ...(schema && json(schema, components)),
    },
  ]);
  return { ...Object.fromEntries(given), default: { description: 'Refused.', ...json(Errors, components) } };
}

function json(schema: object, components: Components): object {
  return { content: { 'application/json': { schema: components.refer(schema) } } };
}

function tagOf(prefix: string): string {
  const [first = ''] = prefix.split('/');
  return TAGS.some(({ name }) => name === first) ? first : 'system';
}

function nonEmpty(name: string, values: readonly object[]): object {
  return values.length > 0 ? { [name]: values } : {};
}

function pathParameters(path: string, texts: Operation['parameters'] = {}): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const mounted = /^(\w+)_mount_path$/.exec(name)?.[1];
    const schema = { type: 'string', ...(mounted && { default: mounted }) };
    const description = mounted ? 'Path of the mount.' : texts[name];
    return { name, in: 'path', required: true, ...(description && { description }), schema };
  });
}

function queryParameters(verb: Operation['verb'], fields: FieldSet): object[] {
  const named = Object.entries(fields).map(([name, field]) => ({ name, in: 'query', ...queryOf(field) }));
  const list = {
    name: 'list',
    in: 'query',
    required: true,
    description: 'Distinguishes a list from a read.',
    schema: { type: 'string', enum: ['true'] },
  };
  return verb === 'list' ? [list, ...named] : named;
}

function queryOf(field: Field<unknown>): object {
  const { description, ...schema } = schemaOf(field);
  return { ...(description && { description }), schema };
}

/** Returns the schema of a body, named for example `TokenCreateRequest`. */
function bodySchema(id: string, fields: FieldSet): object {
  const properties = Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]);
  if (properties.length === 0) return { type: 'object' };
  const name = id.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { $id: `${name}Request`, type: 'object', properties: Object.fromEntries(properties) };
}

function schemaOf({
  schema,
  initial,
  description,
}: Field<unknown>): Partial<FieldSchema> & { readonly description?: string } {
  return { ...schema, ...(description && { description }), ...(initial ? { default: initial } : {}) };
}
