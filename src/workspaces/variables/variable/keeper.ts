import type { Clock } from '../../../lib/clock.ts';
import { prefixedId, randomText } from '../../../lib/ids.ts';
import type { Database, Keyring, Queries, SealedColumn, Transaction } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { bytesOf, checkTotals, nextVariable } from './rules.ts';
import type { ReplacingVariable, VariableInput } from './schema.ts';
import * as store from './store.ts';
import type { Variable, VariableContent, VariableOwner } from './variable.ts';

const ATTRIBUTES = '/data/attributes';

/** Stores the variables of workspaces and sets. All values are encrypted. The caller has checked permissions. */
export class VariableKeeper {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(database: Database, keyring: Keyring, clock: Clock) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** Returns variables in the order of creation. */
  async all(owner: VariableOwner): Promise<Variable[]> {
    return (await store.listAllVariables(this.#database, owner)).map((row) => this.#shown(row));
  }

  async page(owner: VariableOwner, page: Page): Promise<Slice<Variable>> {
    const { items, total } = await store.listVariables(this.#database, owner, page);
    return { items: items.map((row) => this.#shown(row)), total };
  }

  /** Returns the variables of several owners of one kind. */
  async ofEach(type: VariableOwner['type'], ids: readonly string[]): Promise<Variable[]> {
    return ids.length === 0
      ? []
      : (await store.variablesOfOwners(this.#database, type, ids)).map((row) => this.#shown(row));
  }

  /** Returns variables with all values, for the agent that executes a run. */
  async open(type: VariableOwner['type'], ids: readonly string[]): Promise<(Variable & { readonly value: string })[]> {
    const rows = ids.length === 0 ? [] : await store.variablesOfOwners(this.#database, type, ids);
    return rows.map((row) => ({ ...this.#shown(row), value: this.#valueOf(row) }));
  }

  /** Returns the category and key of the variables of a workspace and of sets, as `terraform/region`, each once. */
  names(db: Queries, workspaceId: string, setIds: readonly string[]): Promise<string[]> {
    return store.variableNames(db, workspaceId, setIds);
  }

  /** Returns the bytes that the variables take in the document of a job. */
  async bytesOfEach(type: VariableOwner['type'], ids: readonly string[]): Promise<number> {
    return ids.length === 0 ? 0 : await store.bytesOfOwners(this.#database, type, ids);
  }

  /** Returns only the variable ids, by the id of the owner. */
  async idsOfEach(type: VariableOwner['type'], ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows = ids.length === 0 ? [] : await store.variableIdsOfOwners(this.#database, type, ids);
    const byOwner = Map.groupBy(rows, ({ ownerId }) => ownerId);
    return new Map([...byOwner].map(([ownerId, same]) => [ownerId, same.map(({ id }) => id)]));
  }

  /** Returns the ids of one workspace's variables. */
  async idsOf(workspaceId: string): Promise<string[]> {
    return (await store.variableIds(this.#database, workspaceId)).map(({ id }) => id);
  }

  /** Finds a variable by its id. Returns undefined when there is none. */
  async byId(id: string): Promise<Variable | undefined> {
    const row = await store.findVariable(this.#database, id);
    return row && this.#shown(row);
  }

  /**
   * Finds a variable of an owner.
   * @throws 404 when the owner has no such variable
   */
  async find(owner: VariableOwner, id: string): Promise<Variable> {
    return this.#shown(await ownRow(this.#database, owner, id));
  }

  /**
   * Adds a variable.
   * @throws 422 for input that breaks a rule
   */
  async add(tx: Transaction, owner: VariableOwner, input: VariableInput, at = ATTRIBUTES): Promise<string> {
    await requireOwner(tx, owner);
    const id = prefixedId('var', this.#clock());
    const row = this.#row(owner, id, nextVariable(input, at));
    if (!(await store.insertVariable(tx, row))) throw keyTaken(at);
    checkTotals(await store.variableTotals(tx, owner));
    return id;
  }

  /**
   * Updates a variable.
   * @throws 404 when the owner has no such variable, 422 for input that breaks a rule
   */
  async change(tx: Transaction, owner: VariableOwner, id: string, input: VariableInput): Promise<void> {
    const current = await ownRow(tx, owner, id);
    const next = nextVariable(input, ATTRIBUTES, this.#contentOf(current, input));
    const holder = await store.findVariableByKey(tx, owner, next.category, next.key);
    if (holder !== undefined && holder !== id) throw keyTaken(ATTRIBUTES);
    await store.updateVariable(tx, this.#row(owner, id, next, current));
    checkTotals(await store.variableTotals(tx, owner));
  }

  /**
   * Deletes a variable.
   * @throws 404 when the owner has no such variable
   */
  async remove(tx: Transaction, owner: VariableOwner, id: string): Promise<void> {
    await ownRow(tx, owner, id);
    await store.removeVariable(tx, id);
  }

  /**
   * Replaces all variables of the owner.
   * @throws 404 for an id that is not one of the owner's, 422 for input that breaks a rule
   */
  async replace(tx: Transaction, owner: VariableOwner, entries: readonly ReplacingVariable[]): Promise<void> {
    await requireOwner(tx, owner);
    const known = new Map((await store.listAllVariables(tx, owner)).map((row) => [row.id, row]));
    const rows = entries.map(({ id, attributes = {} }, index) => {
      const current = id ? known.get(id) : undefined;
      if (id && current === undefined) throw notFound();
      const next = nextVariable(
        attributes,
        `/data/${index}/attributes`,
        current && this.#contentOf(current, attributes),
      );
      return this.#row(owner, current?.id ?? prefixedId('var', this.#clock()), next, current);
    });
    // Deletes and inserts all of them, since two variables may have swapped their names.
    await store.removeAllVariables(tx, owner);
    for (const [index, row] of rows.entries()) {
      if (!(await store.insertVariable(tx, row))) throw keyTaken(`/data/${index}/attributes`);
    }
    checkTotals(await store.variableTotals(tx, owner));
  }

  #row(owner: VariableOwner, id: string, content: VariableContent, current?: store.VariableRow): store.VariableRow {
    const { value, hcl, sensitive, applyOnly, ...rest } = content;
    const sealed = value === undefined ? current : this.#sealed(id, value);
    return {
      ...rest,
      id,
      workspaceId: owner.type === 'workspaces' ? owner.id : null,
      setId: owner.type === 'varsets' ? owner.id : null,
      value: sealed?.value ?? this.#sealed(id, '').value,
      size: sealed?.size ?? 0,
      hcl: Number(hcl),
      sensitive: Number(sensitive),
      applyOnly: Number(applyOnly),
      versionId: randomText(24),
      createdAt: current?.createdAt ?? this.#clock(),
    };
  }

  #sealed(id: string, value: string) {
    return { value: this.#keyring.encrypt(Buffer.from(value), contextOf(id)), size: bytesOf(value) };
  }

  #valueOf({ id, value }: store.VariableRow): string {
    return Buffer.from(this.#keyring.decrypt(value, contextOf(id))).toString();
  }

  /** The encrypted value stays, unless key or category change: it is bound to both and cannot move. */
  #contentOf(
    row: store.VariableRow,
    { key = row.key, category = row.category, value }: VariableInput,
  ): VariableContent {
    const isMoved = value === undefined && (key !== row.key || category !== row.category);
    return {
      key: row.key,
      category: row.category,
      value: isMoved ? this.#valueOf(row) : undefined,
      description: row.description,
      hcl: row.hcl === 1,
      sensitive: row.sensitive === 1,
      applyOnly: row.applyOnly === 1,
    };
  }

  #shown(row: store.VariableRow): Variable {
    const { workspaceId, setId, size: _, ...rest } = row;
    const sensitive = row.sensitive === 1;
    return {
      ...rest,
      owner: workspaceId === null ? { type: 'varsets', id: setId ?? '' } : { type: 'workspaces', id: workspaceId },
      value: sensitive ? null : this.#valueOf(row),
      hcl: row.hcl === 1,
      sensitive,
      applyOnly: row.applyOnly === 1,
    };
  }
}

function contextOf(id: string): string {
  return `variable/${id}`;
}

/** The workspace may have been deleted in the meantime; the row of a set is locked. */
async function requireOwner(tx: Transaction, { type, id }: VariableOwner): Promise<void> {
  if (type === 'workspaces' && !(await store.hasWorkspace(tx, id))) throw notFound();
}

async function ownRow(db: Queries, owner: VariableOwner, id: string): Promise<store.VariableRow> {
  const row = await store.findVariable(db, id);
  const ownerId = owner.type === 'workspaces' ? row?.workspaceId : row?.setId;
  if (row === undefined || ownerId !== owner.id) throw notFound();
  return row;
}

function keyTaken(at: string) {
  return unprocessable([{ detail: 'Key has already been taken', pointer: `${at}/key` }]);
}

export const sealedVariables: SealedColumn = {
  table: 'variable',
  key: ['id'],
  column: 'value',
  boundTo: ['key'],
  contextOf: contextOf,
};
