import { PathPatterns } from '../../lib/path-patterns.ts';
import type { Operation } from './operation.ts';

/** The operations at one path by verb, and the values of its variable segments. */
export interface Match {
  /** The declared path, such as `certs/:name`. */
  readonly pattern: string;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly pattern: string;
  readonly parts: readonly string[];
  readonly operations: Map<string, Operation>;
}

/**
 * Finds operations by path. A fixed segment takes precedence over a variable one (`:name`), and both over one for any
 * number of segments (`*path`, at least one; fixed segments may follow: `auth/*path/tune`).
 */
export class OperationRouter {
  readonly operations: readonly Operation[];
  readonly #fixed = new Map<string, Pattern>();
  /** By the first segment, most specific first. */
  readonly #variable = new Map<string, Pattern[]>();
  readonly #patterns = new PathPatterns();

  constructor(operations: Iterable<Operation>) {
    this.operations = [...operations];
    for (const operation of this.operations) this.#add(operation);
    for (const patterns of this.#variable.values()) patterns.sort(bySpecificity);
  }

  match(path: string): Match | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed) return { ...fixed, params: {} };
    const parts = path.split('/');
    for (const candidate of this.#variable.get(parts[0] ?? '') ?? []) {
      const params = capture(candidate.parts, parts);
      if (params) return { ...candidate, params };
    }
    return undefined;
  }

  /** Returns for each segment of a path whether logs may contain it, also if no operation matches. */
  shown(path: string): readonly boolean[] {
    return this.#patterns.shown(path.split('/'));
  }

  #add(operation: Operation): void {
    this.#patterns.add(operation.path, operation.secrets);
    const { operations } = this.#patternOf(operation.path);
    if (operations.has(operation.verb)) throw new Error(`${operation.verb} ${operation.path} is declared twice`);
    operations.set(operation.verb, operation);
  }

  #patternOf(pattern: string): Pattern {
    const parts = pattern.split('/');
    if (!parts.some(isVariable)) return getOrAdd(this.#fixed, pattern, () => newPattern(pattern));
    const siblings = getOrAdd(this.#variable, parts[0] ?? '', (): Pattern[] => []);
    let found = siblings.find((sibling) => sibling.pattern === pattern);
    if (!found) {
      found = newPattern(pattern);
      siblings.push(found);
    }
    return found;
  }
}

const isVariable = (part: string): boolean => part.startsWith(':') || part.startsWith('*');

const newPattern = (pattern: string): Pattern => ({ pattern, parts: pattern.split('/'), operations: new Map() });

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Sort key of the segments: `0` fixed, `1` variable, `2` any number, `3` end. */
const specificity = ({ parts }: Pattern): string =>
  `${parts.map((part) => (part.startsWith('*') ? '2' : part.startsWith(':') ? '1' : '0')).join('')}3`;

const bySpecificity = (a: Pattern, b: Pattern): number => (specificity(a) < specificity(b) ? -1 : 1);

function capture(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  // Number of additional segments that `*path` takes.
  const more = parts.length - pattern.length;
  let at = 0;
  for (const wanted of pattern) {
    const from = at;
    at += wanted.startsWith('*') && more > 0 ? more + 1 : 1;
    const taken = parts.slice(from, at).join('/');
    if (isVariable(wanted)) params[wanted.slice(1)] = taken;
    else if (wanted !== taken) return undefined;
  }
  return at === parts.length ? params : undefined;
}
