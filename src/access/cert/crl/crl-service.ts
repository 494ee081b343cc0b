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

/** The stored state of a CRL, and the CRL in force. */
export interface CrlReading {
  readonly stored: StoredCrl;
  readonly loaded: LoadedCrl;
}

/** Metrics of a CRL. */
export interface CrlMetrics {
  readonly name: string;
  readonly entries: number;
  /** Seconds since the upload, the last fetch or the last confirmation. */
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
  /** Returns some of the certificates that roles trust, without duplicates. */
  readonly trusted: (most: number) => Promise<readonly Certificate[]>;
}

/**
 * Maximum number of trusted certificates that a written CRL is compared with.
 * @limit certificates of roles that a written CRL is compared with for warnings, certificates -> the others are not
 * compared
 */
const MOST_TRUSTED = 200;

/** Management of CRLs. Callers lower-case the names. */
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
   * Parses or fetches a CRL and puts it into force under this name.
   * @returns warnings about roles that can accept no login because of it
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
          ? 'with on_stale=refuse every certificate of its issuer is refused'
          : 'it is used anyway, because on_stale is not refuse';
      warnings.push(`the CRL is out of date since ${isoTime(nextUpdate)}: ${follows}`);
    }
    const alone = { version, crls: new Map([[crl.name, crl]]) };
    for (const certificate of await this.#trusted(MOST_TRUSTED)) {
      const refusals = await anchorRefusals(alone, certificate, now);
      for (const { actual } of refusals)
        warnings.push(`no login succeeds through "${certificate.subject}", which a role trusts: ${actual}`);
    }
    return warnings;
  }

  /** @throws AppError bad-request if the CRL does not exist */
  async read(name: string): Promise<CrlReading> {
    const stored = await this.#store.find(name);
    if (!stored) throw noSuchCrl(name);
    const known = (await this.#registry.current()).crls.get(name);
    // Another node may have just fetched the CRL.
    const isLatest = known?.contentId === stored.contentId;
    const loaded = isLatest ? known : (await this.#registry.update()).crls.get(name);
    if (!loaded) throw noSuchCrl(name);
    return { stored, loaded };
  }

  /** @throws AppError bad-request if the CRL does not exist */
  async remove(name: string): Promise<void> {
    if (!(await this.#store.remove(name))) throw noSuchCrl(name);
  }

  /** Returns the names after `after`, in order. */
  names(after: string, most: number): Promise<string[]> {
    return this.#store.names(after, most);
  }

  /** Returns a page of CRLs with their content in force. May omit CRLs that another node is changing at this moment. */
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

  /** Returns the metrics of every CRL. */
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
