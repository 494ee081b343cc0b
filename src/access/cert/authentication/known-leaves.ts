import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Certificate } from '../../../x509/index.ts';

/**
 * Bytes of DER.
 * @limit certificates that were let in, kept in read form, bytes -> the one unused for longest is read again
 */
const MAX_SIZE = 4 * 1024 * 1024;

/**
 * The certificates that were let in last, read: a machine comes back with the same one again and again. Nobody can fill it
 * with certificates of their own. What it saves is reading one and checking its signature; every login validates its whole
 * path again, and asks again whether anything in it is revoked.
 */
export class KnownLeaves {
  readonly #byHash = new LRUCache<string, Certificate>({ maxSize: MAX_SIZE, sizeCalculation: ({ der }) => der.length });

  /** @throws ParseError for what is not one certificate in strict DER */
  read(der: Uint8Array): Certificate {
    return this.#byHash.get(hash('sha256', der, 'hex')) ?? Certificate.parse(der);
  }

  remember(leaf: Certificate): void {
    this.#byHash.set(leaf.fingerprint, leaf);
  }
}
