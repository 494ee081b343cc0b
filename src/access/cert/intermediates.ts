import { LRUCache } from 'lru-cache';
import type { Certificate } from '../../x509/index.ts';

const MAX_SUBJECTS = 1024;
/** Certificates kept for one subject: an old and a new one, and a few cross-signed ones. */
const MAX_NAMESAKES = 4;
const MAX_DEPTH = 4;

/**
 * Intermediates that were once part of a valid path. Reading what a client presents costs native memory that Node.js does
 * not give back, so it is done once for each intermediate and not once for each login. Only what was validated is kept:
 * nobody can fill it with certificates of their own. What it holds is a candidate for a path and nothing more: every login
 * validates its whole path again.
 */
export class IntermediateCache {
  readonly #bySubject = new LRUCache<string, readonly Certificate[]>({ max: MAX_SUBJECTS });

  remember(certificates: readonly Certificate[]): void {
    for (const certificate of certificates) {
      const known = this.#bySubject.get(certificate.subject.key) ?? [];
      if (known.some((other) => other.equals(certificate))) continue;
      this.#bySubject.set(certificate.subject.key, [certificate, ...known].slice(0, MAX_NAMESAKES));
    }
  }

  /** Those that a path upwards from `leaf` could use. */
  above(leaf: Certificate): Certificate[] {
    const found = new Set<Certificate>();
    let level = [leaf];
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      level = level.flatMap(({ issuer }) => this.#bySubject.get(issuer.key) ?? []).filter((one) => !found.has(one));
      for (const certificate of level) found.add(certificate);
    }
    return [...found];
  }
}
