import type { KeyMetrics } from '../../jwt/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import type { Database } from '../../storage/index.ts';
import type { IdentityService } from '../identity/index.ts';
import { type Login, type LoginCall, Logins, RoleStore, removeRoleBatch } from '../method/index.ts';
import type { Mount } from '../model/mount.ts';
import type { Token } from '../model/token.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import type { Method } from '../mounts/index.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import type { RenewedToken, TokenService } from '../tokens/index.ts';
import { JwtAuthenticator, type JwtLoginRequest, REFUSED } from './authentication/jwt-authenticator.ts';
import { MountKeys } from './authentication/mount-keys.ts';
import { type JwtRoleStore, JwtRoles } from './authentication/roles.ts';
import { Explainer } from './explain/explainer.ts';
import { configOperations, loginOperations, roleOperations } from './jwt-operations.ts';
import { JwtSettings } from './jwt-settings.ts';
import { storedConfig } from './settings/jwt-config.ts';
import { ROLE_IN_METADATA, storedRole } from './settings/jwt-role.ts';

export interface JwtMethodDependencies {
  readonly mountId: string;
  readonly limits: TtlLimits;
  readonly database: Database;
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'forLogin' | 'foreseeLogin'>;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
}

/** The jwt auth method at one mount. */
export class JwtMethod implements Method {
  readonly operations: readonly Operation[];
  readonly explainer: Explainer;
  readonly #authenticator: JwtAuthenticator;
  readonly #keys: MountKeys;
  readonly #roles: JwtRoles;
  readonly #logins: Logins;
  readonly #database: Database;
  readonly #mountId: string;

  constructor({ mountId, limits, database, tokens, identities, fetch, clock }: JwtMethodDependencies) {
    const store: JwtRoleStore = new RoleStore(database, mountId, { settings: storedRole, config: storedConfig });
    this.#keys = new MountKeys(fetch, clock);
    this.#roles = new JwtRoles(store);
    const parts = { roles: this.#roles, keys: this.#keys, clock };
    this.#authenticator = new JwtAuthenticator(parts);
    this.#logins = new Logins({ tokens, identities, limits, refused: REFUSED, finding: (verdict) => verdict });
    this.explainer = new Explainer({ ...parts, store, authenticator: this.#authenticator, logins: this.#logins });
    this.#database = database;
    this.#mountId = mountId;
    const settings = new JwtSettings(store, this.#keys, limits);
    this.operations = [...roleOperations(settings), ...configOperations(settings), ...loginOperations(this)];
  }

  /**
   * Logs in with a JWT.
   * @throws AppError bad-request with one message for every reason
   */
  login(asked: JwtLoginRequest, call: LoginCall): Promise<Login> {
    return this.#logins.login(call, (now) => this.#authenticator.authenticate(asked, now));
  }

  /**
   * Renews a token with the current settings of the role. The issuer's token has expired long ago and is not needed.
   * @throws AppError bad-request
   */
  async renew(
    token: Token,
    mount: Mount,
    _call: Pick<OpenCall, 'peer' | 'event'>,
    increment: number,
  ): Promise<RenewedToken> {
    const name = token.metadata?.[ROLE_IN_METADATA];
    const role = name === undefined ? undefined : await this.#roles.find(name, mount);
    if (!role) throw new AppError('bad-request', 'the role of the login no longer exists, not renewing');
    return this.#logins.renew(token, role, mount, increment);
  }

  /** Returns the state of the issuers' keys. */
  keyMetrics(): readonly KeyMetrics[] {
    return this.#keys.metrics();
  }

  readonly tasks = [];

  start(): void {}

  async stop(): Promise<void> {
    this.#keys.stop();
  }

  removeBatch(): Promise<boolean> {
    return removeRoleBatch(this.#database, this.#mountId);
  }
}
