/** A module of a state, and what is in it. */
export interface Module {
  /** As the server names it: `root`, `net["a.b"].sub`. */
  readonly name: string;
  /** The last part of the name. */
  readonly label: string;
  readonly depth: number;
  /** Managed resources in it, without those below it. */
  readonly count: number;
}

/** Of each module: how many of each type; data sources are `data.…`. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A part of the name of a module, with the key of its instance. */
const PART = /[^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?/g;

/** The modules as a tree that is read from above: each below the one that it is part of. */
export function moduleTree(counts: Counts): readonly Module[] {
  const modules = Object.entries(counts).map(([name, types]) => {
    const parts = name === 'root' ? [] : (name.match(PART) ?? [name]);
    return { name, parts, count: managed(types) };
  });
  const key = ({ parts }: { readonly parts: readonly string[] }) => parts.join('\u0000');
  return modules
    .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
    .map(({ name, parts, count }) => ({ name, count, label: parts.at(-1) ?? 'root', depth: parts.length }));
}

function managed(types: Readonly<Record<string, number>>): number {
  return Object.entries(types).reduce((total, [type, count]) => total + (type.startsWith('data.') ? 0 : count), 0);
}
