import type { RevocationList } from '../../../revocation/crl/index.ts';
import type { StoredCrl } from './crl.ts';
import type { CrlContents, StoredContent } from './crl-contents.ts';
import type { CrlStore } from './crl-store.ts';
import { type Authorities, type LoadedCrl, signatureOf } from './loaded-crl.ts';

/** All CRLs of a mount at one time, by name and in name order. Immutable. */
export interface CrlSnapshot {
  readonly version: number;
  readonly crls: ReadonlyMap<string, LoadedCrl>;
}

/**
 * Read-through cache of a mount's CRLs. Every login checks the mount's version in the database, at the latest when it
 * writes its token: a CRL that an administrator has written on any node is in force at once, and is loaded before the
 * first login after a start. A refreshed CRL replaces the old one after it has been loaded in the background
 * (`update`). A written role may contain the CA of a CRL, so signatures are evaluated again then.
 */
export class CrlRegistry {
  readonly #store: CrlStore;
  readonly #contents: CrlContents;
  readonly #authorities: () => Promise<Authorities>;
  #snapshot: CrlSnapshot | undefined;
  #loading: Promise<void> | undefined;
  /** CRLs that are loaded and stored, but not in a snapshot yet, by content id. */
  readonly #ready = new Map<string, RevocationList>();

  constructor(store: CrlStore, contents: CrlContents, authorities: () => Promise<Authorities>) {
    this.#store = store;
    this.#contents = contents;
    this.#authorities = authorities;
  }

  /**
   * Returns the CRLs at a version of the mount or later, as administrators have written them. Rejects if one cannot be
   * loaded.
   * @param known version of the mount; default: the current one
   */
  async current(known?: number): Promise<CrlSnapshot> {
    const version = known ?? (await this.#store.version());
    for (;;) {
      if (this.#snapshot && this.#snapshot.version >= version) return this.#snapshot;
      await this.#loadOnce();
    }
  }

  /** Puts refreshed CRLs into force, from this or another node. Logins use the old ones meanwhile. */
  async update(): Promise<CrlSnapshot> {
    // A running load may have started before the change that the caller knows about.
    await this.#loading?.catch(() => {});
    const stored = await this.#store.all();
    for (const crl of stored) {
      const before = this.#snapshot?.crls.get(crl.name);
      if (before && before.contentId !== crl.contentId && !this.#ready.has(crl.contentId)) {
        await this.makeReady({ contentId: crl.contentId, list: await this.#read(crl) }, before);
      }
    }
    await this.#loadOnce();
    return this.current();
  }

  /** Registers a CRL that is stored and already in memory, so that it is not loaded again. */
  async makeReady({ contentId, list }: StoredContent, before?: LoadedCrl): Promise<void> {
    // Verifies the signature for the issuers of the previous CRL now, so that no login has to wait for it.
    for (const issuer of before?.list.checkedIssuers ?? []) await list.signatureFault(issuer);
    this.#ready.set(contentId, list);
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Reads the version first: a snapshot may contain newer CRLs than its version, never older ones. */
  async #load(): Promise<void> {
    const version = await this.#store.version();
    const stored = await this.#store.all();
    const authorities = stored.length > 0 ? await this.#authorities() : NOBODY;
    const crls = new Map<string, LoadedCrl>();
    for (const crl of stored) {
      const content = await this.#contentOf(crl);
      const signature = await signatureOf(content.list, authorities);
      crls.set(crl.name, { name: crl.name, version: crl.version, settings: crl.settings, ...content, signature });
    }
    this.#snapshot = { version, crls };
    this.#ready.clear();
  }

  async #contentOf(crl: StoredCrl): Promise<StoredContent> {
    const { contentId } = crl;
    const before = this.#snapshot?.crls.get(crl.name);
    if (before?.contentId === contentId) return { contentId, list: before.list };
    const list = this.#ready.get(contentId);
    if (list) return { contentId, list };
    // The CRL was refreshed and is not loaded yet. A login does not wait for that.
    if (before?.version === crl.version) return { contentId: before.contentId, list: before.list };
    return { contentId, list: await this.#read(crl) };
  }

  async #read({ name, contentId }: StoredCrl): Promise<RevocationList> {
    try {
      return await this.#contents.load(contentId);
    } catch (cause) {
      throw new Error(`the CRL "${name}" cannot be loaded`, { cause });
    }
  }
}

const NOBODY: Authorities = { named: () => [] };
