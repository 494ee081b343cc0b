import { Errors } from '../operation/answer.ts';
import type { Field, FieldSchema, FieldSet } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import { Components, SECURITY, SECURITY_SCHEMES } from './components.ts';

/** Operations that are reached below one path. */
export interface OperationGroup {
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

const DESCRIPTION = `Login by certificate, tokens, identities, policies and mounts.

With the header \`X-Vault-Wrap-TTL\`, a length of time, an answer comes as \`WrappedAnswer\`: a token for it, good once. With
\`?help=1\` any path says what can be asked there, and nothing else comes of the request.`;

/** What groups operations, as in the originals' document. */
const TAGS = [
  { name: 'auth', description: 'Tokens, and methods to get one.' },
  { name: 'identity', description: 'Who is behind the tokens.' },
  { name: 'system', description: 'The server, its mounts and policies.' },
];

/**
 * The access API as an OpenAPI 3.0 document: every operation that is declared, and nothing else.
 * @param version of this program
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

/** `get` for a list, too. */
export const methodOf = ({ verb }: Pick<Operation, 'verb'>): Method => METHODS[verb];

/** `/auth/{cert_mount_path}/certs/{name}`. A list has a slash at its end, so that it can stand beside a read. */
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
  200: 'Here it is.',
  202: 'Taken: it goes on by itself.',
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
    const description = mounted ? 'Where the method is mounted.' : texts[name];
    return { name, in: 'path', required: true, ...(description && { description }), schema };
  });
}

function queryParameters(verb: Operation['verb'], fields: FieldSet): object[] {
  const named = Object.entries(fields).map(([name, field]) => ({ name, in: 'query', ...queryOf(field) }));
  const list = {
    name: 'list',
    in: 'query',
    required: true,
    description: 'What tells a list from a read.',
    schema: { type: 'string', enum: ['true'] },
  };
  return verb === 'list' ? [list, ...named] : named;
}

function queryOf(field: Field<unknown>): object {
  const { description, ...schema } = schemaOf(field);
  return { ...(description && { description }), schema };
}

/** `TokenCreateRequest` */
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
