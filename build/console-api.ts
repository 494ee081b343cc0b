/** Generates the console's API types from the OpenAPI documents. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly nullable?: boolean;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** Part of an OpenAPI document that the generator reads. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly Parameter[]>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const NAME = /^[A-Za-z_$][\w$]*$/;

/** Returns the file: a type for each schema, and one for each operation by method and path. */
export function apiTypes({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${key(name)}: ${typeOf(schema, 1)};`);
  const operations = Object.entries(paths).flatMap(([path, item]) => operationsOf(path, item));
  return `// Made of the OpenAPI document by \`node build/generate-console-api.ts\`; do not edit by hand.

export interface Schemas {
${schemas.join('\n')}
}

export interface Operations {
${operations.join('\n')}
}
`;
}

function operationsOf(path: string, item: OpenApi['paths'][string]): string[] {
  const shared = (item.parameters ?? []) as readonly Parameter[];
  return METHODS.filter((method) => item[method]).map((method) => {
    const operation = item[method] as Operation;
    const parameters = [...shared, ...(operation.parameters ?? [])];
    const members = [
      ...parametersOf('path', parameters),
      ...parametersOf('query', parameters),
      ...(operation.requestBody ? [`    body: ${contentOf(operation.requestBody)};`] : []),
      `    answer: ${answerOf(operation)};`,
    ];
    return `  ${key(`${method.toUpperCase()} ${path}`)}: {\n${members.join('\n')}\n  };`;
  });
}

function parametersOf(place: 'path' | 'query', parameters: readonly Parameter[]): string[] {
  const own = parameters.filter((one) => one.in === place);
  if (own.length === 0) return [];
  // Path parameters may contain any text and are escaped.
  const members = own.map(({ name, required, schema = {} }) => {
    const isNeeded = place === 'path' || required === true;
    return `      ${key(name)}${isNeeded ? '' : '?'}: ${place === 'path' ? 'string' : typeOf(schema, 3)};`;
  });
  return [`    ${place}: {\n${members.join('\n')}\n    };`];
}

function answerOf({ responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = new Set(good.map(([, response]) => contentOf(response)));
  return [...types].join(' | ') || 'void';
}

/** Bodies other than JSON are bytes. */
function contentOf({ content = {} }: Content): string {
  const entries = Object.entries(content);
  if (entries.length === 0) return 'void';
  return entries.map(([type, { schema = {} }]) => (type.includes('json') ? typeOf(schema, 2) : 'Blob')).join(' | ');
}

function typeOf(schema: Schema, depth: number): string {
  const type = plainTypeOf(schema, depth);
  return schema.nullable ? `${type} | null` : type;
}

function plainTypeOf(schema: Schema, depth: number): string {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return `Schemas[${quoted($ref.split('/').at(-1) ?? '')}]`;
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  const some = anyOf ?? oneOf;
  if (some) return some.map((one) => typeOf(one, depth)).join(' | ');
  if (allOf) return allOf.map((one) => typeOf(one, depth)).join(' & ');
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  if (types.length === 0) return 'unknown';
  return types.map((one) => namedType(one, schema, depth)).join(' | ');
}

function namedType(type: string, schema: Schema, depth: number): string {
  if (type === 'object') return objectType(schema, depth);
  if (type === 'array') return `readonly (${schema.items ? typeOf(schema.items, depth) : 'unknown'})[]`;
  if (type === 'integer') return 'number';
  return type;
}

function objectType(schema: Schema, depth: number): string {
  const { properties, required = [], additionalProperties, patternProperties = {} } = schema;
  const indent = '  '.repeat(depth + 1);
  const members = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${indent}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)};`,
  );
  if (members.length > 0) return `{\n${members.join('\n')}\n${'  '.repeat(depth)}}`;
  const any = typeof additionalProperties === 'object' ? [additionalProperties] : Object.values(patternProperties);
  const values = [...new Set(any.map((one) => typeOf(one, depth)))].join(' | ') || 'unknown';
  return `Readonly<Record<string, ${values}>>`;
}

const key = (name: string): string => (NAME.test(name) ? name : quoted(name));

/** Returns a literal in the style of the sources. */
function quoted(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
