import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { createOcspClient, type OcspClient } from '../../revocation/ocsp-client.ts';
import type { Database } from '../../storage/index.ts';
import { normalizePolicies, tokenPolicies } from '../acl/index.ts';
import type { IdentityService } from '../identity/index.ts';
import type { Mount } from '../model/mount.ts';
import type { Token, TokenCertificate } from '../model/token.ts';
import { limitsAt, type TtlLimits } from '../model/ttl-limits.ts';
import type { Method } from '../mounts/index.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import { blocksFor, type LoginRequest, type RenewedToken, type TokenService, type TtlTerms } from '../tokens/index.ts';
import { Admission, type AdmittedCertificate, type LoginCall, REFUSED } from './admission/admission.ts';
import { inTurn, ocspChecks } from './admission/revocation-checks.ts';
import { Crls, crlOperations } from './crl/index.ts';
import { Explainer } from './explain/explainer.ts';
import { IntermediateStore, MAX_KEPT_INTERMEDIATES } from './intermediate/intermediate-store.ts';
import { IntermediateSweep } from './intermediate/intermediate-sweep.ts';
import { ProvenIntermediates } from './intermediate/proven-intermediates.ts';
import { removeSomeOfMount } from './leftovers.ts';
import { type Login, loginOperations } from './login-operations.ts';
import { configOperations } from './role/config-operations.ts';
import { roleOperations } from './role/role-operations.ts';
import { RoleRegistry } from './role/role-registry.ts';
import { RoleService } from './role/role-service.ts';
import { RoleStore } from './role/role-store.ts';
import { tokenType } from './role/token-type.ts';
import { INITIAL_CONFIG } from './settings/cert-config.ts';
import type { RoleSettings } from './settings/role-settings.ts';
import { certificateMetadata, tokenCertificate } from './token-certificate.ts';

export interface CertMethodDependencies {
  readonly mountId: string;
  readonly limits: TtlLimits;
  readonly allowSha1: boolean;
  readonly database: Database;
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'forLogin'>;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Told of what fails in the background. */
  readonly report: (error: unknown) => void;
}

/** The certificate method at one mount (spec §4). */
export class CertMethod implements Method {
  readonly operations: readonly Operation[];
  readonly roles: RoleService;
  readonly crls: Crls;
  readonly ocsp: OcspClient;
  readonly explainer: Explainer;
  readonly #admission: Admission;
  readonly #sweep: IntermediateSweep;
  readonly #registry: RoleRegistry;
  readonly #tokens: TokenService;
  readonly #limits: TtlLimits;
  readonly #identities: CertMethodDependencies['identities'];
  readonly #database: Database;
  readonly #mountId: string;

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
    const store = new RoleStore(database, mountId);
    this.ocsp = createOcspClient({ fetch, clock, cacheSize: INITIAL_CONFIG.ocsp_cache_size });
    const registry = new RoleRegistry(store, ({ ocsp_cache_size: size }) => this.ocsp.resize(size));
    const authorities = async () => (await registry.current()).anchors;
    this.crls = new Crls({
      database,
      mountId,
      fetch,
      authorities,
      allowSha1,
      clock,
      report,
    });
    const revocation = inTurn(this.crls, ocspChecks(this.ocsp));
    this.roles = new RoleService(store, limits, clock);
    const kept = new IntermediateStore(database, mountId, MAX_KEPT_INTERMEDIATES);
    const proven = new ProvenIntermediates({ store: kept, clock, report });
    this.#sweep = new IntermediateSweep({ intermediates: proven, version: () => kept.version(), authorities, report });
    const admission = { registry, revocation, allowSha1, clock, proven };
    this.explainer = new Explainer(admission);
    this.#admission = new Admission(admission);
    this.#registry = registry;
    this.#tokens = tokens;
    this.#limits = limits;
    this.#identities = identities;
    this.#database = database;
    this.#mountId = mountId;
    this.operations = [
      ...roleOperations(this.roles),
      ...configOperations(this.roles),
      ...loginOperations(this),
      ...crlOperations(this.crls.service, clock),
    ];
  }

  /**
   * Lets the machine at the other end of the connection in, by the role it names or by any that admits it.
   * @param roleName as the caller wrote it; empty for any role
   * @throws AppError bad-request with one text for every reason
   */
  async login(roleName: string, call: OpenCall): Promise<Login> {
    const login = (await this.#loginAsKnown(roleName, call)) ?? (await this.#loginNow(roleName, call));
    call.event.add({ login_accessor: login.issued.token.accessor });
    return login;
  }

  /** Reads nothing that is known: the write of the token makes sure of it, and stores nothing when anything has changed. */
  async #loginAsKnown(roleName: string, call: OpenCall): Promise<Login | undefined> {
    if (!call.latestMount) return undefined;
    const admitted = await this.#admission.admit(roleName, call);
    const { id: mountId, version: mountVersion } = admitted.mount;
    try {
      const { identity, request, limits } = await this.#prepare(admitted, call, true);
      const { identityVersion, identityPolicies } = identity;
      const goneBy = { mountId, mountVersion, identityVersion };
      const issued = await this.#tokens.issueUnchanged(request, limits, goneBy);
      return issued && { issued, identityPolicies };
    } catch (error) {
      // It may be refused for what was so before.
      if ((await call.latestMount()).version === mountVersion) throw error;
      return undefined;
    }
  }

  /** By what is read now, whatever changes meanwhile. */
  async #loginNow(roleName: string, call: OpenCall): Promise<Login> {
    const { latestMount, ...rest } = call;
    const mount = (await latestMount?.()) ?? call.mount;
    const admitted = await this.#admission.admit(roleName, { ...rest, mount });
    const { identity, request, limits } = await this.#prepare(admitted, call, false);
    return { issued: await this.#tokens.issue(request, limits), identityPolicies: identity.identityPolicies };
  }

  /**
   * Spec §4, login rule 7: the certificate of this connection is verified again, against the role of the login, and must be
   * the one of the login byte for byte. The role's terms are those of today; when its policies have changed, the token is
   * not what the role would give any more.
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
    if (!samePolicies(settings.token_policies, token.policies)) {
      throw new AppError('bad-request', 'policies have changed, not renewing');
    }
    const terms = { ...termsOf(settings), explicitMaxTtl: token.explicitMaxTtl };
    return this.#tokens.renew(token, terms, limitsAt(this.#limits, mount.tuning), increment);
  }

  start(): void {
    void this.crls.refresher.start();
    this.#sweep.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.crls.refresher.stop(), this.#sweep.stop()]);
  }

  removeSome(): Promise<boolean> {
    return removeSomeOfMount(this.#database, this.#mountId);
  }

  async #prepare(
    { role: { name, settings }, leaf, issuer, config, mount }: AdmittedCertificate,
    { peer }: Pick<OpenCall, 'peer'>,
    memorySuffices: boolean,
  ) {
    const type = tokenType(settings.token_type, mount.tuning.token_type);
    // It is stored nowhere, so nobody could count.
    if (type === 'batch' && settings.token_num_uses > 0) {
      throw new AppError('bad-request', 'batch tokens cannot have "num_uses" set');
    }
    const metadata = certificateMetadata(name, settings, leaf);
    const certificate = tokenCertificate(name, leaf, config.alias_source);
    const identity = await this.#identities.forLogin({
      mountId: mount.id,
      aliasName: certificate.aliasName,
      issuer: issuer.publicKey.fingerprint,
      metadata: config.enable_identity_alias_metadata ? metadata : undefined,
      memory: { mountVersion: mount.version, suffices: memorySuffices },
    });
    if ('refused' in identity) throw new AppError('bad-request', REFUSED, { context: { identity: identity.refused } });
    const request: LoginRequest = {
      type,
      path: `auth/${mount.path}/login`,
      displayName: displayName(mount.path, settings.display_name),
      policies: tokenPolicies(settings.token_policies, settings.token_no_default_policy),
      metadata,
      boundCidrs: blocksFor(settings, peer.address),
      mountId: mount.id,
      entityId: identity.entityId,
      certificate,
      terms: termsOf(settings),
      numUses: settings.token_num_uses,
    };
    return { identity, request, limits: limitsAt(this.#limits, mount.tuning) };
  }

  /** Of the role as it is now, to which the presented certificate was verified again unless binding is disabled. */
  async #settingsForRenewal({ role: name, fingerprint }: TokenCertificate, request: LoginCall): Promise<RoleSettings> {
    const { config, byName } = await this.#registry.current(request.mount.version);
    if (config.disable_binding) {
      const entry = byName.get(name);
      const role = entry && (await this.#registry.load(entry));
      if (!role) throw new AppError('bad-request', REFUSED);
      return role.settings;
    }
    const { role, leaf } = await this.#admission.admit(name, request);
    if (leaf.fingerprint !== fingerprint) {
      const text = 'client identity during renewal not matching client identity used during login';
      throw new AppError('bad-request', text);
    }
    return role.settings;
  }
}

function termsOf(settings: RoleSettings): TtlTerms {
  return {
    ttl: settings.token_ttl,
    maxTtl: settings.token_max_ttl,
    period: settings.token_period,
    explicitMaxTtl: settings.token_explicit_max_ttl,
  };
}

function samePolicies(ofRole: readonly string[], ofToken: readonly string[]): boolean {
  const compared = (names: readonly string[]) => normalizePolicies(names).filter((name) => name !== 'default');
  return compared(ofRole).join() === compared(ofToken).join();
}

/** `cert-web`: where the token came from, and the role's name for it. */
function displayName(mountPath: string, name: string): string {
  return `${mountPath}-${name}`.replace(/[^\w-]/g, '-');
}
