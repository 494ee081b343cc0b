import { LRUCache } from 'lru-cache';
import { yieldIfDue } from '../../lib/slices.ts';
import { type Certificate, type CrlInfo, CrlSignatureCheck, type SignatureRules } from '../../x509/index.ts';
import type { Revocation } from './entry-arena.ts';
import { inPieces } from './pieces.ts';
import type { ReadList } from './read-list.ts';
import type { RevokedSerials } from './revoked-serials.ts';

/** Maximum clock skew between a CA and this machine, milliseconds. */
const CLOCK_SKEW = 5 * 60_000;
/**
 * Maximum number of cached results for one CRL. There is usually one issuer; two after a CA changes its key.
 * @limit cached signature checks of one CRL, issuers -> the signature is verified again
 */
const MAX_ISSUERS = 32;

interface SignatureCheck {
  readonly issuer: Certificate;
  readonly fault: Promise<string | undefined>;
}

/** An immutable CRL in memory: its metadata, its serial numbers, and its issuer. */
export class RevocationList {
  readonly info: CrlInfo;
  readonly serials: RevokedSerials;
  readonly #content: () => AsyncIterable<Uint8Array>;
  readonly #rules: SignatureRules;
  readonly #checks = new LRUCache<string, SignatureCheck>({ max: MAX_ISSUERS });

  /** @param content returns the DER of the CRL again, to verify its signature with a new key */
  constructor({ info, serials }: ReadList, content: () => AsyncIterable<Uint8Array>, rules: SignatureRules) {
    this.info = info;
    this.serials = serials;
    this.#content = content;
    this.#rules = rules;
  }

  /** Returns whether the issuer of the CRL is the CA with this name and key. This is not a check of the signature. */
  isIssuedInNameOf(issuer: Certificate): boolean {
    const { info } = this;
    return info.issuer.key === issuer.subject.key && sameKey(info.authorityKeyId, issuer.subjectKeyId);
  }

  /** Returns whether the issuer of the CRL is the CA that issued this certificate. */
  isIssuedInNameOfIssuerOf(certificate: Certificate): boolean {
    const { info } = this;
    return info.issuer.key === certificate.issuer.key && sameKey(info.authorityKeyId, certificate.authorityKeyId);
  }

  /**
   * Returns the entry of a certificate; undefined if there is none, or the CRL does not cover this kind of certificate.
   */
  revocationOf(certificate: Certificate): Revocation | undefined {
    const { scope } = this.info;
    if (scope !== 'all' && (scope === 'authorities') !== certificate.isCa) return undefined;
    return this.serials.find(certificate.serialBytes);
  }

  /** Returns whether the CRL is neither from the future nor overdue. A CRL without a next update is never overdue. */
  isCurrent(now: number): boolean {
    const { thisUpdate, nextUpdate } = this.info;
    return thisUpdate <= now + CLOCK_SKEW && (nextUpdate === undefined || now <= nextUpdate);
  }

  /**
   * Verifies the signature with the key of an issuer, once for each issuer and without blocking the event loop. Returns
   * the fault, or undefined if the signature is valid.
   */
  signatureFault(issuer: Certificate): Promise<string | undefined> {
    const known = this.#checks.get(issuer.fingerprint);
    if (known) return known.fault;
    const fault = this.#checkSignature(issuer);
    this.#checks.set(issuer.fingerprint, { issuer, fault });
    // An error while reading the content is not cached, because the next read may succeed.
    fault.catch(() => this.#checks.delete(issuer.fingerprint));
    return fault;
  }

  /** Issuers that the signature was verified with. The next version of this CRL will be verified with them too. */
  get checkedIssuers(): readonly Certificate[] {
    return [...this.#checks.values()].map(({ issuer }) => issuer);
  }

  async #checkSignature(issuer: Certificate): Promise<string | undefined> {
    const check = new CrlSignatureCheck(this.info, issuer, this.#rules);
    let bytes = 0;
    for await (const piece of inPieces(this.#content())) {
      check.update(piece);
      bytes += piece.length;
      await yieldIfDue();
    }
    if (bytes !== this.info.bytes) throw new Error('the stored content of a CRL is missing');
    return check.end();
  }
}

/**
 * Returns whether two key identifiers may belong to the same key. Without both identifiers the keys cannot be
 * distinguished.
 */
function sameKey(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
