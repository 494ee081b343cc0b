import { AppError } from '../../lib/errors.ts';
import { tokenType, tokenWarnings } from '../method/index.ts';
import type { MountTuning } from '../model/mount.ts';
import { limitsAt, type TtlLimits } from '../model/ttl-limits.ts';
import type { MountKeys } from './authentication/mount-keys.ts';
import type { JwtRoleStore } from './authentication/roles.ts';
import { type JwtConfig, keyPlaces, writtenConfig } from './settings/jwt-config.ts';
import { type JwtRoleSettings, roleWrite } from './settings/jwt-role.ts';

type Body = Readonly<Record<string, unknown>>;

/** Management of a JWT mount. Callers lower-case role names with `roleName`. */
export class JwtSettings {
  readonly store: JwtRoleStore;
  readonly #keys: MountKeys;
  readonly #limits: TtlLimits;

  constructor(store: JwtRoleStore, keys: MountKeys, limits: TtlLimits) {
    this.store = store;
    this.#keys = keys;
    this.#limits = limits;
  }

  /** @throws AppError not-found before the first write */
  async readConfig(): Promise<JwtConfig> {
    const { config } = await this.store.state();
    if (!config) throw new AppError('not-found', '');
    return config;
  }

  /**
   * Stores a configuration. Refuses it if the keys cannot be fetched, unless the write skips that check.
   * @returns warnings
   * @throws AppError bad-request
   */
  async writeConfig(body: Body): Promise<readonly string[]> {
    const { config, skipsValidation } = writtenConfig(body);
    const fault = await this.#keys.fault(config);
    const text = `error fetching the keys of the issuer: ${fault}`;
    if (fault !== undefined && !skipsValidation) throw new AppError('bad-request', text);
    await this.store.updateConfig(() => config);
    const plain = keyPlaces(config).some(({ url }) => /^http:/i.test(url));
    return [...(fault === undefined ? [] : [text]), ...(plain ? [PLAIN] : [])];
  }

  /** @throws AppError not-found */
  async readRole(name: string): Promise<JwtRoleSettings> {
    const role = await this.store.find(name);
    if (!role) throw new AppError('not-found', '');
    return role.settings;
  }

  /**
   * Stores a role.
   * @returns warnings about settings that cannot work at a mount with this tuning
   * @throws AppError bad-request
   */
  async writeRole(name: string, body: Body, tuning: MountTuning): Promise<readonly string[]> {
    const { settings } = await this.store.update(name, roleWrite(body));
    const type = tokenType(settings.token_type, tuning.token_type);
    const warnings = tokenWarnings(settings, limitsAt(this.#limits, tuning), type);
    return settings.verbose_oidc_logging ? [...warnings, UNLOGGED] : warnings;
  }
}

const PLAIN = 'the keys are fetched without TLS: an attacker on the network can replace them and log in as anyone';
const UNLOGGED = 'verbose_oidc_logging has no effect: tokens are never logged; login/explain says why one is refused';
