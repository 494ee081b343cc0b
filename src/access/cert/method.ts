import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Peer } from '../../lib/request.ts';
import type { Database } from '../../storage/index.ts';
import type { Certificate } from '../../x509/index.ts';
import type { Mount } from '../mounts/mount.ts';
import { normalizePolicies, tokenPolicies } from '../policies/names.ts';
import type { Token, TokenCertificate } from '../tokens/token.ts';
import type { IssuedToken, RenewedToken, TokenService } from '../tokens/token-service.ts';
import type { TtlLimits, TtlTerms } from '../tokens/ttl.ts';
import { describeCertificate, explainRoles, MAX_EXPLAINED_ROLES, readChain } from './explain.ts';
import { certificateMetadata, tokenCertificate } from './identity.ts';
import { IntermediateCache } from './intermediates.ts';
import type { RevocationChecks } from './revocation.ts';
import type { RoleSettings } from './role-fields.ts';
import { anchorsOfRoles, type LoadedRole, type RoleEntry, RoleRegistry } from './role-registry.ts';
import { RoleService } from './role-service.ts';
import { RoleStore } from './role-store.ts';
import { readableCertificates, type Verification, verify } from './verify.ts';

/** The one text of every refused login, whatever the reason. */
const REFUSED = 'failed to match all constraints for this login certificate';

type Request = Pick<FastifyRequest, 'peer' | 'event'>;

export interface CertMethodDependencies {
  readonly mount: Mount;
  readonly limits: TtlLimits;
  readonly database: Database;
  readonly tokens: TokenService;
  readonly revocation: RevocationChecks;
  readonly clock: Clock;
}

/** What an administrator asks about a login that is not made. */
export interface ExplainRequest {
  /** Empty: every role. */
  readonly name: string;
  /** PEM, the leaf first; empty: what this connection presents. */
  readonly certificate: string;
  /** Where the login would come from; empty: the address of this connection. */
  readonly address: string;
}

/** The certificate method at one mount. */
export class CertMethod {
  readonly mount: Mount;
  readonly roles: RoleService;
  readonly #limits: TtlLimits;
  readonly #registry: RoleRegistry;
  readonly #remembered = new IntermediateCache();
  readonly #tokens: TokenService;
  readonly #revocation: RevocationChecks;
  readonly #clock: Clock;

  constructor({ mount, limits, database, tokens, revocation, clock }: CertMethodDependencies) {
    const store = new RoleStore(database, mount.id);
    this.mount = mount;
    this.roles = new RoleService(store, limits, clock);
    this.#limits = limits;
    this.#registry = new RoleRegistry(store);
    this.#tokens = tokens;
    this.#revocation = revocation;
    this.#clock = clock;
  }

  /**
   * Lets the machine at the other end of the connection in, by the role it names or by any that admits it.
   * @param roleName as the caller wrote it; empty for any role
   * @throws AppError bad-request with one text for every reason
   */
  async login(roleName: string, request: Request): Promise<IssuedToken> {
    const { role, leaf } = await this.#admit(roleName, request);
    const { settings } = role;
    const issued = await this.#tokens.issue(
      {
        type: settings.token_type === 'batch' ? 'batch' : 'service',
        path: `auth/${this.mount.path}/login`,
        displayName: displayName(this.mount.path, settings.display_name),
        policies: tokenPolicies(settings.token_policies, settings.token_no_default_policy),
        metadata: certificateMetadata(role.name, settings, leaf),
        boundCidrs: settings.token_bound_cidrs,
        mountId: this.mount.id,
        certificate: tokenCertificate(role.name, leaf),
        terms: termsOf(settings),
        numUses: settings.token_num_uses,
      },
      this.#limits,
    );
    request.event.add({ login_accessor: issued.token.accessor });
    return issued;
  }

  /**
   * Spec §4, login rule 7: the certificate of this connection is verified again, against the role of the login, and must be
   * the one of the login byte for byte. The role's terms are those of today; when its policies have changed, the token is
   * not what the role would give any more.
   * @throws AppError bad-request
   */
  async renew(token: Token, request: Request, increment: number): Promise<RenewedToken> {
    const { certificate } = token;
    if (!certificate) throw new AppError('bad-request', 'lease is not renewable');
    const settings = await this.#settingsForRenewal(certificate, request);
    if (!samePolicies(settings.token_policies, token.policies)) {
      throw new AppError('bad-request', 'policies have changed, not renewing');
    }
    const terms = { ...termsOf(settings), explicitMaxTtl: token.explicitMaxTtl };
    return this.#tokens.renew(token, terms, this.#limits, increment);
  }

  /** Why a login would succeed or fail, role by role, path by path, check by check. Issues nothing. */
  async explain({ name, certificate, address }: ExplainRequest, { peer }: Request): Promise<Record<string, unknown>> {
    const chain = certificate === '' ? presentedChain(peer) : readChain(certificate);
    const { byName } = await this.#registry.current();
    const entries = [...byName.values()].filter((role) => name === '' || role.name === name.toLowerCase());
    const explained = await explainRoles(
      chain,
      await this.#loadAll(entries.slice(0, MAX_EXPLAINED_ROLES)),
      address || peer.address,
      this.#revocation,
      this.#clock(),
    );
    return {
      certificates: chain.map(describeCertificate),
      admitted: explained.some(({ admitted }) => admitted),
      roles: explained,
      roles_left_out: Math.max(0, entries.length - MAX_EXPLAINED_ROLES),
    };
  }

  /** The role as it is now, to which the presented certificate was verified again unless binding is disabled. */
  async #settingsForRenewal({ role: name, fingerprint }: TokenCertificate, request: Request): Promise<RoleSettings> {
    const { config, byName } = await this.#registry.current();
    if (config.disable_binding) {
      const entry = byName.get(name);
      const role = entry && (await this.#registry.load(entry));
      if (!role) throw new AppError('bad-request', REFUSED);
      return role.settings;
    }
    const { role, leaf } = await this.#admit(name, request);
    if (leaf.fingerprint !== fingerprint) {
      throw new AppError(
        'bad-request',
        'client identity during renewal not matching client identity used during login',
      );
    }
    return role.settings;
  }

  async #admit(roleName: string, request: Request): Promise<{ role: LoadedRole; leaf: Certificate }> {
    if (!request.peer.tls) throw new AppError('bad-request', 'tls connection required');
    if (!request.peer.leaf()) throw new AppError('bad-request', 'client certificate must be supplied');
    const verification = await this.#verify(roleName, request.peer);
    note(request, verification);
    const { role, leaf } = verification;
    if (!role || !leaf) throw new AppError('bad-request', REFUSED);
    return { role, leaf };
  }

  /** Once more when a role was written meanwhile; a refusal in the end is as good as one a moment later. */
  async #verify(roleName: string, peer: Peer): Promise<Verification> {
    const attempt = async () =>
      verify(peer, {
        anchors: await this.#anchors(roleName),
        load: (entry) => this.#registry.load(entry),
        remembered: this.#remembered,
        revocation: this.#revocation,
        now: this.#clock(),
      });
    const verification = await attempt();
    return verification.stale && !verification.role ? attempt() : verification;
  }

  async #loadAll(entries: readonly RoleEntry[]): Promise<(readonly [RoleEntry, LoadedRole])[]> {
    const loaded = await Promise.all(entries.map(async (entry) => [entry, await this.#registry.load(entry)] as const));
    return loaded.filter((pair): pair is [RoleEntry, LoadedRole] => pair[1] !== undefined);
  }

  async #anchors(roleName: string) {
    const snapshot = await this.#registry.current();
    if (roleName === '') return snapshot.anchors;
    const role = snapshot.byName.get(roleName.toLowerCase());
    return anchorsOfRoles(role ? [role] : []);
  }
}

function presentedChain(peer: Peer): Certificate[] {
  const leaf = peer.leaf();
  if (!leaf) throw new AppError('bad-request', 'certificate: missing, and this connection presents none');
  return readableCertificates([leaf, ...(peer.intermediates() ?? [])]);
}

/** The one line of the request says whose certificate it was, and why a login was refused. */
function note({ event }: Request, { leaf, role, findings }: Verification): void {
  if (leaf) event.add({ actor_subject: leaf.subject.toString(), actor_serial: String(leaf.serialNumber) });
  if (role) event.add({ role: role.name });
  else event.add({ verdicts: findings });
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
