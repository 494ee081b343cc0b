import { methodOf, openApiDocument } from '../openapi/index.ts';
import type { FieldSet } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import type { Match } from '../operation/operation-router.ts';
import type { Located } from './backends.ts';

/** What `GET <path>?help=1` answers; `bao path-help` shows it. Made of what operations declare. */
export interface Help {
  readonly help: string;
  readonly see_also: null;
  readonly openapi: object;
}

/** What is asked for help about. */
export interface HelpSubject {
  readonly located: Located;
  /** The operations at the path; undefined for the mount itself. */
  readonly match: Match | undefined;
  /** As it was asked for. */
  readonly path: string;
}

/** @param version of this program */
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

/** Who may. */
function wanted(operation: Operation): string {
  if (operation.access === 'anyone') return 'needs no token.';
  const capability = 'exists' in operation ? '`create` where nothing is yet, or `update`' : `\`${operation.verb}\``;
  return `needs a token whose policies give ${capability}${operation.access === 'sudo' ? ' and `sudo`' : ''}.`;
}

/** A list is asked for with LIST, or GET and `?list=true`. */
const methodName = (operation: Operation): string =>
  operation.verb === 'list' ? 'LIST' : methodOf(operation).toUpperCase();

/** The path as it was asked for, but for what lets somebody in. */
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

/** Of all operations at one path, by name: the variable parts of the path, and what bodies and queries may name. */
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
    mount.description || `What is mounted at ${path}, of the type ${mount.type}.`,
    '',
    '## PATHS',
    '',
    `Below ${path}. Ask for help about any of them in the same way. What may be done with them is a matter of policies.`,
    '',
    ...paths.flatMap(([pattern, operations]) => [
      `    ${pattern}`,
      ...operations.map((operation) => `        ${methodName(operation).padEnd(8)}${operation.summary}`),
      '',
    ]),
  ].join('\n');
}
