/**
 * @limit memory of the explorer for all organizations of a process, bytes -> unused tables are evicted, then the largest
 * one, and read again on demand
 */
export const MAX_MEMORY = 268_435_456;
/** @limit memory of the explorer for one organization, bytes -> 422 for providers, modules and resource types, or for all */
export const MAX_TABLE = 167_772_160;
/** Time in milliseconds after which an unused table is evicted before larger ones. */
const IDLE = 600_000;

/** Estimated size of an object with its fields, of an array, and of an entry of a map, in bytes. */
export const OBJECT = 96;
export const ROW = 560;
export const ENTRY = 48;
const ARRAY = 32;
const REFERENCE = 8;
const TEXT = 16;

/** Returns the estimated size of a text, bytes. */
export function sizeOfText(text: string | null): number {
  return text === null ? 0 : TEXT + Buffer.byteLength(text);
}

/** Returns the estimated size of an array without its entries, bytes. */
export function sizeOfArray({ length }: { readonly length: number }): number {
  return ARRAY + REFERENCE * length;
}

/** A table in memory. */
export interface InMemory {
  readonly organizationId: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/**
 * Returns the tables to evict: those that nobody uses, least recently used first, then the largest. So a table that is not
 * larger than its share, the limit divided by the number of tables in use, stays in memory whatever others ask.
 */
export function toEvict<Table extends InMemory>(tables: Iterable<Table>, now: number, limit = MAX_MEMORY): Table[] {
  const all = [...tables];
  let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limit) return [];
  const isIdle = ({ usedAt }: Table) => now - usedAt >= IDLE;
  const idle = all.filter(isIdle).sort((one, other) => one.usedAt - other.usedAt);
  const used = all
    .filter((table) => !isIdle(table))
    .sort((one, other) => other.bytes - one.bytes || one.usedAt - other.usedAt);
  const evicted: Table[] = [];
  for (const table of [...idle, ...used]) {
    if (total <= limit) break;
    evicted.push(table);
    total -= table.bytes;
  }
  return evicted;
}
