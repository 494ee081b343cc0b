import { AppError } from '../../../lib/errors.ts';
import type { Peer } from '../../../lib/request.ts';
import { runInSlices } from '../../../lib/slices.ts';
import { Certificate, ParseError } from '../../../x509/index.ts';
import { type AuthenticatedLogin, type LoginCall, type Logins, UNNOTED } from '../../method/index.ts';
import {
  type AuthenticatedCertificate,
  CertificateAuthenticator,
  type CertificateAuthenticatorOptions,
  UNKNOWN_ROLE,
} from '../authentication/certificate-authenticator.ts';
import { readableCertificates } from '../intermediate/readable-certificates.ts';
import type { RoleEntry } from '../role/role-index.ts';
import type { LoadedRole, RoleRegistry } from '../role/role-registry.ts';
import { aliasName } from '../settings/alias-source.ts';
import { describeCertificate, explainRoles, readChain, withHint } from './explain-roles.ts';
import { presenting, withoutEffects } from './without-effects.ts';

/** A login that is checked but not performed. */
export interface ExplainRequest {
  /** Role name. Empty: all roles. */
  readonly name: string;
  /** PEM, leaf first. Empty: the certificates of this connection. */
  readonly certificate: string;
  /** IP address of the login. Empty: the address of this connection. */
  readonly address: string;
}

/**
 * Maximum number of explained roles.
 * @limit roles in one explanation of a login, roles -> the others are counted in roles_left_out
 */
const MAX_ROLES = 100;

interface ExplainerParts {
  readonly authenticator: CertificateAuthenticatorOptions;
  readonly logins: Pick<Logins, 'previewLogin' | 'refusal'>;
  /** Returns the login of a certificate that a role accepts. */
  readonly authenticatedLogin: (admitted: AuthenticatedCertificate) => AuthenticatedLogin;
}

/**
 * Explains why a login would succeed or fail. The result comes from the login code itself, without its side effects;
 * the details list all roles, paths and checks.
 */
export class Explainer {
  readonly #parts: ExplainerParts;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
  }

  async explain(request: ExplainRequest, { peer, mount }: LoginCall): Promise<Record<string, unknown>> {
    const { name, certificate, address } = request;
    const ders = certificate === '' ? presentedBy(peer) : await runInSlices(readChain(certificate));
    const leaf = readLeaf(ders);
    const { logins, authenticatedLogin } = this.#parts;
    const options = withoutEffects(this.#parts.authenticator);
    const presented = presenting(ders, address || peer.address);
    const authenticator = new CertificateAuthenticator(options);
    const foreseen = await logins.previewLogin({ peer: presented, mount, event: UNNOTED }, async (asked) =>
      authenticatedLogin(await authenticator.authenticate(name, asked)),
    );
    const { registry, revocation, allowSha1, clock, proven } = options;
    const { byName, config, version } = await registry.current(mount.version);
    const names = name === '' ? await registry.firstNames(MAX_ROLES) : [name.toLowerCase()];
    const entries = names.map((one) => byName.get(one)).filter((role) => role !== undefined);
    const chain = [leaf, ...readableCertificates(presented.intermediates() ?? [])];
    const roles = await explainRoles([...chain, ...proven.above(chain)], await loadAll(registry, entries), {
      address: presented.address,
      revocation,
      config,
      mountVersion: version,
      allowSha1,
      now: clock(),
      refusal: async (role, { certificates: [, issuer = leaf] }) =>
        (await logins.refusal(authenticatedLogin({ role, leaf, issuer, config, mount }), presented.address))?.verdict,
    });
    return {
      certificates: [leaf, ...readableCertificates(ders.slice(1))].map(describeCertificate),
      alias_name: aliasName(leaf, config.alias_source),
      admitted: foreseen.admitted !== undefined,
      role: foreseen.admitted?.certificate?.role ?? null,
      error: foreseen.refused?.message ?? null,
      verdicts: name !== '' && entries.length === 0 ? [withHint(UNKNOWN_ROLE)] : [],
      roles,
      roles_left_out: name === '' ? Math.max(0, byName.size - MAX_ROLES) : 0,
    };
  }
}

/** @throws AppError bad-request if the connection has no client certificate */
function presentedBy(peer: Peer): readonly Uint8Array[] {
  const leaf = peer.leaf();
  if (!leaf) throw new AppError('bad-request', 'certificate: missing, and this connection has no client certificate');
  return [leaf, ...(peer.intermediates() ?? [])];
}

/** @throws AppError bad-request for a leaf that cannot be parsed: no role can accept it */
function readLeaf([der]: readonly Uint8Array[]): Certificate {
  try {
    return Certificate.parse(der ?? new Uint8Array());
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new AppError(
      'bad-request',
      `certificate: the first one cannot be parsed, so no login can use it: ${error.message}`,
    );
  }
}

async function loadAll(
  registry: RoleRegistry,
  entries: readonly RoleEntry[],
): Promise<(readonly [RoleEntry, LoadedRole])[]> {
  const pairs = await Promise.all(entries.map(async (entry) => [entry, await registry.load(entry)] as const));
  return pairs.filter((pair): pair is [RoleEntry, LoadedRole] => pair[1] !== undefined);
}
