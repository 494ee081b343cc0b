import type { Content, OpenApi, Operation, Parameter } from './document.ts';
import { cell, fieldTable, limits, sentence, typeOf } from './schema.ts';

/** A page of the reference of an API. */
export interface ReferencePage {
  /** Without `.md`: `workspaces`. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Endpoints in a group that has no page of its own, but a place on the page "Other". */
const FEWEST_ENDPOINTS = 2;
const SCHEMA_PAGE = './schemas.md';

/**
 * Returns the pages of the reference of an API: one for each group of endpoints, one for the schemas, and the first one as `index`.
 * @param prefix URL path of the API: `/api/v2`
 */
export function referencePages(document: OpenApi, prefix: string): ReferencePage[] {
  const groups = Map.groupBy(endpointsOf(document), groupOf);
  const small = [...groups.values()].filter((group) => group.length < FEWEST_ENDPOINTS).flat();
  const large = [...groups].filter(([, group]) => group.length >= FEWEST_ENDPOINTS);
  const pages = large
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) => endpointPage(name, titleOf(name), prefix, group));
  if (small.length > 0) pages.push(endpointPage('other', 'Other', prefix, small));
  const schemas = { name: 'schemas', title: 'Schemas', markdown: schemaPage(document) };
  return [indexPage(document, prefix, pages), ...pages, schemas];
}

function endpointsOf({ paths }: OpenApi): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );
}

/** Returns the tag, and for auth methods the method, since all of them have the tag `auth`: `auth-cert`. */
function groupOf({ path, operation }: Endpoint): string {
  const [tag = 'other'] = operation.tags ?? [];
  const [, method] = /^\/auth\/\{?([a-z]+)/.exec(path) ?? [];
  return method === undefined ? tag : `auth-${method}`;
}

const AUTH_METHODS: Readonly<Record<string, string>> = {
  'auth-cert': 'Certificate logins',
  'auth-jwt': 'JWT logins',
  'auth-token': 'Tokens',
};

function titleOf(group: string): string {
  const words = group.replaceAll('-', ' ');
  return AUTH_METHODS[group] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function indexPage({ info }: OpenApi, prefix: string, pages: readonly ReferencePage[]): ReferencePage {
  const rows = pages.map(
    ({ name, title, markdown }) => `| [${title}](./${name}.md) | ${markdown.split('\n## ').length - 1} |`,
  );
  const markdown = [
    `# ${info.title}`,
    '',
    sentence(info.description),
    '',
    `All paths are below \`${prefix}\`. A server returns this reference as an OpenAPI document: \`${prefix}/openapi.json\`.`,
    '',
    '| Endpoints | Number |',
    '|---|---|',
    ...rows,
    '',
    'Requests and responses refer to [schemas](./schemas.md).',
    '',
  ].join('\n');
  return { name: 'index', title: 'Overview', markdown };
}

function endpointPage(name: string, title: string, prefix: string, endpoints: readonly Endpoint[]): ReferencePage {
  const intro = `# ${title}\n\nPaths are below \`${prefix}\`.\n\n`;
  return { name, title, markdown: intro + endpoints.map(endpointSection).join('\n') };
}

function endpointSection({ method, path, operation }: Endpoint): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  return [
    `## ${method} ${path}`,
    '',
    ...[summary, description].filter(Boolean).map((text) => `${sentence(text)}\n`),
    parameterTable(parameters),
    bodySection(requestBody),
    responseTable(responses),
  ].join('\n');
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, description, schema = {} }) => {
    const notes = [required && place !== 'path' ? 'Required.' : '', sentence(description), limits(schema)];
    const text = cell(notes.filter(Boolean).join(' '));
    return `| \`${name}\` | ${place} | ${typeOf(schema, SCHEMA_PAGE)} | ${text} |`;
  });
  return ['| Parameter | In | Type | |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function bodySection(body: Content | undefined): string {
  const [entry] = Object.entries(body?.content ?? {});
  if (!entry) return '';
  const [mediaType, { schema = {} }] = entry;
  const table = fieldTable(schema, SCHEMA_PAGE);
  const named = schema.$ref === undefined ? '' : `: ${typeOf(schema, SCHEMA_PAGE)}`;
  return `Request body, \`${mediaType}\`${named}${table === '' ? '.' : ':'}\n\n${table}`;
}

function responseTable(responses: Operation['responses']): string {
  const rows = Object.entries(responses).map(([status, { description = '', content = {} }]) => {
    const [entry] = Object.entries(content);
    const [mediaType = '', { schema = {} } = {}] = entry ?? [];
    const body = entry ? `${bodyType(schema)}, \`${mediaType}\`` : 'none';
    return `| ${status === 'default' ? 'other' : status} | ${body} | ${cell(description)} |`;
  });
  return ['| Status | Response body | |', '|---|---|---|', ...rows, ''].join('\n');
}

/** Returns the type of a body, and for a document of JSON:API the type of its data. */
function bodyType(schema: Parameters<typeof typeOf>[0]): string {
  const { data } = schema.properties ?? {};
  return typeOf(data ?? schema, SCHEMA_PAGE);
}

function schemaPage({ components }: OpenApi): string {
  const sections = Object.entries(components.schemas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const table = fieldTable(schema, SCHEMA_PAGE);
      const type = table === '' ? `${typeOf(schema, SCHEMA_PAGE)}\n` : table;
      return `## ${name}\n\n${schema.description ? `${sentence(schema.description)}\n\n` : ''}${type}`;
    });
  return `# Schemas\n\n${sections.join('\n')}`;
}
