import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { type AnchorSet, type Certificate, MAX_PRESENTED } from '../../../x509/index.ts';
import type { IntermediateStore, KeptIntermediate } from './intermediate-store.ts';
import { readableCertificates } from './readable-certificates.ts';

/** Minimum interval between two recorded uses, in milliseconds. */
const DAY = 24 * 3_600_000;

interface Kept {
  readonly certificate: Certificate;
  /** Last use, milliseconds since 1970, with a resolution of one day. */
  usedAt: number;
}

export interface ProvenIntermediatesOptions {
  readonly store: IntermediateStore;
  readonly clock: Clock;
  /** Called for a failed write. The client must then present the certificates again. */
  readonly report: (error: unknown) => void;
}

/**
 * Read-through cache of intermediates that were part of a valid path to a role's CA. The database stores them, so
 * that every node has them, also after a restart. Reading a presented certificate costs native memory that Node.js
 * does not return; the cache does it once per intermediate. Only valid paths add certificates, so no client can fill it
 * with invented ones. A cached certificate is only a candidate: every login validates its whole path again.
 */
export class ProvenIntermediates {
  readonly #options: ProvenIntermediatesOptions;
  readonly #kept = new Map<string, Kept>();
  /** The newest first. */
  readonly #bySubject = new Map<string, readonly Certificate[]>();
  /** Fingerprints of certificates that are being written to the database. */
  readonly #unwritten = new Set<string>();
  #version = 0;
  #loading: Promise<void> | undefined;

  constructor(options: ProvenIntermediatesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  /**
   * Waits until the cache has at least this version.
   * @param version version of the mount's intermediates that the caller knows (`Mount.intermediates`)
   */
  async current(version: number): Promise<void> {
    while (this.#version < version) {
      this.#loading ??= this.#load(version).finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  has({ fingerprint }: Certificate): boolean {
    return this.#kept.has(fingerprint);
  }

  /**
   * Returns candidates for a path upwards from these certificates: nearest first, at most as many as one search
   * accepts.
   */
  above(certificates: readonly Certificate[]): Certificate[] {
    const found = new Set<Certificate>();
    const most = MAX_PRESENTED - certificates.length;
    for (let level = certificates; level.length > 0 && found.size < most; ) {
      const next = level.flatMap((below) => this.#issuersOf(below)).filter((one) => !found.has(one));
      level = [...new Set(next)].slice(0, most - found.size);
      for (const certificate of level) found.add(certificate);
    }
    return [...found];
  }

  /** Adds the intermediates of a valid path, with one write for the new ones. Never rejects. */
  async prove(certificates: readonly Certificate[]): Promise<void> {
    const { store, clock, report } = this.#options;
    const added = certificates.filter((certificate) => !this.has(certificate));
    if (added.length === 0) return;
    const now = clock();
    for (const certificate of added) {
      this.#add(certificate, now);
      this.#unwritten.add(certificate.fingerprint);
    }
    const version = await store.keep(added, now).catch((error: unknown) => {
      report(error);
      return undefined;
    });
    for (const { fingerprint } of added) this.#unwritten.delete(fingerprint);
    // No other node has changed the intermediates, so none need to be read.
    if (version === this.#version + 1) this.#version = version;
  }

  /** Records, once a day, that a login used these certificates. Never rejects. */
  async used(certificates: readonly Certificate[]): Promise<void> {
    const now = this.#options.clock();
    for (const { fingerprint } of certificates) {
      const kept = this.#kept.get(fingerprint);
      if (!kept || now - kept.usedAt < DAY) continue;
      kept.usedAt = now;
      await this.#options.store.touch(fingerprint, now).catch(this.#options.report);
    }
  }

  /** Removes expired certificates, and those that no longer lead to one of these CA certificates by name. */
  async sweep(authorities: Pick<AnchorSet<unknown>, 'named'>): Promise<void> {
    const useful = this.#leadingTo(authorities);
    const now = this.#options.clock();
    const useless = [...this.#kept.values()].filter(
      ({ certificate }) => certificate.notAfter < now || !useful.has(certificate),
    );
    if (useless.length > 0) await this.#options.store.remove(useless.map(({ certificate }) => certificate.fingerprint));
  }

  #leadingTo(authorities: Pick<AnchorSet<unknown>, 'named'>): ReadonlySet<Certificate> {
    const byIssuer = Map.groupBy(
      [...this.#kept.values()].map(({ certificate }) => certificate),
      ({ issuer }) => issuer.key,
    );
    const useful = new Set<Certificate>();
    for (const group of byIssuer.values()) {
      const [{ issuer }] = group as [Certificate];
      if (authorities.named(issuer).length > 0) for (const certificate of group) useful.add(certificate);
    }
    // Iterating over a set includes the items that are added meanwhile.
    for (const { subject } of useful) for (const below of byIssuer.get(subject.key) ?? []) useful.add(below);
    return useful;
  }

  /** Reads the version first: the cached certificates may then be newer than the version, never older. */
  async #load(asked: number): Promise<void> {
    const { store } = this.#options;
    const version = (await store.version()) ?? asked;
    const stored = await store.fingerprints();
    for await (const page of store.addedSince(this.#version)) {
      for (const one of page) if (stored.has(one.fingerprint)) this.#addStored(one);
      // Lets other requests run between pages.
      await setImmediate();
    }
    for (const { certificate } of this.#kept.values()) {
      const { fingerprint } = certificate;
      if (!stored.has(fingerprint) && !this.#unwritten.has(fingerprint)) this.#remove(certificate);
    }
    this.#version = version;
  }

  #issuersOf(certificate: Certificate): readonly Certificate[] {
    const named = this.#bySubject.get(certificate.issuer.key) ?? [];
    if (named.length < 2) return named;
    const isLikely = ({ subjectKeyId }: Certificate) => subjectKeyId === certificate.authorityKeyId;
    return [...named.filter(isLikely), ...named.filter((one) => !isLikely(one))];
  }

  #addStored({ fingerprint, der, usedAt }: KeptIntermediate): void {
    if (this.#kept.has(fingerprint)) return;
    for (const certificate of readableCertificates([der])) this.#add(certificate, usedAt);
  }

  #add(certificate: Certificate, usedAt: number): void {
    const { subject, fingerprint } = certificate;
    this.#kept.set(fingerprint, { certificate, usedAt });
    this.#bySubject.set(subject.key, [certificate, ...(this.#bySubject.get(subject.key) ?? [])]);
  }

  #remove(certificate: Certificate): void {
    const { subject, fingerprint } = certificate;
    this.#kept.delete(fingerprint);
    const left = (this.#bySubject.get(subject.key) ?? []).filter((other) => other.fingerprint !== fingerprint);
    if (left.length > 0) this.#bySubject.set(subject.key, left);
    else this.#bySubject.delete(subject.key);
  }
}
