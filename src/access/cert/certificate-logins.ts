import type { Token, TokenCertificate } from '../model/token.ts';
import type { MountTable } from '../mounts/index.ts';
import type { TokenService, Unstored } from '../tokens/index.ts';

/** A login by certificate, as others may rely on it. */
export interface CertificateLogin {
  /** The path of the mount: `cert`. */
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  /** RFC 4514 */
  readonly subject: string;
  /** Decimal. */
  readonly serialNumber: string;
  /** SHA-256 of the whole DER, in hex; empty where it is not known any more. */
  readonly fingerprint: string;
  readonly accessor: string;
  /** Milliseconds. */
  readonly expiresAt: number;
  /** Names the login without being its token, for `certificateStanding`: letters, digits, `-` and `_`. */
  readonly reference: string;
}

/** What is told of a token that came of a login. */
type Login = Unstored &
  Pick<Token, 'type' | 'id' | 'accessor'> & {
    readonly certificate: Pick<
      TokenCertificate,
      'role' | 'commonName' | 'subject' | 'serialNumber' | 'fingerprint'
    > | null;
  };

/** What others learn of logins by certificate: whose a token is, and later on whether that still holds. */
export class CertificateLogins {
  readonly #tokens: TokenService;
  readonly #table: MountTable;

  constructor(tokens: TokenService, table: MountTable) {
    this.#tokens = tokens;
    this.#table = table;
  }

  /** The certificate behind a live token of ours; undefined for any other text. Where uses are counted, this is one. */
  async loginOfToken(text: string, address: string): Promise<CertificateLogin | undefined> {
    const live = await this.#tokens.authenticate(text, address);
    return live && this.#shown(live.token);
  }

  /**
   * The login that a reference names, unless its token was revoked or ended by itself too long ago (LINK_GRACE_MS), or its mount
   * or its entity is no more, or not to be used. No use is counted.
   * @param reference as it was given with the login: whoever kept it has seen to it that nobody changed it
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

/** A service token is named by its public id; a batch token is stored nowhere, so what has to be known of it is said. */
const SERVICE = 's';
const BATCH = 'b';

type Facts = [Token['mountId'], Token['entityId'], number, number | null, Token['boundCidrs'], string, string, string];

function batchFacts(login: Login, { role, commonName, fingerprint }: NonNullable<Login['certificate']>): string {
  const { mountId, entityId, createdAt, expiresAt, boundCidrs } = login;
  const facts: Facts = [mountId, entityId, createdAt, expiresAt, boundCidrs, role, commonName, fingerprint];
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

/** A login has no parent; its subject and serial number are not needed again. */
function batchLogin(text: string): Login {
  const facts = JSON.parse(Buffer.from(text, 'base64url').toString()) as Facts;
  // A reference from before there were fingerprints in them has none.
  const [mountId, entityId, createdAt, expiresAt, boundCidrs, role, commonName, fingerprint = ''] = facts;
  const certificate = { role, commonName, fingerprint, subject: '', serialNumber: '' };
  const named = { type: 'batch', id: '', accessor: '', certificate } as const;
  return { ...named, mountId, entityId, parentId: null, createdAt, expiresAt, boundCidrs };
}
