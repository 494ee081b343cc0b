import type { Token, TokenCertificate } from '../model/token.ts';
import type { MountTable } from '../mounts/index.ts';
import type { TokenService, Unstored } from '../tokens/index.ts';

/** A certificate login, as the workspace API uses it. */
export interface CertificateLogin {
  /** Path of the mount, such as `cert`. */
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  /** Subject of the certificate (RFC 4514). */
  readonly subject: string;
  /** Serial number of the certificate, decimal. */
  readonly serialNumber: string;
  /** SHA-256 of the DER, in hex. Empty if it is no longer known. */
  readonly fingerprint: string;
  readonly accessor: string;
  /** Expiry, milliseconds since 1970. */
  readonly expiresAt: number;
  /** Identifies the login without its token, for `standing`. Letters, digits, `-` and `_`. */
  readonly reference: string;
}

/** Properties of a token from a login. */
type Login = Unstored &
  Pick<Token, 'type' | 'id' | 'accessor'> & {
    readonly certificate: Pick<
      TokenCertificate,
      'role' | 'commonName' | 'subject' | 'serialNumber' | 'fingerprint'
    > | null;
  };

/** Tells the workspace API which certificate is behind a token, and later whether that login is still valid. */
export class CertificateLogins {
  readonly #tokens: TokenService;
  readonly #table: MountTable;

  constructor(tokens: TokenService, table: MountTable) {
    this.#tokens = tokens;
    this.#table = table;
  }

  /** Returns the certificate login of a live token, or undefined. Counts as a use of a token with limited uses. */
  async loginOfToken(text: string, address: string): Promise<CertificateLogin | undefined> {
    const live = await this.#tokens.authenticate(text, address);
    return live && this.#shown(live.token);
  }

  /**
   * Returns the login of a reference. Returns undefined if its token was revoked or expired too long ago
   * (LINK_GRACE_MS), or if its mount or entity is deleted or disabled. Does not count as a use.
   * @param reference from the login; the caller must have protected it against changes
   */
  async loginByReference(reference: string, address: string): Promise<CertificateLogin | undefined> {
    const rest = reference.slice(1);
    const login: Login | undefined = reference.startsWith(BATCH)
      ? await this.#tokens.recallUnstored(batchLogin(rest), address)
      : await this.#tokens.recall(rest, address);
    return login && this.#shown(login);
  }

  async #shown(login: Login): Promise<CertificateLogin | undefined> {
    const { certificate, accessor, expiresAt, mountId } = login;
    if (!certificate || expiresAt === null || mountId === null) return undefined;
    const mount = await this.#table.byId(mountId);
    if (!mount) return undefined;
    const { role, commonName, subject, serialNumber, fingerprint } = certificate;
    const reference = login.type === 'batch' ? BATCH + batchFacts(login, certificate) : SERVICE + login.id;
    const named = { role, commonName, subject, serialNumber, fingerprint };
    return { mount: mount.path, ...named, accessor, expiresAt, reference };
  }
}

/**
 * A reference contains the public id of a service token. A batch token is not stored, so its reference contains the
 * necessary data.
 */
const SERVICE = 's';
const BATCH = 'b';

type Facts = [Token['mountId'], Token['entityId'], number, number | null, Token['boundCidrs'], string, string, string];

function batchFacts(login: Login, { role, commonName, fingerprint }: NonNullable<Login['certificate']>): string {
  const { mountId, entityId, createdAt, expiresAt, boundCidrs } = login;
  const facts: Facts = [mountId, entityId, createdAt, expiresAt, boundCidrs, role, commonName, fingerprint];
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

/** Restores the login of a batch token. It has no parent; its subject and serial number are not needed. */
function batchLogin(text: string): Login {
  const facts = JSON.parse(Buffer.from(text, 'base64url').toString()) as Facts;
  // References from older releases have no fingerprint.
  const [mountId, entityId, createdAt, expiresAt, boundCidrs, role, commonName, fingerprint = ''] = facts;
  const certificate = { role, commonName, fingerprint, subject: '', serialNumber: '' };
  const named = { type: 'batch', id: '', accessor: '', certificate } as const;
  return { ...named, mountId, entityId, parentId: null, createdAt, expiresAt, boundCidrs };
}
