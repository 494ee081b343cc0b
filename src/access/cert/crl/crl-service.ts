import { type Clock, isoTime } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { nextFetchAfterSuccess, type Random } from '../../../revocation/crl/index.ts';
import type { Certificate } from '../../../x509/index.ts';
import type { StoredCrl } from './crl.ts';
import { mergeSettings, parseCrlWrite } from './crl-fields.ts';
import type { CrlIntake } from './crl-intake.ts';
import type { CrlRegistry } from './crl-registry.ts';
import type { CrlStore } from './crl-store.ts';
import { anchorRefusals } from './crl-verdicts.ts';
import type { LoadedCrl } from './loaded-crl.ts';

/** What is stored of a list, and the list in force. */
export interface CrlReading {
  readonly stored: StoredCrl;
  readonly loaded: LoadedCrl;
}

/** How a list is doing, in numbers. */
export interface CrlMetrics {
  readonly name: string;
  readonly entries: number;
  /** Seconds since it was uploaded, fetched or confirmed. */
  readonly age: number;
  readonly stale: boolean;
  readonly failures: number;
}

export interface CrlServiceDependencies {
  readonly store: CrlStore;
  readonly registry: CrlRegistry;
  readonly intake: CrlIntake;
  readonly clock: Clock;
  readonly random: Random;
  /** Some of the certificates that roles trust, each once. */
  readonly trusted: (most: number) => Promise<readonly Certificate[]>;
}

/**
 * Certificates of roles that a list is held against when it is written.
 * @limit certificates of roles that a revocation list is held against for warnings, certificates -> the others are not
 */
const MOST_TRUSTED = 200;

/** What administrators do with lists. Names are lower-cased before they come here. */
export class CrlService {
  readonly #store: CrlStore;
  readonly #registry: CrlRegistry;
  readonly #intake: CrlIntake;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #trusted: CrlServiceDependencies['trusted'];

  constructor({ store, registry, intake, clock, random, trusted }: CrlServiceDependencies) {
    this.#trusted = trusted;
    this.#store = store;
    this.#registry = registry;
    this.#intake = intake;
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Reads or fetches a list and puts it into force in place of the one of this name.
   * @returns warnings about roles that admit nobody by it
   * @throws AppError bad-request; nothing is changed then
   */
  async write(name: string, body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const { source, settings } = parseCrlWrite(body);
    const content = await ('url' in source ? this.#intake.fromUrl(source.url) : this.#intake.fromText(source.text));
    const fetchedAt = this.#clock();
    const { contentId, list, validators } = content;
    const state = { contentId, fetchedAt, validators, failures: 0, lastError: null };
    const url = 'url' in source ? source.url : null;
    const nextFetchAt = url === null ? null : nextFetchAfterSuccess(fetchedAt, list.info.nextUpdate, this.#random);
    await this.#store.put(name, (stored) => ({
      settings: mergeSettings(stored?.settings, settings),
      url,
      nextFetchAt,
      ...state,
    }));
    await this.#registry.makeReady(content);
    const { version, crls } = await this.#registry.current();
    const loaded = crls.get(name);
    return loaded ? this.#warnings(loaded, version) : [];
  }

  async #warnings(crl: LoadedCrl, version: number): Promise<readonly string[]> {
    const now = this.#clock();
    const { nextUpdate } = crl.list.info;
    const warnings: string[] = [];
    if (!crl.list.isCurrent(now) && nextUpdate !== undefined) {
      const follows =
        crl.settings.on_stale === 'refuse'
          ? 'with on_stale=refuse no certificate of its issuer is admitted'
          : 'it is used all the same, as on_stale is not refuse';
      warnings.push(`the revocation list is out of date since ${isoTime(nextUpdate)}: ${follows}`);
    }
    const alone = { version, crls: new Map([[crl.name, crl]]) };
    for (const certificate of await this.#trusted(MOST_TRUSTED)) {
      const refusals = await anchorRefusals(alone, certificate, now);
      for (const { actual } of refusals)
        warnings.push(`roles that trust "${certificate.subject}" admit nobody by it: ${actual}`);
    }
    return warnings;
  }

  /** @throws AppError bad-request when there is none */
  async read(name: string): Promise<CrlReading> {
    const stored = await this.#store.find(name);
    if (!stored) throw noSuchCrl(name);
    const known = (await this.#registry.current()).crls.get(name);
    // Another node may have fetched it a moment ago.
    const isLatest = known?.contentId === stored.contentId;
    const loaded = isLatest ? known : (await this.#registry.update()).crls.get(name);
    if (!loaded) throw noSuchCrl(name);
    return { stored, loaded };
  }

  /** @throws AppError bad-request when there is none */
  async remove(name: string): Promise<void> {
    if (!(await this.#store.remove(name))) throw noSuchCrl(name);
  }

  /** In order, from behind `after` on. */
  names(after: string, most: number): Promise<string[]> {
    return this.#store.names(after, most);
  }

  /** The same with what is in force of them; what another node removes or stores just now may be missing. */
  async page(after: string, most: number): Promise<(readonly [name: string, reading: CrlReading])[]> {
    const page = await this.#store.page(after, most);
    let { crls } = await this.#registry.current();
    if (page.some(({ name, contentId }) => crls.get(name)?.contentId !== contentId)) {
      ({ crls } = await this.#registry.update());
    }
    return page.flatMap((stored) => {
      const loaded = crls.get(stored.name);
      return loaded ? [[stored.name, { stored, loaded }] as const] : [];
    });
  }

  /** Of every list, for metrics. */
  async metrics(): Promise<CrlMetrics[]> {
    const now = this.#clock();
    const { crls } = await this.#registry.current();
    return (await this.#store.all()).flatMap(({ name, fetchedAt, failures }) => {
      const list = crls.get(name)?.list;
      if (!list) return [];
      const age = Math.floor((now - fetchedAt) / 1000);
      return [{ name, entries: list.info.entries, age, stale: !list.isCurrent(now), failures }];
    });
  }
}

const noSuchCrl = (name: string): AppError => new AppError('bad-request', `no such CRL ${name}`);
