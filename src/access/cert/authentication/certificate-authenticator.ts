import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Certificate } from '../../../x509/index.ts';
import type { LoginCall, Verdict } from '../../method/index.ts';
import type { Mount } from '../../model/mount.ts';
import { anchorsOfRoles } from '../role/role-index.ts';
import type { LoadedRole, RoleRegistry, RoleSnapshot } from '../role/role-registry.ts';
import type { CertConfig } from '../settings/cert-config.ts';
import { CLIENT_AUTH } from '../settings/key-purposes.ts';
import { KnownLeaves } from './known-leaves.ts';
import type { RevocationChecks } from './revocation-checks.ts';
import { type IntermediateCache, subjectOf, type Verification, type VerifyContext, verifyPeer } from './verify-peer.ts';

/** Error message of every refused login. It is the same for all reasons, so that it reveals none. */
export const REFUSED = 'failed to match all constraints for this login certificate';

/** Verdict for a login with an unknown role. */
export const UNKNOWN_ROLE: Verdict = {
  check: 'role',
  outcome: 'refused',
  expected: 'the name of a role of this mount',
  actual: 'another name',
};

export interface CertificateAuthenticatorOptions {
  readonly registry: RoleRegistry;
  readonly revocation: RevocationChecks;
  /** Accepts SHA-1 signatures (spec §9). A workaround that an operator can enable; off by default. */
  readonly allowSha1: boolean;
  readonly clock: Clock;
  /** Cache of intermediates from earlier logins at the mount. */
  readonly proven: IntermediateCache;
}

/** A certificate that a role accepts. */
export interface AuthenticatedCertificate {
  readonly role: LoadedRole;
  readonly leaf: Certificate;
  /** The certificate whose key signed the leaf. The leaf itself if the role contains it. */
  readonly issuer: Certificate;
  readonly config: CertConfig;
  /** The mount as read when the certificate was evaluated. */
  readonly mount: Mount;
}

interface Attempt {
  readonly config: CertConfig;
  readonly mount: Mount;
  readonly verification: Verification;
}

/** Decides whether the client certificate of a connection may log in. */
export class CertificateAuthenticator {
  readonly #options: CertificateAuthenticatorOptions;
  readonly #leaves = new KnownLeaves();

  constructor(options: CertificateAuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * Finds a role that accepts the certificate.
   * @param roleName in any case; empty for any role
   * @throws AppError bad-request with one message for every reason; the reasons are in the request's log entry
   */
  async authenticate(roleName: string, request: LoginCall): Promise<AuthenticatedCertificate> {
    if (!request.peer.tls) throw new AppError('bad-request', 'tls connection required');
    if (!request.peer.leaf()) throw new AppError('bad-request', 'client certificate must be supplied');
    const { config, mount, verification } = await this.#verify(roleName, request);
    note(request, verification);
    const { role, leaf, issuer } = verification;
    if (!role || !leaf || !issuer) throw new AppError('bad-request', REFUSED);
    request.peer.admitted();
    return { role, leaf, issuer, config, mount };
  }

  /**
   * Tries again if a role was written meanwhile or this node did not know it. A second refusal is final: a request
   * that arrives later may succeed.
   */
  async #verify(roleName: string, { peer, mount, latestMount }: LoginCall): Promise<Attempt> {
    const first = await this.#attempt(roleName, { peer, mount }, mount.version);
    const { stale, role } = first.verification;
    if (role) return first;
    const latest = (await latestMount?.()) ?? mount;
    const isKnown = latest.version === mount.version && latest.intermediates === mount.intermediates;
    return isKnown && !stale ? first : this.#attempt(roleName, { peer, mount: latest });
  }

  async #attempt(
    roleName: string,
    { peer, mount }: Pick<LoginCall, 'peer' | 'mount'>,
    knownVersion?: number,
  ): Promise<Attempt> {
    const { registry, revocation, allowSha1, clock, proven } = this.#options;
    const snapshot = await registry.current(knownVersion);
    await proven.current(mount.intermediates);
    const verification = await verifyPeer(peer, {
      ...candidates(snapshot, roleName),
      load: (entry) => registry.load(entry),
      leaves: this.#leaves,
      proven,
      revocation,
      mountVersion: snapshot.version,
      allowSha1,
      now: clock(),
    });
    const isKnown = roleName === '' || snapshot.byName.has(roleName.toLowerCase());
    const findings = isKnown ? verification.findings : [{ verdicts: [UNKNOWN_ROLE] }];
    return { config: snapshot.config, mount, verification: { ...verification, findings } };
  }
}

/** Returns the anchors and key purposes of the roles that may accept a login. */
function candidates(
  { anchors, purposes, byName }: RoleSnapshot,
  roleName: string,
): Pick<VerifyContext, 'anchors' | 'purposes'> {
  if (roleName === '') return { anchors, purposes };
  const role = byName.get(roleName.toLowerCase());
  return role
    ? { anchors: anchorsOfRoles([role]), purposes: role.purposes }
    : { anchors: anchorsOfRoles([]), purposes: CLIENT_AUTH };
}

/** Adds the certificate, and the reasons of a refusal, to the request's log entry. */
function note({ event }: LoginCall, { leaf, role, findings }: Verification): void {
  if (leaf) event.add({ actor_subject: subjectOf(leaf), actor_serial: String(leaf.serialNumber) });
  if (role) event.add({ role: role.name });
  else event.add({ role: undefined, verdicts: findings });
}
