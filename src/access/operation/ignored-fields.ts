import type { FieldSet } from './fields.ts';
import type { OpenCall, Operation, Reply } from './operation.ts';

/** @limit unknown fields that an answer names, fields -> the others are left out */
const MOST = 20;
/** @limit the name of an unknown field in a warning, characters -> it is cut */
const MAX_NAME = 100;

type Body = Readonly<Record<string, unknown>>;

interface Unknown {
  /** `max_lease_tll` */
  readonly name: string;
  /** `config.` */
  readonly prefix: string;
  /** Fields at this place that the request does not name. */
  readonly others: () => readonly string[];
}

/**
 * Runs an operation, and warns of what the request names and the operation does not know: a misspelled bound is no bound. An
 * answer that has no place for warnings stays as it is.
 */
export async function handled(operation: Operation, call: Parameters<Operation['handle']>[0]): Promise<Reply> {
  const reply = await operation.handle(call as never);
  const warnings = writes(operation) && canWarn(operation, reply) ? ignoredFields(operation, call) : [];
  return warnings.length === 0 ? reply : { ...reply, warnings: [...(reply.warnings ?? []), ...warnings] };
}

const writes = ({ verb }: Operation): boolean => verb === 'update' || verb === 'patch';

const canWarn = ({ answers }: Operation, { bare, document, status = 200 }: Reply): boolean =>
  !bare && !document && Boolean(answers[status]);

/** Texts as the originals have them, since clients and people search for them; then what was probably meant. */
function ignoredFields({ fields }: Operation, { data, params }: Pick<OpenCall, 'data' | 'params'>): string[] {
  if (!fields) return [];
  const replaced = Object.keys(data).filter((name) => !Object.hasOwn(fields, name) && Object.hasOwn(params, name));
  const different = replaced.filter((name) => String(data[name]).toLowerCase() !== params[name]?.toLowerCase());
  const unknown = unknownIn(data, fields).filter(({ prefix, name }) => prefix !== '' || !replaced.includes(name));
  return [
    ...(unknown.length === 0
      ? []
      : [`Endpoint ignored these unrecognized parameters: [${shown(unknown.map(fullName))}]`]),
    // A body may name thousands: each is compared with every field.
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
    // Typed clients name what they do not set, too.
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

/** Command lines send objects as JSON. */
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

/** In one form: clients write `tokenBoundCidrs` and `token-bound-cidrs` too. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_.\s]/g, '');

/** Returns the known name that a name is a misspelling of: within one character in four, and nearer than any other. */
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

/** Levenshtein's: characters that are inserted, removed or replaced. */
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
