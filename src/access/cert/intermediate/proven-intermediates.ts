import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { type AnchorSet, type Certificate, MAX_PRESENTED } from '../../../x509/index.ts';
import type { IntermediateStore, KeptIntermediate } from './intermediate-store.ts';
import { readableCertificates } from './readable-certificates.ts';

/** How much later a use is noted again, milliseconds. */
const DAY = 24 * 3_600_000;

interface Kept {
  readonly certificate: Certificate;
  /** Milliseconds; to a day. */
  usedAt: number;
}

export interface ProvenIntermediatesOptions {
  readonly store: IntermediateStore;
  readonly clock: Clock;
  /** Told of a write that failed: what is not kept is presented again. */
  readonly report: (error: unknown) => void;
}

/**
 * Intermediates of a mount that were part of a valid path to the authority of a role. They are kept in the database, so that every
 * node knows them, and so does the next start: reading what a client presents costs native memory that Node.js does not give
 * back, and this way it is done once for each intermediate. Nobody can fill it with certificates of their own. What is in it is a
 * candidate for a path and nothing more: every login validates its whole path again.
 */
export class ProvenIntermediates {
  readonly #options: ProvenIntermediatesOptions;
  readonly #kept = new Map<string, Kept>();
  /** The last first. */
  readonly #bySubject = new Map<string, readonly Certificate[]>();
  /** On their way to the database. */
  readonly #unwritten = new Set<string>();
  #version = 0;
  #loading: Promise<void> | undefined;

  constructor(options: ProvenIntermediatesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** As they are at this moment or later. @param version of the mount, as the caller has just read it (`Mount.intermediates`) */
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

  /** Those that a path upwards from these could use: nearest first, at most as many as one search takes besides them. */
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

  /** Keeps those of a valid path. One write for each that is new; never rejects. */
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
    // Nobody else has changed anything: there is nothing to read.
    if (version === this.#version + 1) this.#version = version;
  }

  /** Notes, once a day, that somebody was let in by them. Never rejects. */
  async used(certificates: readonly Certificate[]): Promise<void> {
    const now = this.#options.clock();
    for (const { fingerprint } of certificates) {
      const kept = this.#kept.get(fingerprint);
      if (!kept || now - kept.usedAt < DAY) continue;
      kept.usedAt = now;
      await this.#options.store.touch(fingerprint, now).catch(this.#options.report);
    }
  }

  /** Removes those that have expired, and those from which no name leads to one of these authorities any more. */
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
    // A set shows what is added while it is walked.
    for (const { subject } of useful) for (const below of byIssuer.get(subject.key) ?? []) useful.add(below);
    return useful;
  }

  /** The version is read first: what is kept may be newer than it says, never older. */
  async #load(asked: number): Promise<void> {
    const { store } = this.#options;
    const version = (await store.version()) ?? asked;
    const stored = await store.fingerprints();
    for await (const page of store.addedSince(this.#version)) {
      for (const one of page) if (stored.has(one.fingerprint)) this.#addStored(one);
      // Others are served between pages.
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
