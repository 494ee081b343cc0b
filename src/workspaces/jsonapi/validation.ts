import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { AppError, type Issue } from '../../lib/errors.ts';
import { removeEmptyMembers } from './empty-members.ts';
import { notFound } from './errors.ts';
import { unknownParameters } from './query-parameters.ts';

/**
 * Maximum number of errors in an answer. A body can break as many rules as it has members.
 * @limit errors about one request, errors -> the others are left out
 */
const MAX_ISSUES = 10;

/** Error of the compiled schema, with only the members that are used here. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

function requiredOf(error: SchemaError): readonly string[] {
  return error.keyword === 'required' ? (error.params as { requiredProperties: string[] }).requiredProperties : [];
}

function said(error: SchemaError): string {
  if (error.keyword === 'pattern') return 'has an invalid format or contains an invalid character';
  if (error.keyword === 'const')
    return `must be ${JSON.stringify((error.params as { allowedValue: unknown }).allowedValue)}`;
  if (error.keyword === 'enum') {
    const words = (error.params as { allowedValues: unknown[] }).allowedValues.filter((word) => word !== null);
    return `must be one of ${words.join(', ')}`;
  }
  return error.message;
}

function issuesAt(error: SchemaError): Issue[] {
  const missing = requiredOf(error);
  if (missing.length > 0) {
    return missing.map((name) => ({ detail: `${name} is required`, pointer: `${error.instancePath}/${name}` }));
  }
  const name = error.instancePath.replace(/^\/(data\/(attributes\/)?)?/, '');
  return [{ detail: `${name === '' ? 'The body' : name} ${said(error)}`, pointer: error.instancePath }];
}

function asParameter(issue: Issue): Issue {
  const { pointer = '', detail } = issue;
  return { detail, parameter: pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') };
}

/**
 * Returns the error for a request part that does not match its schema, with one issue for each place. An invalid body
 * gets 422 with pointers; a query gets 400 with the parameter; a path gets 404, because no such identifier exists.
 */
function refusal(part: string | undefined, errors: readonly SchemaError[]): AppError {
  if (part === 'params') return notFound();
  const byPointer = Map.groupBy(errors.flatMap(issuesAt), ({ pointer }) => pointer);
  const issues = [...byPointer.values()].flatMap((same) => same.slice(0, 1)).slice(0, MAX_ISSUES);
  if (part === 'body') return new AppError('unprocessable', 'The body is invalid', { issues });
  return wrongQuery(issues.map(asParameter));
}

function wrongQuery(issues: readonly Issue[]): AppError {
  return new AppError('bad-request', 'A query parameter is unknown or invalid', { issues });
}

/** Members of a schema that are read here. */
interface Looked {
  readonly properties?: Readonly<Record<string, Looked>>;
  readonly items?: Looked;
  readonly anyOf?: readonly Looked[];
}

/**
 * Checks that a body schema declares its `data.type`.
 * @throws for a body that does not, because it would silently accept any type
 */
function requireType({ properties: { data } = {} }: Looked): void {
  for (const shape of data?.anyOf ?? [data]) {
    const resource = shape?.items ?? shape;
    if (resource && resource.properties?.type === undefined) throw new Error('a body does not declare data.type');
  }
}

/** Cache by schema. Routes, and the listeners of a server, share schemas. */
const compiled = new WeakMap<TSchema, Validator>();

function compile(schema: TSchema): Validator {
  const known = compiled.get(schema);
  if (known) return known;
  const made = Compile(schema);
  compiled.set(schema, made);
  return made;
}

/**
 * Compiles a route's schema to a check, which also refuses undefined query parameters. Compiles lazily at the first
 * request: there are hundreds of schemas, and compiling all would take half of the server's start. The check does not
 * coerce: `null` and `"true"` stay unchanged.
 * @throws for a body that does not declare its `data.type`
 */
export function compileValidator({ schema, httpPart }: { schema: TSchema; httpPart?: string }) {
  const isBody = httpPart === 'body';
  if (isBody) requireType(schema as Looked);
  let check: Validator | undefined;
  const unknownIn = httpPart === 'querystring' ? unknownParameters(schema) : () => [];
  return (value: unknown) => {
    const unknown = unknownIn(value);
    if (unknown.length > 0) return { error: wrongQuery(unknown.slice(0, MAX_ISSUES)) };
    if (isBody) removeEmptyMembers(value);
    check ??= compile(schema);
    return check.Check(value) ? { value } : { error: refusal(httpPart, check.Errors(value) as readonly SchemaError[]) };
  };
}
