import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Steps } from '../../../lib/slices.ts';
import { type AnchorCertificate, Certificate } from '../../../x509/index.ts';
import { readStored, type StoredCertificates } from './stored-certificates.ts';

/**
 * Whole certificates kept; each takes about 5 kB, and 0.1 ms to read again.
 * @limit authorities of roles, kept in read form, certificates -> the one unused for longest is read again
 */
const MAX_PARSED = 1000;
const SLAB_BYTES = 65_536;
const STEPS_BETWEEN_LOOKS = 1000;

/** How the certificates stand that roles trust. */
export interface AnchorExpiries {
  readonly count: number;
  /** Over already. */
  readonly ended: number;
  /** Soon. */
  readonly ending: number;
  /** When the next one ends that has not; infinite without any. */
  readonly next: number;
}

/**
 * The certificates that roles trust, each once however many roles name it, and in little memory: what it is found by, and
 * its bytes, which are read again when a login leads to it. Those that logins led to last stay read.
 */
export class RoleAnchors {
  readonly #anchors = new Map<string, RoleAnchor>();
  readonly #parsed = new LRUCache<string, Certificate>({ max: MAX_PARSED });
  readonly #slabs = new Slabs();

  /** Reads the anchors of a stored role's PEM that can be read. */
  read(pem: string): Steps<StoredCertificates<RoleAnchor>> {
    return readStored(pem, (der) => this.#anchor(der));
  }

  /** When the certificates of all roles end, and how many have ended or do so before `before`. Milliseconds since 1970. */
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

  /** One that leads to no role any more. */
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

/** A certificate of a role, as `RoleAnchors` keeps it. */
export class RoleAnchor implements AnchorCertificate {
  readonly fingerprint: string;
  readonly subjectKey: string;
  readonly subjectKeyId: string | undefined;
  readonly isCa: boolean;
  /** Milliseconds since 1970. */
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

/** Part of a slab: a Buffer for each would take as much memory again as the bytes of a certificate. */
interface Slice {
  readonly slab: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Bytes kept outside the heap of objects. A slab is given back with the last slice of it. */
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
