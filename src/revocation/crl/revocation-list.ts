import { LRUCache } from 'lru-cache';
import { yieldIfDue } from '../../lib/slices.ts';
import { type Certificate, type CrlInfo, CrlSignatureCheck, type SignatureRules } from '../../x509/index.ts';
import type { Revocation } from './entry-arena.ts';
import { inPieces } from './pieces.ts';
import type { ReadList } from './read-list.ts';
import type { RevokedSerials } from './revoked-serials.ts';

/** How far the clocks of an authority and of this machine may be apart. Milliseconds. */
const CLOCK_SKEW = 5 * 60_000;
/**
 * Issuers of one list whose outcome is kept. There is one; after a change of keys, two.
 * @limit issuers of one list whose outcome is kept, issuers -> the signature is checked again
 */
const MAX_ISSUERS = 32;

interface SignatureCheck {
  readonly issuer: Certificate;
  readonly fault: Promise<string | undefined>;
}

/** One list in memory: what it says of itself, who is on it, and whose it is. Never changes. */
export class RevocationList {
  readonly info: CrlInfo;
  readonly serials: RevokedSerials;
  readonly #content: () => AsyncIterable<Uint8Array>;
  readonly #rules: SignatureRules;
  readonly #checks = new LRUCache<string, SignatureCheck>({ max: MAX_ISSUERS });

  /** @param content the DER of the list once more, for checking its signature with a key not seen before */
  constructor({ info, serials }: ReadList, content: () => AsyncIterable<Uint8Array>, rules: SignatureRules) {
    this.info = info;
    this.serials = serials;
    this.#content = content;
    this.#rules = rules;
  }

  /** Whether the list says that it is by the authority of this name and key. Says nothing about who signed it. */
  isIssuedInNameOf(issuer: Certificate): boolean {
    const { info } = this;
    return info.issuer.key === issuer.subject.key && sameKey(info.authorityKeyId, issuer.subjectKeyId);
  }

  /** Whether the list says that it is by the authority that issued this certificate. */
  isIssuedInNameOfIssuerOf(certificate: Certificate): boolean {
    const { info } = this;
    return info.issuer.key === certificate.issuer.key && sameKey(info.authorityKeyId, certificate.authorityKeyId);
  }

  /** The entry of a certificate; undefined when there is none, or the list does not speak of certificates of this sort. */
  revocationOf(certificate: Certificate): Revocation | undefined {
    const { scope } = this.info;
    if (scope !== 'all' && (scope === 'authorities') !== certificate.isCa) return undefined;
    return this.serials.find(certificate.serialBytes);
  }

  /** Whether the list is neither from the future nor overdue. One that names no next update never is. */
  isCurrent(now: number): boolean {
    const { thisUpdate, nextUpdate } = this.info;
    return thisUpdate <= now + CLOCK_SKEW && (nextUpdate === undefined || now <= nextUpdate);
  }

  /**
   * What is wrong with the signature, were it by this issuer; undefined when it is by it. Checked once for each issuer, over
   * the whole list, without holding up the event loop.
   */
  signatureFault(issuer: Certificate): Promise<string | undefined> {
    const known = this.#checks.get(issuer.fingerprint);
    if (known) return known.fault;
    const fault = this.#checkSignature(issuer);
    this.#checks.set(issuer.fingerprint, { issuer, fault });
    // What could not be read may be read the next time.
    fault.catch(() => this.#checks.delete(issuer.fingerprint));
    return fault;
  }

  /** Those that the signature was checked for: whoever follows this list will be asked about them too. */
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
    if (bytes !== this.info.bytes) throw new Error('the content of a revocation list is not there any more');
    return check.end();
  }
}

/** Key identifiers tell keys of one name apart; where one is missing there is nothing to tell. */
function sameKey(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
