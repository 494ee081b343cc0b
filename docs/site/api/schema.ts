import type { Schema } from './document.ts';

/** Levels of objects within objects that one table shows. Deeper objects are only named. */
const MOST_LEVELS = 6;

/** Returns a Markdown table with a row for each field of an object, at any depth: `data.attributes.name`. */
export function fieldTable(schema: Schema, schemaPage: string): string {
  const rows = fields(schema, '', 0).map(({ name, schema, isRequired }) => {
    const notes = [isRequired ? 'Required.' : '', sentence(schema.description), limits(schema)]
      .filter(Boolean)
      .join(' ');
    return `| \`${name}\` | ${typeOf(schema, schemaPage)} | ${cell(notes)} |`;
  });
  return rows.length === 0 ? '' : ['| Field | Type | |', '|---|---|---|', ...rows, ''].join('\n');
}

/** Returns the type of a value in words: `string or null`, `array of integer`, a link to a schema. */
export function typeOf(schema: Schema, schemaPage: string): string {
  const type = plainType(schema, schemaPage);
  return schema.nullable ? `${type} or null` : type;
}

/** Returns limits and the default of a value: `At most 200 characters. Default: true.` */
export function limits({ maxLength, maxItems, minimum, maximum, default: initial }: Schema): string {
  return [
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems} items.`,
    minimum === undefined ? '' : `At least ${minimum}.`,
    maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `At most ${maximum}.`,
    initial === undefined ? '' : `Default: \`${JSON.stringify(initial)}\`.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns text that fits into a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}

/** Returns text that ends with a full stop. */
export function sentence(text = ''): string {
  return text === '' || /[.!?:]$/.test(text) ? text : `${text}.`;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

function fields(schema: Schema, prefix: string, level: number): Field[] {
  const { properties = {}, required = [], allOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([key, value]): Field[] => {
    const name = `${prefix}${key}`;
    const field = { name, schema: value, isRequired: required.includes(key) };
    const inner = level < MOST_LEVELS ? innerFields(value, name, level) : [];
    return [field, ...inner];
  });
  return [...own, ...allOf.flatMap((part) => fields(part, prefix, level))];
}

function innerFields(schema: Schema, name: string, level: number): Field[] {
  if (schema.items) return innerFields(schema.items, `${name}[]`, level);
  return fields(schema, `${name}.`, level + 1);
}

function plainType(schema: Schema, schemaPage: string): string {
  const { $ref, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](${schemaPage}#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(', ');
  const some = anyOf ?? oneOf;
  if (some) return [...new Set(some.map((one) => typeOf(one, schemaPage)))].join(' or ');
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  const format = schema.format === undefined ? '' : ` (${schema.format})`;
  return (
    types.map((type) => (type === 'array' && items ? `array of ${typeOf(items, schemaPage)}` : type)).join(' or ') +
    format
  );
}

const literal = (value: unknown): string => `\`${JSON.stringify(value)}\``;
