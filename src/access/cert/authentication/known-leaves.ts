import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Certificate } from '../../../x509/index.ts';

/**
 * Maximum size in bytes of DER.
 * @limit parsed certificates of recent logins in memory, bytes -> the least recently used one is parsed again
 */
const MAX_SIZE = 4 * 1024 * 1024;

/**
 * LRU cache of parsed client certificates, because machines log in with the same certificate again and again. It
 * contains only certificates that a role accepted, so no client can fill it with invented ones. The cache saves parsing
 * and the signature check. Every login still validates the whole chain and checks revocation.
 */
export class KnownLeaves {
  readonly #byHash = new LRUCache<string, Certificate>({ maxSize: MAX_SIZE, sizeCalculation: ({ der }) => der.length });

  /**
   * Returns the parsed certificate.
   * @throws ParseError unless the bytes are one certificate in strict DER
   */
  read(der: Uint8Array): Certificate {
    return this.#byHash.get(hash('sha256', der, 'hex')) ?? Certificate.parse(der);
  }

  remember(leaf: Certificate): void {
    this.#byHash.set(leaf.fingerprint, leaf);
  }
}
