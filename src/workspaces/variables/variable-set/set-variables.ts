import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { VariableKeeper } from '../variable/keeper.ts';
import type { VariableInput } from '../variable/schema.ts';
import type { Variable, VariableOwner } from '../variable/variable.ts';
import type { VariableSetFinder } from './finder.ts';
import * as store from './store.ts';
import type { VariableSetView } from './variable-set.ts';
import { requireNoConflict } from './variable-sets.ts';

/** Manages the variables of sets. */
export class SetVariables {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: VariableSetFinder;
  readonly #keeper: VariableKeeper;

  constructor(database: Database, clock: Clock, finder: VariableSetFinder, keeper: VariableKeeper) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
    this.#keeper = keeper;
  }

  async list(actor: Actor, setId: string, page: Page): Promise<Slice<Variable>> {
    await this.#finder.find(actor, setId, 'read');
    return this.#keeper.page(ownerOf(setId), page);
  }

  async show(actor: Actor, setId: string, id: string): Promise<Variable> {
    await this.#finder.find(actor, setId, 'read');
    return this.#keeper.find(ownerOf(setId), id);
  }

  /** Returns the variables of sets that the actor may see. */
  ofSets(sets: readonly VariableSetView[]): Promise<Variable[]> {
    return this.#keeper.ofEach(
      'varsets',
      sets.map(({ id }) => id),
    );
  }

  /**
   * Adds a variable to a set.
   * @throws 422 for input that breaks a rule
   */
  async create(actor: Actor, setId: string, input: VariableInput): Promise<Variable> {
    const id = await this.#change(actor, setId, (tx, owner) => this.#keeper.add(tx, owner, input));
    return this.#keeper.find(ownerOf(setId), id);
  }

  /**
   * Updates a variable of a set.
   * @throws 422 for input that breaks a rule
   */
  async update(actor: Actor, setId: string, id: string, input: VariableInput): Promise<Variable> {
    await this.#change(actor, setId, (tx, owner) => this.#keeper.change(tx, owner, id, input));
    return this.#keeper.find(ownerOf(setId), id);
  }

  async remove(actor: Actor, setId: string, id: string): Promise<void> {
    await this.#change(actor, setId, (tx, owner) => this.#keeper.remove(tx, owner, id));
  }

  async #change<T>(
    actor: Actor,
    setId: string,
    work: (tx: Transaction, owner: VariableOwner) => Promise<T>,
  ): Promise<T> {
    await this.#finder.find(actor, setId, 'update');
    return this.#database.transaction(async (tx) => {
      if (!(await store.touchVariableSet(tx, setId, this.#clock()))) throw notFound();
      const result = await work(tx, ownerOf(setId));
      await requireNoConflict(tx, setId);
      return result;
    });
  }
}

function ownerOf(id: string): VariableOwner {
  return { type: 'varsets', id };
}
