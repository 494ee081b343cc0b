import type { TSchema } from 'typebox';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import type { AnyResource } from '../resource/index.ts';
import type { Answer } from './answer.ts';
import { COMMON_SCHEMAS, reference, SECURITY, SECURITY_SCHEMES } from './components.ts';
import type { Route } from './routes.ts';

type PathItem = Readonly<Record<string, object>>;

/** Members of an OpenAPI 3.1 document that are read here. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly [member: string]: unknown;
}

/**
 * Builds the OpenAPI 3.1 document of the workspace API from all declared routes. Request schemas are those that
 * validate the requests.
 * @param resources resources of all modules
 * @param version version of this program
 */
export function openApiDocument(
  routes: readonly Route[],
  resources: readonly AnyResource[],
  prefix: string,
  version: string,
): OpenApiDocument {
  const byPath = Map.groupBy(
    routes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    ({ path }) => templateOf(path),
  );
  const schemas = Object.fromEntries(resources.map(({ type, schema }) => [type, schema]));
  const ids = new Set<string>();
  const items = [...byPath].map(([path, own]): [string, PathItem] => [
    path,
    Object.fromEntries(own.map((route) => [route.method.toLowerCase(), operation(route, ids)])),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lockkeeper workspace API',
      description: 'Organizations, projects, workspaces, states and runs, as JSON:API.',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: prefix }],
    security: SECURITY,
    paths: Object.fromEntries(items),
    components: { schemas: { ...COMMON_SCHEMAS, ...schemas }, securitySchemes: SECURITY_SCHEMES },
  };
}

/** Returns the path in the form of OpenAPI, for example `/workspaces/{workspace_id}`. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function operation({ name, path, params, querystring, body, answer }: Route, ids: Set<string>): object {
  const parameters = [...pathParameters(path, params), ...queryParameters(querystring)];
  const [, tag = ''] = path.split('/');
  return {
    operationId: uniqueId(name.toLowerCase().replaceAll(/\W+/g, '-').replace(/^-|-$/g, ''), ids),
    tags: [tag],
    ...(answer.security !== SECURITY && { security: answer.security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !isNullable(body), content: { [MEDIA_TYPE]: { schema: body } } } }),
    responses: responsesOf(answer),
  };
}

/** Paths may differ only in a slash instead of a hyphen. */
function uniqueId(id: string, taken: Set<string>): string {
  const unique = taken.has(id) ? `${id}-2` : id;
  taken.add(unique);
  return unique;
}

function responsesOf({ statuses, content }: Answer): object {
  const body = content && { content: { [content.mediaType]: { schema: content.schema } } };
  const answers = statuses.map((status) => [
    status,
    { description: DESCRIPTIONS[status] ?? '', ...(!WITHOUT_BODY.has(status) && body) },
  ]);
  const errors = { description: 'Refused.', content: { [MEDIA_TYPE]: { schema: reference('Errors') } } };
  return { ...Object.fromEntries(answers), default: errors };
}

const WITHOUT_BODY = new Set([202, 204]);
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'The request succeeded.',
  201: 'Created.',
  202: 'Accepted. The operation continues in the background.',
  204: 'The request succeeded. The answer is empty.',
};

/** Members of an object schema. */
interface Named {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

function pathParameters(path: string, params: TSchema | undefined): object[] {
  const { properties = {} } = (params ?? {}) as Named;
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    schema: properties[name] ?? { type: 'string' },
  }));
}

function queryParameters(querystring: TSchema | undefined): object[] {
  const { properties = {}, required = [] } = (querystring ?? {}) as Named;
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', schema },
    ...(required.includes(name) && { required: true }),
  }));
}

function isNullable(schema: TSchema): boolean {
  return [(schema as { type?: string | string[] }).type].flat().includes('null');
}
