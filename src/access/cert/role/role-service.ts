import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { inSlices } from '../../../lib/slices.ts';
import type { MountTuning } from '../../model/mount.ts';
import { limitsAt, type TtlLimits } from '../../model/ttl-limits.ts';
import { type CertConfig, mergeConfig } from '../settings/cert-config.ts';
import { readBack } from '../settings/role-settings.ts';
import type { RoleStore } from './role-store.ts';
import { roleWarnings } from './role-warnings.ts';
import { roleWrite } from './role-write.ts';
import { tokenType } from './token-type.ts';

/** What administrators do with roles. Names are lower-cased by `roleName` before they come here. */
export class RoleService {
  readonly #store: RoleStore;
  readonly #limits: TtlLimits;
  readonly #clock: Clock;

  constructor(store: RoleStore, limits: TtlLimits, clock: Clock) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Stores what the body names and returns warnings about what can never work at a mount tuned like this. */
  async write(name: string, body: Readonly<Record<string, unknown>>, tuning: MountTuning): Promise<readonly string[]> {
    const { change, certificates } = await inSlices(roleWrite(name, body));
    const { settings, config } = await this.#store.update(name, change);
    const surroundings = {
      config,
      certificates,
      limits: limitsAt(this.#limits, tuning),
      tokenType: tokenType(settings.token_type, tuning.token_type),
      now: this.#clock(),
    };
    return inSlices(roleWarnings(settings, surroundings));
  }

  /** @throws AppError not-found */
  async read(name: string): Promise<Record<string, unknown>> {
    const role = await this.#store.find(name);
    if (!role) throw new AppError('not-found', '');
    return readBack(role.settings);
  }

  /** A role that is not there is removed already. */
  remove(name: string): Promise<void> {
    return this.#store.remove(name);
  }

  /** In order: `most` of those behind `after`. */
  names(after: string, most: number): Promise<string[]> {
    return this.#store.names(after, most);
  }

  async readConfig(): Promise<CertConfig> {
    return (await this.#store.state()).config;
  }

  writeConfig(body: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#store.updateConfig((stored) => mergeConfig(stored, body));
  }
}
