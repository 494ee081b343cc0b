import type { RevocationList } from '../../../revocation/crl/index.ts';
import type { StoredCrl } from './crl.ts';
import type { CrlContents, StoredContent } from './crl-contents.ts';
import type { CrlStore } from './crl-store.ts';
import { type Authorities, type LoadedCrl, signatureOf } from './loaded-crl.ts';

/** All lists of a mount at one moment, by name and in name order. Immutable. */
export interface CrlSnapshot {
  readonly version: number;
  readonly crls: ReadonlyMap<string, LoadedCrl>;
}

/**
 * Keeps the lists of a mount in memory. Every login asks the database for the mount's version, one indexed read: a list
 * that an administrator has written on any node is in force at once, and is loaded before the first login after a start. A
 * list that was merely fetched again takes the place of the old one when it has been loaded in the background (`update`). A
 * role that was written may bring the authority of a list: whose signature counts is looked at again then.
 */
export class CrlRegistry {
  readonly #store: CrlStore;
  readonly #contents: CrlContents;
  readonly #authorities: () => Promise<Authorities>;
  #snapshot: CrlSnapshot | undefined;
  #loading: Promise<void> | undefined;
  /** Loaded and stored, but not in a snapshot yet. By content. */
  readonly #ready = new Map<string, RevocationList>();

  constructor(store: CrlStore, contents: CrlContents, authorities: () => Promise<Authorities>) {
    this.#store = store;
    this.#contents = contents;
    this.#authorities = authorities;
  }

  /**
   * The lists as administrators have them at this moment or later. Rejects when one of them cannot be loaded.
   * @param known the version of the mount, where the caller has just read it
   */
  async current(known?: number): Promise<CrlSnapshot> {
    const version = known ?? (await this.#store.version());
    for (;;) {
      if (this.#snapshot && this.#snapshot.version >= version) return this.#snapshot;
      await this.#loadOnce();
    }
  }

  /** Puts lists into force that were fetched again, here or on another node. Logins go on with the old ones meanwhile. */
  async update(): Promise<CrlSnapshot> {
    // What is being loaded may have begun before whatever the caller knows of.
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

  /** Takes a list that is in memory already, and is stored, so that it need not be loaded. */
  async makeReady({ contentId, list }: StoredContent, before?: LoadedCrl): Promise<void> {
    // Whoever's signature counted before will be asked for again, by a login that should not have to wait for it.
    for (const issuer of before?.list.checkedIssuers ?? []) await list.signatureFault(issuer);
    this.#ready.set(contentId, list);
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** The version is read first: a snapshot may hold newer lists than it says, never older ones. */
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
    // Fetched again, and not loaded yet: a login does not wait for that.
    if (before?.version === crl.version) return { contentId: before.contentId, list: before.list };
    return { contentId, list: await this.#read(crl) };
  }

  async #read({ name, contentId }: StoredCrl): Promise<RevocationList> {
    try {
      return await this.#contents.load(contentId);
    } catch (cause) {
      throw new Error(`the revocation list "${name}" cannot be loaded`, { cause });
    }
  }
}

const NOBODY: Authorities = { named: () => [] };
