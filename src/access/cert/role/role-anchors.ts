import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Steps } from '../../../lib/slices.ts';
import { type AnchorCertificate, Certificate } from '../../../x509/index.ts';
import { readStored, type StoredCertificates } from './stored-certificates.ts';

/**
 * Maximum number of parsed certificates in memory. Each takes about 5 kB, and 0.1 ms to parse again.
 * @limit parsed CA certificates of roles in memory, certificates -> the least recently used one is parsed again
 */
const MAX_PARSED = 1000;
const SLAB_BYTES = 65_536;
const STEPS_BETWEEN_LOOKS = 1000;

/** Expiry of the certificates that roles trust. */
export interface AnchorExpiries {
  readonly count: number;
  /** Number of expired certificates. */
  readonly ended: number;
  /** Number of certificates that expire soon. */
  readonly ending: number;
  /** The next expiry. Infinity without certificates. */
  readonly next: number;
}

/**
 * The certificates that roles trust, each stored once and in little memory: search keys and the DER bytes. A login
 * parses the bytes again; an LRU cache keeps the recently used ones parsed.
 */
export class RoleAnchors {
  readonly #anchors = new Map<string, RoleAnchor>();
  readonly #parsed = new LRUCache<string, Certificate>({ max: MAX_PARSED });
  readonly #slabs = new Slabs();

  /** Reads all anchors of a stored role's PEM that can be parsed. */
  read(pem: string): Steps<StoredCertificates<RoleAnchor>> {
    return readStored(pem, (der) => this.#anchor(der));
  }

  /**
   * Returns the expiry of all roles' certificates, and how many have expired or expire before `before`. Times are
   * milliseconds since 1970.
   */
  *expiries(now: number, before: number): Steps<AnchorExpiries> {
    const found = { count: 0, ended: 0, ending: 0, next: Number.POSITIVE_INFINITY };
    for (const { notAfter } of this.#anchors.values()) {
      found.count++;
      if (notAfter < now) found.ended++;
      else if (notAfter < before) found.ending++;
      if (notAfter >= now) found.next = Math.min(found.next, notAfter);
      if (found.count % STEPS_BETWEEN_LOOKS === 0) yield;
    }
    return found;
  }

  /** Removes a certificate that no role contains any more. */
  forget({ fingerprint }: Pick<RoleAnchor, 'fingerprint'>): void {
    this.#anchors.delete(fingerprint);
  }

  #anchor(der: Buffer): RoleAnchor {
    const fingerprint = hash('sha256', der, 'hex');
    const known = this.#anchors.get(fingerprint);
    if (known) return known;
    const anchor = new RoleAnchor(Certificate.parse(der), this.#slabs.keep(der), this.#parsed);
    this.#anchors.set(fingerprint, anchor);
    return anchor;
  }
}

/** A certificate of a role in compact form. */
export class RoleAnchor implements AnchorCertificate {
  readonly fingerprint: string;
  readonly subjectKey: string;
  readonly subjectKeyId: string | undefined;
  readonly isCa: boolean;
  /** End of validity, milliseconds since 1970. */
  readonly notAfter: number;
  readonly #der: Slice;
  readonly #parsed: LRUCache<string, Certificate>;

  constructor(certificate: Certificate, der: Slice, parsed: LRUCache<string, Certificate>) {
    this.fingerprint = certificate.fingerprint;
    this.subjectKey = certificate.subject.key;
    this.subjectKeyId = certificate.subjectKeyId;
    this.isCa = certificate.isCa;
    this.notAfter = certificate.notAfter;
    this.#der = der;
    this.#parsed = parsed;
  }

  get certificate(): Certificate {
    const known = this.#parsed.get(this.fingerprint);
    if (known) return known;
    const { slab, start, end } = this.#der;
    const certificate = Certificate.parse(slab.subarray(start, end));
    this.#parsed.set(this.fingerprint, certificate);
    return certificate;
  }
}

/** Part of a slab. One Buffer for each certificate would double the memory. */
interface Slice {
  readonly slab: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Stores bytes outside the JavaScript heap. A slab is freed with its last slice. */
class Slabs {
  #slab = Buffer.alloc(0);
  #used = 0;

  keep(bytes: Uint8Array): Slice {
    if (this.#used + bytes.length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, bytes.length));
      this.#used = 0;
    }
    const start = this.#used;
    this.#slab.set(bytes, start);
    this.#used += bytes.length;
    return { slab: this.#slab, start, end: this.#used };
  }
}
