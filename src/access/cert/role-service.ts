import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { mergeRole, type RoleSettings } from './role.ts';
import type { RoleStore } from './role-store.ts';

/** What administrators do with roles. Names are lower-cased by `roleName` before they come here. */
export class RoleService {
  readonly #store: RoleStore;
  readonly #clock: Clock;

  constructor(store: RoleStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Stores what the body names and returns warnings about what can never work. */
  async write(name: string, body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    let warnings: readonly string[] = [];
    await this.#store.update(name, (stored) => {
      const write = mergeRole(name, stored, body, this.#clock());
      warnings = write.warnings;
      return write.settings;
    });
    return warnings;
  }

  /** @throws AppError not-found */
  async read(name: string): Promise<RoleSettings> {
    const role = await this.#store.find(name);
    if (!role) throw new AppError('not-found', '');
    return role.settings;
  }

  /** A role that is not there is removed already. */
  remove(name: string): Promise<void> {
    return this.#store.remove(name);
  }

  names(): Promise<string[]> {
    return this.#store.names();
  }
}
