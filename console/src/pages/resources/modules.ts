import * as texts from './texts.ts';

/** A module of a state. */
export interface Module {
  /** Name as in the API: `root`, `net["a.b"].sub`. */
  readonly name: string;
  /** Last part of the name. */
  readonly label: string;
  readonly depth: number;
  /** Number of managed resources in the module, without its submodules. */
  readonly count: number;
}

/** Number of resources of each type, by module; types of data sources start with `data.`. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** One part of a module name, with its instance key. */
const PART = /[^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?/g;

/** Returns the modules in tree order, each after its parent. */
export function moduleTree(counts: Counts): readonly Module[] {
  const modules = Object.entries(counts).map(([name, types]) => {
    const parts = name === 'root' ? [] : (name.match(PART) ?? [name]);
    return { name, parts, count: managed(types) };
  });
  const key = ({ parts }: { readonly parts: readonly string[] }) => parts.join('\u0000');
  return modules
    .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
    .map(({ name, parts, count }) => ({ name, count, label: parts.at(-1) ?? texts.root, depth: parts.length }));
}

function managed(types: Readonly<Record<string, number>>): number {
  return Object.entries(types).reduce((total, [type, count]) => total + (type.startsWith('data.') ? 0 : count), 0);
}
