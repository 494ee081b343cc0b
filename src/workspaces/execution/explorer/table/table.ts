import { eachInSlices, yieldIfDue } from '../../../../lib/slices.ts';
import { sorted } from '../../../workspace/index.ts';
import { ENTRY, sizeOfText } from './memory.ts';
import type { StoredWorkspace } from './row-store.ts';
import { type ExplorerRow, OrganizationUses, type SummaryReader } from './rows.ts';

/**
 * @limit providers, modules and resource types in the memory of the explorer that no workspace uses any more, entries ->
 * the table of the organization is read again
 */
const MAX_UNUSED = 20_000;

/** All workspaces of an organization in the memory of a process, with the facts of the explorer. */
export class ExplorerTable {
  readonly #numbers = new Map<string, number>();
  readonly #rows: (ExplorerRow | undefined)[] = [];
  readonly uses: OrganizationUses;
  #bytes = 0;
  #sizeWhenRead = 0;
  #usesWhenRead = 0;
  #namesVersion = 0;
  #order: { readonly version: number; readonly numbers: Promise<Uint32Array> } | undefined;

  /** @param isLean true to leave out what workspaces use */
  constructor(summaryOf: SummaryReader, isLean = false) {
    this.uses = new OrganizationUses(summaryOf, isLean);
  }

  /** Applies new, changed and deleted workspaces. */
  async apply(stored: readonly StoredWorkspace[]): Promise<void> {
    for (const one of stored) {
      const turn = yieldIfDue();
      if (turn) await turn;
      this.#apply(one);
    }
  }

  /** Marks the table as read. `isOutgrown` compares with this moment. */
  noteRead(): void {
    this.#sizeWhenRead = this.#rows.length;
    this.#usesWhenRead = this.uses.size;
  }

  /** Whether the table should be read again: what is gone keeps its memory. */
  get isOutgrown(): boolean {
    const isLong = this.#rows.length > 2 * this.#sizeWhenRead + MAX_UNUSED;
    return isLong || this.uses.size > 2 * this.#usesWhenRead + MAX_UNUSED;
  }

  /** Estimated memory. Deleted workspaces keep their entries until the table is read again. */
  get bytes(): number {
    return this.#bytes + this.uses.bytes;
  }

  /** Returns the workspaces by name. The list is a snapshot: later changes do not affect it. */
  async byName(): Promise<readonly ExplorerRow[]> {
    const rows = this.#rows.slice();
    const order = await this.#byName(rows);
    const found: ExplorerRow[] = [];
    await eachInSlices(order.length, (at) => {
      const row = rows[order[at] ?? -1];
      if (row !== undefined) found.push(row);
    });
    return found;
  }

  #apply(stored: StoredWorkspace): void {
    const number = this.#numbers.get(stored.id) ?? this.#rows.length;
    const before = this.#rows[number];
    const row = stored.name.startsWith('~') ? undefined : this.uses.rowOf(stored);
    if (number === this.#rows.length) {
      this.#numbers.set(stored.id, number);
      this.#bytes += ENTRY + sizeOfText(stored.id);
    }
    this.#rows[number] = row;
    this.#bytes += (row?.bytes ?? 0) - (before?.bytes ?? 0);
    if (before?.name !== row?.name) this.#namesVersion += 1;
  }

  /** Sorts the numbers of all rows by name, once for each set of names. */
  #byName(rows: readonly (ExplorerRow | undefined)[]): Promise<Uint32Array> {
    const version = this.#namesVersion;
    if (this.#order?.version !== version) {
      const numbers = rows.flatMap((row, number) => (row === undefined ? [] : [number]));
      const names = rows.map((row) => row?.name ?? '');
      const compare = (one: number, other: number) => compareTexts(names[one] ?? '', names[other] ?? '');
      this.#order = { version, numbers: sorted(numbers, compare) };
    }
    return this.#order.numbers;
  }
}

function compareTexts(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
