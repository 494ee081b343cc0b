import type { FieldSet } from './fields.ts';
import type { OpenCall, Operation, Reply } from './operation.ts';

/** @limit unknown fields in the warnings of a response, fields -> the others are left out */
const MOST = 20;
/** @limit the name of an unknown field in a warning, characters -> the name is cut */
const MAX_NAME = 100;

type Body = Readonly<Record<string, unknown>>;

interface Unknown {
  /** Name, such as `max_lease_tll`. */
  readonly name: string;
  /** Path to the object, such as `config.`. */
  readonly prefix: string;
  /** Returns the known fields here that the request does not contain. */
  readonly others: () => readonly string[];
}

/**
 * Runs an operation and warns about unknown fields: a misspelled restriction would have no effect. Responses without
 * room for warnings are unchanged.
 */
export async function handled(operation: Operation, call: Parameters<Operation['handle']>[0]): Promise<Reply> {
  const reply = await operation.handle(call as never);
  const warnings = writes(operation) && canWarn(operation, reply) ? ignoredFields(operation, call) : [];
  return warnings.length === 0 ? reply : { ...reply, warnings: [...(reply.warnings ?? []), ...warnings] };
}

const writes = ({ verb }: Operation): boolean => verb === 'update' || verb === 'patch';

const canWarn = ({ answers }: Operation, { bare, document, status = 200 }: Reply): boolean =>
  !bare && !document && Boolean(answers[status]);

/** Returns warnings with Vault's wording, which clients and people search for, and suggestions. */
function ignoredFields({ fields }: Operation, { data, params }: Pick<OpenCall, 'data' | 'params'>): string[] {
  if (!fields) return [];
  const replaced = Object.keys(data).filter((name) => !Object.hasOwn(fields, name) && Object.hasOwn(params, name));
  const different = replaced.filter((name) => String(data[name]).toLowerCase() !== params[name]?.toLowerCase());
  const unknown = unknownIn(data, fields).filter(({ prefix, name }) => prefix !== '' || !replaced.includes(name));
  return [
    ...(unknown.length === 0
      ? []
      : [`Endpoint ignored these unrecognized parameters: [${shown(unknown.map(fullName))}]`]),
    // A body may contain thousands of unknown fields, and each is compared with every known one.
    ...unknown.slice(0, MOST).flatMap(suggestion),
    ...(different.length === 0
      ? []
      : [
          `Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [${shown(different)}]`,
        ]),
  ];
}

function unknownIn(data: Body, fields: FieldSet, prefix = ''): Unknown[] {
  const others = () => Object.keys(fields).filter((known) => !Object.hasOwn(data, known));
  return Object.entries(data).flatMap(([name, value]) => {
    // Typed clients also send fields that they do not set, as null.
    if (value === null) return [];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return [{ name, prefix, others }];
    const { nested } = field;
    if (!nested) return [];
    return objectsIn(value).flatMap((one) => unknownIn(one, nested, `${prefix}${name}.`));
  });
}

const fullName = ({ prefix, name }: Unknown): string => prefix + name;

function suggestion({ prefix, name, others }: Unknown): string[] {
  const meant = nearest(name, others());
  return meant === undefined ? [] : [`"${cut(prefix + name)}" has no effect: did you mean "${prefix}${meant}"?`];
}

/** The `bao` and `vault` clients send objects as JSON text. */
function objectsIn(value: unknown): Body[] {
  const read = typeof value === 'string' ? fromJson(value) : value;
  const all = Array.isArray(read) ? read.slice(0, MOST) : [read];
  return all.filter((one): one is Body => typeof one === 'object' && one !== null && !Array.isArray(one));
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const cut = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);
const shown = (names: readonly string[]): string => [...new Set(names)].sort().slice(0, MOST).map(cut).join(' ');

/** Normalizes a name: clients also write `tokenBoundCidrs` and `token-bound-cidrs`. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_.\s]/g, '');

/** Returns the known name that a misspelled name is closest to: at most one edit for each four characters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const wanted = plain(name);
  const most = Math.max(1, Math.floor(wanted.length / 4));
  const [best] = known
    .filter((one) => Math.abs(plain(one).length - wanted.length) <= most)
    .map((one) => ({ one, distance: editDistance(wanted, plain(one)) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1));
  return best?.one;
}

/** Levenshtein distance: inserted, removed or replaced characters. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
