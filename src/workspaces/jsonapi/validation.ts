import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { AppError, type Issue } from '../../lib/errors.ts';
import { removeEmptyMembers } from './empty-members.ts';
import { notFound } from './errors.ts';
import { unknownParameters } from './query-parameters.ts';

/**
 * A body can break as many rules as it has members: so many are told.
 * @limit errors told about one document, errors -> the others are left out
 */
const MAX_ISSUES = 10;

/** What the compiled schema says about one place; only the fields used here. */
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
  if (error.keyword === 'pattern') return 'has a form or a character that is not allowed';
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
 * What a request part that does not fit its schema is told, one issue a place: a body 422 with pointers, a query 400
 * with the parameter, and a path 404, since an identifier that cannot exist names nothing.
 */
function refusal(part: string | undefined, errors: readonly SchemaError[]): AppError {
  if (part === 'params') return notFound();
  const byPointer = Map.groupBy(errors.flatMap(issuesAt), ({ pointer }) => pointer);
  const issues = [...byPointer.values()].flatMap((same) => same.slice(0, 1)).slice(0, MAX_ISSUES);
  if (part === 'body') return new AppError('unprocessable', 'The body has the wrong form', { issues });
  return wrongQuery(issues.map(asParameter));
}

function wrongQuery(issues: readonly Issue[]): AppError {
  return new AppError('bad-request', 'A query parameter is unknown or has the wrong form', { issues });
}

/** Parts of a schema that are looked into. */
interface Looked {
  readonly properties?: Readonly<Record<string, Looked>>;
  readonly items?: Looked;
  readonly anyOf?: readonly Looked[];
}

/** @throws for a body that leaves open which `data.type` it takes: a route would take any without anybody having said so */
function requireType({ properties: { data } = {} }: Looked): void {
  for (const shape of data?.anyOf ?? [data]) {
    const resource = shape?.items ?? shape;
    if (resource && resource.properties?.type === undefined) throw new Error('a body says nothing of data.type');
  }
}

/** By schema, which routes share with one another, and the listeners of a server with one another. */
const compiled = new WeakMap<TSchema, Validator>();

function compile(schema: TSchema): Validator {
  const known = compiled.get(schema);
  if (known) return known;
  const made = Compile(schema);
  compiled.set(schema, made);
  return made;
}

/**
 * Makes one schema of a route into its check. A query parameter that the schema does not name is refused. The check is compiled when a
 * request first needs it: there are hundreds, and a server would spend half of its start on them. Nothing is coerced: `null` and
 * `"true"` stay what they are.
 * @throws for a body that does not say which `data.type` it takes
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
