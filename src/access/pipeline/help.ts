import { methodOf, openApiDocument } from '../openapi/index.ts';
import type { FieldSet } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import type { Match } from '../operation/operation-router.ts';
import type { Located } from './backends.ts';

/** Response of `GET <path>?help=1`, which `bao path-help` shows. Generated from the declared operations. */
export interface Help {
  readonly help: string;
  readonly see_also: null;
  readonly openapi: object;
}

/** The subject of a help request. */
export interface HelpSubject {
  readonly located: Located;
  /** The operations at the path. Undefined for the mount itself. */
  readonly match: Match | undefined;
  /** The path as requested. */
  readonly path: string;
}

/** @param version version of the server */
export function helpOf({ located, match, path }: HelpSubject, version: string): Help {
  const operations = match ? [...match.operations.values()] : located.router.operations;
  const help = match ? pathHelp(located, match, path) : mountHelp(located, path);
  const openapi = openApiDocument([{ prefix: located.surface, operations }], version);
  return { help, see_also: null, openapi };
}

function pathHelp({ rest }: Located, { pattern, operations, params }: Match, path: string): string {
  const all = [...operations.values()];
  const methods = all.map((operation) => `${methodName(operation).padEnd(8)}${operation.summary}`);
  const fields = parametersOf(all);
  const place = path.slice(0, path.length - rest.length);
  return [
    `Request:         ${place}${shown(pattern, params, all)}`,
    `Matching route:  ${place}${pattern}`,
    '',
    ...methods,
    '',
    ...(fields.length > 0 ? ['## PARAMETERS', '', ...fields.flatMap(parameterHelp)] : []),
    '## DESCRIPTION',
    '',
    ...all.map((operation) => `${methodName(operation).padEnd(8)}${wanted(operation)}`),
    '',
  ].join('\n');
}

/** Returns the required authorization. */
function wanted(operation: Operation): string {
  if (operation.access === 'anyone') return 'needs no token.';
  const capability = 'exists' in operation ? '`create` for a new object, or `update`' : `\`${operation.verb}\``;
  return `needs a token with the capability ${capability}${operation.access === 'sudo' ? ' and `sudo`' : ''}.`;
}

/** Returns the HTTP method. A list can be requested with LIST, or with GET and `?list=true`. */
const methodName = (operation: Operation): string =>
  operation.verb === 'list' ? 'LIST' : methodOf(operation).toUpperCase();

/** Returns the requested path without secrets. */
function shown(pattern: string, params: Match['params'], operations: readonly Operation[]): string {
  const secrets = operations.flatMap((operation) => operation.secrets ?? []);
  return pattern.replaceAll(/[:*](\w+)/g, (part, name: string) =>
    secrets.includes(name) ? part : (params[name] ?? part),
  );
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/**
 * Returns the parameters of all operations at one path, by name: variable segments, and fields of bodies and queries.
 */
function parametersOf(operations: readonly Operation[]): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const { path, parameters = {}, fields = {} } of operations) {
    for (const [, name = ''] of path.matchAll(/[:*](\w+)/g))
      found.set(name, { name, type: 'string', description: parameters[name] ?? '' });
    for (const one of fieldParameters(fields)) if (!found.has(one.name)) found.set(one.name, one);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function fieldParameters(fields: FieldSet): Parameter[] {
  return Object.entries(fields).map(([name, { schema, description = '' }]) => ({
    name,
    type: schema?.items ? `${schema.type} of ${schema.items.type}` : (schema?.format ?? schema?.type ?? 'any'),
    description,
  }));
}

function parameterHelp({ name, type, description }: Parameter): string[] {
  return [`    ${name} (${type})`, ...(description ? [`        ${description}`] : []), ''];
}

function mountHelp({ mount, router }: Located, path: string): string {
  const byPath = Map.groupBy(router.operations, (operation) => operation.path);
  const paths = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '## DESCRIPTION',
    '',
    mount.description || `The mount ${path}, of type ${mount.type}.`,
    '',
    '## PATHS',
    '',
    `Paths below ${path}. Add ?help=1 to any of them for its help. Policies decide which are allowed.`,
    '',
    ...paths.flatMap(([pattern, operations]) => [
      `    ${pattern}`,
      ...operations.map((operation) => `        ${methodName(operation).padEnd(8)}${operation.summary}`),
      '',
    ]),
  ].join('\n');
}
