import type { BackgroundTask } from '../../lib/background/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { createOcspClient, type OcspClient } from '../../revocation/ocsp-client.ts';
import type { Database } from '../../storage/index.ts';
import type { IdentityService } from '../identity/index.ts';
import { type Login, type LoginCall, Logins } from '../method/index.ts';
import type { Mount } from '../model/mount.ts';
import type { Token, TokenCertificate } from '../model/token.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import type { Method } from '../mounts/index.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import type { RenewedToken, TokenService } from '../tokens/index.ts';
import { authenticatedLogin } from './authenticated-login.ts';
import { CertificateAuthenticator, REFUSED } from './authentication/certificate-authenticator.ts';
import { combineChecks, ocspChecks } from './authentication/revocation-checks.ts';
import { removeBatchOfMount } from './cleanup.ts';
import { Crls, crlOperations } from './crl/index.ts';
import { Explainer } from './explain/explainer.ts';
import { IntermediateStore, MAX_KEPT_INTERMEDIATES } from './intermediate/intermediate-store.ts';
import { IntermediateSweep } from './intermediate/intermediate-sweep.ts';
import { ProvenIntermediates } from './intermediate/proven-intermediates.ts';
import { loginOperations } from './login-operations.ts';
import { certRoleStore } from './role/cert-role-store.ts';
import { configOperations } from './role/config-operations.ts';
import type { AnchorExpiries } from './role/role-anchors.ts';
import { firstCertificates } from './role/role-index.ts';
import { roleOperations } from './role/role-operations.ts';
import { RoleRegistry } from './role/role-registry.ts';
import { RoleService } from './role/role-service.ts';
import { INITIAL_CONFIG } from './settings/cert-config.ts';
import type { RoleSettings } from './settings/role-settings.ts';

export interface CertMethodDependencies {
  readonly mountId: string;
  readonly limits: TtlLimits;
  readonly allowSha1: boolean;
  readonly database: Database;
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'forLogin' | 'foreseeLogin'>;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Called for errors in the background. */
  readonly report: (error: unknown) => void;
}

/** The cert auth method at one mount (spec §4). */
export class CertMethod implements Method {
  readonly operations: readonly Operation[];
  readonly roles: RoleService;
  readonly crls: Crls;
  readonly ocsp: OcspClient;
  readonly explainer: Explainer;
  readonly #authenticator: CertificateAuthenticator;
  readonly #sweep: IntermediateSweep;
  readonly #registry: RoleRegistry;
  readonly #logins: Logins;
  readonly #database: Database;
  readonly #mountId: string;
  readonly #clock: Clock;

  constructor({
    mountId,
    limits,
    allowSha1,
    database,
    tokens,
    identities,
    fetch,
    clock,
    report,
  }: CertMethodDependencies) {
    const store = certRoleStore(database, mountId);
    this.ocsp = createOcspClient({ fetch, clock, cacheSize: INITIAL_CONFIG.ocsp_cache_size });
    const registry = new RoleRegistry(store, ({ ocsp_cache_size: size }) => this.ocsp.resize(size), report);
    const authorities = async () => (await registry.current()).anchors;
    this.crls = new Crls({
      database,
      mountId,
      fetch,
      authorities,
      trusted: async (most) => firstCertificates((await registry.current()).byName.values(), most),
      allowSha1,
      clock,
      report,
    });
    const revocation = combineChecks(this.crls, ocspChecks(this.ocsp));
    this.roles = new RoleService(store, limits, clock, this.crls);
    const kept = new IntermediateStore(database, mountId, MAX_KEPT_INTERMEDIATES);
    const proven = new ProvenIntermediates({ store: kept, clock, report });
    this.#sweep = new IntermediateSweep({ intermediates: proven, version: () => kept.version(), authorities, report });
    const authenticator = { registry, revocation, allowSha1, clock, proven };
    this.#authenticator = new CertificateAuthenticator(authenticator);
    this.#registry = registry;
    this.#logins = new Logins({
      tokens,
      identities,
      limits,
      refused: REFUSED,
      finding: (verdict) => ({ verdicts: [verdict] }),
    });
    this.explainer = new Explainer({ authenticator, logins: this.#logins, authenticatedLogin });
    this.#database = database;
    this.#mountId = mountId;
    this.#clock = clock;
    this.operations = [
      ...roleOperations(this.roles),
      ...configOperations(this.roles),
      ...loginOperations(this),
      ...crlOperations(this.crls.service, clock),
    ];
  }

  /**
   * Logs in the client of a connection, with the role that it names or any role that accepts its certificate.
   * @param roleName as the client wrote it; empty for any role
   * @throws AppError bad-request with one message for every reason
   */
  login(roleName: string, call: OpenCall): Promise<Login> {
    return this.#logins.login(call, async (asked) =>
      authenticatedLogin(await this.#authenticator.authenticate(roleName, asked)),
    );
  }

  /**
   * Renews a token (spec §4, login rule 7). The connection's certificate is verified again with the role of the
   * login, and must be byte for byte the one of the login.
   * @throws AppError bad-request
   */
  async renew(
    token: Token,
    mount: Mount,
    call: Pick<OpenCall, 'peer' | 'event'>,
    increment: number,
  ): Promise<RenewedToken> {
    if (!token.certificate) throw new AppError('bad-request', 'lease is not renewable');
    const settings = await this.#settingsForRenewal(token.certificate, { ...call, mount });
    return this.#logins.renew(token, settings, mount, increment);
  }

  /**
   * Returns the expiry of the certificates of its roles.
   * @param soon milliseconds from now
   */
  caExpiries(soon: number): Promise<AnchorExpiries> {
    return this.#registry.caExpiries(this.#clock(), soon);
  }

  get tasks(): readonly BackgroundTask[] {
    return [...this.crls.refresher.tasks, ...this.#sweep.tasks];
  }

  start(): void {
    void this.crls.refresher.start();
    this.#sweep.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.crls.refresher.stop(), this.#sweep.stop()]);
  }

  removeBatch(): Promise<boolean> {
    return removeBatchOfMount(this.#database, this.#mountId);
  }

  /** Returns the current settings of the role. Verifies the presented certificate again, unless binding is disabled. */
  async #settingsForRenewal({ role: name, fingerprint }: TokenCertificate, request: LoginCall): Promise<RoleSettings> {
    const { config, byName } = await this.#registry.current(request.mount.version);
    if (config.disable_binding) {
      const entry = byName.get(name);
      const role = entry && (await this.#registry.load(entry));
      if (!role) throw new AppError('bad-request', REFUSED);
      return role.settings;
    }
    const { role, leaf } = await this.#authenticator.authenticate(name, request);
    if (leaf.fingerprint !== fingerprint) {
      const text = 'client identity during renewal not matching client identity used during login';
      throw new AppError('bad-request', text);
    }
    return role.settings;
  }
}
