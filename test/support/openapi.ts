import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Json = any;

interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly body: Json;
}

/** Converts a schema of OpenAPI 3.0 to JSON Schema, with everything that it refers to. */
function jsonSchema(schema: Json, document: Json): Json {
  if (Array.isArray(schema)) return schema.map((one) => jsonSchema(one, document));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return jsonSchema(document.components.schemas[schema.$ref.split('/').at(-1)], document);
  const { nullable, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, jsonSchema(value, document)]));
  return nullable ? { anyOf: [own, { type: 'null' }] } : own;
}

/**
 * Returns the faults of a response by the document: an undeclared status, or a body that violates its schema.
 * @param path as in the document
 */
export function faultsOf(document: Json, path: string, method: string, answer: Answered): unknown[] {
  const { responses } = document.paths[path][method];
  const response = responses[answer.status] ?? (answer.status >= 400 ? responses.default : undefined);
  if (!response) return [`${answer.status} is not in the document`];
  if (!response.content) return answer.body === undefined ? [] : ['a body where none is in the document'];
  const schema = jsonSchema(response.content['application/json'].schema, document);
  return Compile(schema as TSchema).Errors(answer.body);
}

/** Returns the faults of a body. */
export type Check = (value: unknown) => string[];

/**
 * Validates bodies against a schema of a document more strictly than a client would: objects with declared properties
 * have no others.
 * @param open references that allow anything
 */
export function strictCheck(schema: Json, document: Json, open: readonly string[] = []): Check {
  const compiled = Compile(closed(schema, document, open) as TSchema);
  return (value) => (compiled.Check(value) ? [] : compiled.Errors(value).map(told));
}

/** Includes all references. Understands both forms of nullable (OpenAPI 3.0, 3.1). */
function closed(schema: Json, document: Json, open: readonly string[]): Json {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, document, open));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (open.includes(schema.$ref)) return {};
  if (schema.$ref) return closed(document.components.schemas[schema.$ref.split('/').at(-1)], document, open);
  const { nullable, ...rest } = schema;
  const inside = Object.entries(rest).map(([name, value]) => [name, closed(value, document, open)]);
  const own = { ...(schema.properties && { additionalProperties: false }), ...Object.fromEntries(inside) };
  return nullable === true ? { anyOf: [own, { type: 'null' }] } : own;
}

/** Validates responses of the workspace API by its document. Each schema is compiled once. */
export class AnswerChecks {
  readonly #document: Json;
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp }[];
  readonly #checks = new WeakMap<object, Check>();

  constructor(document: Json) {
    this.#document = document;
    // Literal segments take precedence over parameters, as in the router.
    const templates = Object.keys(document.paths).toSorted((a, b) => (anyLast(a) < anyLast(b) ? -1 : 1));
    this.#paths = templates.map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** @param path of the request, below the prefix of the API */
  faultsOf(method: string, path: string, answer: Answered): string[] {
    const [bare = ''] = path.split('?');
    const has = (template: string) => method.toLowerCase() in this.#document.paths[template];
    const found = this.#paths.find(({ template, pattern }) => has(template) && pattern.test(bare));
    if (found === undefined) return answer.status === 404 ? [] : ['the route is not in the document'];
    const { responses } = this.#document.paths[found.template][method.toLowerCase()];
    const response = responses[answer.status] ?? (answer.status >= 400 ? responses.default : undefined);
    if (!response) return [`the status ${answer.status} is not in the document`];
    if (!response.content) return answer.text ? ['a body where none is in the document'] : [];
    return this.#bodyFaults(response.content, answer);
  }

  #bodyFaults(content: Json, { headers = {}, body, text }: Answered): string[] {
    const [mediaType = '', { schema }] = Object.entries<Json>(content)[0] ?? ['', {}];
    const type = String(headers['content-type']).split(';')[0];
    if (type !== mediaType) return [`the content type is ${type}, in the document ${mediaType}`];
    if (Object.keys(schema).length === 0) return [];
    if (body === undefined) return [`no JSON: ${text?.slice(0, 100)}`];
    const included: Json[] = Array.isArray(body.included) ? body.included : [];
    return [
      ...this.#check(schema)(body),
      ...included.flatMap((resource) => this.#check(this.#resource(resource.type))(resource)),
    ];
  }

  #resource(type: string): Json {
    return this.#document.components.schemas[type] ?? { not: {} };
  }

  /** Included resources are checked by their own types. */
  #check(schema: Json): Check {
    const known = this.#checks.get(schema);
    if (known) return known;
    const check = strictCheck(schema, this.#document, ['#/components/schemas/Resource']);
    this.#checks.set(schema, check);
    return check;
  }
}

const made = new Map<string, AnswerChecks>();

/**
 * Returns the checks of a document. All test files of a process share them, because compiling the schemas takes longer
 * than most of these files.
 * @param text of the document
 */
export function answerChecks(text: string): AnswerChecks {
  const known = made.get(text) ?? new AnswerChecks(JSON.parse(text));
  made.set(text, known);
  return known;
}

function anyLast(template: string): string {
  return template.replaceAll('{', '~');
}

function told({ instancePath, message, params }: { instancePath: string; message: string; params: object }): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}
