import type { KeyFacts, SealedCount } from '../../storage/index.ts';
import { table } from '../output/table.ts';

/** A key and its usage. */
export interface KeyUse {
  readonly key: number;
  /** `missing` for a key that is not in the keyring. */
  readonly role: KeyFacts['role'] | 'missing';
  /** Creation time (RFC 3339). Null for keys from before it was recorded. */
  readonly created: string | null;
  /** Start of encryption (RFC 3339). Null: since its creation. */
  readonly seals_from: string | null;
  readonly values: number;
  /** Number of values by column, such as `variable.value`. */
  readonly columns: Readonly<Record<string, number>>;
}

/** Returns keys, newest first. Keys that are in use but missing from the keyring come last. */
export function keyUses(keys: readonly KeyFacts[], counts: readonly SealedCount[]): KeyUse[] {
  const known = new Set(keys.map(({ version }) => version));
  const missing = [...new Set(counts.map(({ version }) => version))].filter((version) => !known.has(version));
  return [
    ...keys.map(({ version, role, created, sealsFrom }) => ({
      key: version,
      role,
      created: created === undefined ? null : isoOf(created),
      seals_from: sealsFrom === 0 ? null : isoOf(sealsFrom),
      ...usesOf(version, counts),
    })),
    ...missing.map((version) => ({
      ...{ key: version, role: 'missing' as const, created: null, seals_from: null },
      ...usesOf(version, counts),
    })),
  ];
}

/** Formats the list for people. */
export function listText(uses: readonly KeyUse[]): string {
  return table(
    uses.map(({ key, role, created, seals_from, values, columns }) => ({
      key,
      role,
      created: created ?? 'unknown',
      'seals from': seals_from ?? 'the start',
      values,
      of: Object.entries(columns)
        .map(([column, count]) => `${column} ${count}`)
        .join(', '),
    })),
  );
}

function usesOf(version: number, counts: readonly SealedCount[]) {
  const own = counts.filter((count) => count.version === version);
  return {
    values: own.reduce((sum, { values }) => sum + values, 0),
    columns: Object.fromEntries(own.map(({ column, values }) => [column, values])),
  };
}

const isoOf = (time: number) => new Date(time).toISOString();
