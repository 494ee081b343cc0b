import type { Connection } from '../connection/connection.ts';
import { sideBySide } from '../connection/side-by-side.ts';
import { MigrationError, Refused } from '../model/errors.ts';
import { type Item, type Json, keyOf, type Note } from '../model/item.ts';
import { ACCESS_KINDS, type AccessKind, mountAttributes } from './kinds.ts';

type Data = Readonly<Record<string, Json>>;

/** Configuration of an access API as it was read. */
export interface ReadAccess {
  readonly items: readonly Item[];
  readonly notes: readonly Note[];
  /** IDs of entities and groups, and accessors of mounts, by `keyOf`. */
  readonly ids: ReadonlyMap<string, string>;
}

/** @limit names of one list of the access API that a migration reads, names -> the migration stops */
const MAX_NAMES = 200_000;
/** Names that the server gives to entities of logins. They appear again at the next login. */
const AUTOMATIC = /^entity_[0-9a-f]{8}$/;
/** Every server has its own. */
const OWN_POLICIES: ReadonlySet<string> = new Set(['root', 'default']);
const MOUNT_TYPES: ReadonlySet<unknown> = new Set(['cert', 'jwt']);

/** Reads the access API of Vault, OpenBao or Lockkeeper. */
export async function readAccess(connection: Connection): Promise<ReadAccess> {
  return new Reader(connection).read();
}

class Reader {
  readonly #connection: Connection;
  readonly #items: Item[] = [];
  readonly #notes: Note[] = [];
  readonly #ids = new Map<string, string>();
  /** Names by ID or accessor. */
  readonly #names = new Map<string, string>();
  readonly #responses = new Map<string, Data>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async read(): Promise<ReadAccess> {
    await this.#readMounts();
    for (const kind of ACCESS_KINDS) await this.#readKind(kind);
    this.#readIdentities();
    const order = new Map(ACCESS_KINDS.map(({ name }, index) => [name, index]));
    const items = this.#items.toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
    return { items, notes: this.#notes, ids: this.#ids };
  }

  async #readMounts(): Promise<void> {
    const mounts = await this.#get('sys/auth');
    if (mounts === undefined) {
      throw new MigrationError('refused', `the token may not list the auth methods of ${this.#connection.host}`);
    }
    for (const [name, value] of Object.entries(mounts)) {
      const mount = (value ?? {}) as Data;
      if (mount.type === 'token' || !name.endsWith('/')) continue;
      if (!MOUNT_TYPES.has(mount.type)) {
        this.#notes.push({ about: `auth method ${name}`, why: `Lockkeeper has no method of the type ${mount.type}` });
        continue;
      }
      this.#add('auth-mounts', '', name, mountAttributes(mount), {}, String(mount.accessor));
    }
  }

  async #readKind(kind: AccessKind): Promise<void> {
    const owners = kind.mountType === undefined ? [''] : this.#mounts(kind.mountType);
    if (kind.mountType !== undefined && kind.list === undefined) {
      await sideBySide(owners, (owner) => this.#readOne(kind, owner, 'config'));
    }
    if (kind.list === undefined) return;
    for (const owner of owners) {
      const names = await this.#list(kind, owner);
      await sideBySide(names, (name) => this.#readOne(kind, owner, name));
    }
  }

  #mounts(type: string): string[] {
    return this.#items
      .filter(({ kind, attributes }) => kind === 'auth-mounts' && attributes.type === type)
      .map(({ name }) => name);
  }

  async #list(kind: AccessKind, owner: string): Promise<readonly string[]> {
    const path = kind.list?.(owner) ?? '';
    const { keys } = (await this.#get(`${path}?list=true`, kind.words)) ?? {};
    if (keys === undefined) return [];
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string') || keys.length > MAX_NAMES) {
      throw new MigrationError('failed', `the response to ${path} is not a list of names. Check the address`);
    }
    return keys.filter((name) => kind.name !== 'policies' || !OWN_POLICIES.has(name)).toSorted();
  }

  async #readOne(kind: AccessKind, owner: string, name: string): Promise<void> {
    const data = await this.#get(kind.path({ owner, name }), kind.words);
    if (data === undefined) return;
    if (kind.name === 'entities' || kind.name === 'groups') {
      if (isAutomatic(name, data)) return;
      this.#responses.set(`${kind.name}/${name}`, data);
    }
    const own = Object.entries(kind.taken?.(data) ?? data).filter(([field]) => !kind.readOnly?.includes(field));
    const attributes = Object.fromEntries(own.filter(([, value]) => value !== null && value !== undefined));
    if (kind.name === 'crls' && attributes.url === undefined) {
      const mount = owner.replace(/\/+$/, '');
      const why = `no server returns it; upload it: lockkeeper write auth/${mount}/crls/${name} crl=@FILE`;
      this.#notes.push({ about: `CRL ${owner}: ${name}`, why });
      return;
    }
    if (typeof data.oidc_client_id === 'string' && data.oidc_client_id !== '') {
      this.#notes.push({
        about: `client secret of auth method ${owner}`,
        why: 'no server returns it; set oidc_client_secret',
      });
    }
    this.#add(kind.name, owner, name, attributes, {}, typeof data.id === 'string' ? data.id : undefined);
  }

  /** Entities and groups refer to each other by ID, so all of them are read first. */
  #readIdentities(): void {
    for (const [key, data] of this.#responses) {
      const [kind = '', name = ''] = [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)];
      if (kind === 'entities') {
        for (const alias of listIn(data.aliases)) this.#addAlias('entity-aliases', name, alias);
        continue;
      }
      if (Object.keys((data.alias ?? {}) as object).length > 0)
        this.#addAlias('group-aliases', name, data.alias as Data);
      const links = {
        ...this.#namesOf('entities', data.member_entity_ids),
        ...this.#namesOf('groups', data.member_group_ids),
      };
      // Logins decide who is in an external group.
      if (data.type !== 'external' && Object.keys(links).length > 0)
        this.#add('group-members', name, 'members', {}, links);
    }
  }

  #addAlias(kind: string, owner: string, { name, mount_accessor: accessor, custom_metadata: metadata }: Data): void {
    const mount = this.#names.get(String(accessor));
    if (mount === undefined) {
      this.#notes.push({ about: `alias ${name} of ${owner}`, why: 'its auth method is not taken' });
      return;
    }
    const isEmpty = Object.keys((metadata ?? {}) as object).length === 0;
    const attributes = { name, ...(!isEmpty && { custom_metadata: metadata }) };
    this.#add(kind, owner, `${mount}${name}`, attributes, { mount: [mount] });
  }

  #namesOf(kind: string, ids: unknown): Record<string, readonly string[]> {
    const names = listIn<unknown>(ids).map((id) => this.#names.get(String(id)));
    const known = names.filter((name) => name !== undefined).toSorted();
    return known.length > 0 ? { [kind]: known } : {};
  }

  #add(
    kind: string,
    owner: string,
    name: string,
    attributes: Data,
    links: Item['links'] = {},
    id: string | undefined = undefined,
  ): void {
    const item = { kind, owner, name, attributes, links };
    this.#items.push(item);
    if (id === undefined) return;
    this.#ids.set(keyOf(item), id);
    this.#names.set(id, name);
  }

  /** Returns `data` of a response; undefined for 404, and with a note for 403. */
  async #get(path: string, words = ''): Promise<Data | undefined> {
    try {
      const body = await this.#connection.find(`/v1/${path}`);
      const { data } = (body ?? {}) as { data?: unknown };
      return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Data) : undefined;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (words !== '') this.#notes.push({ about: words, why: `it cannot be read: ${error.message}` });
      return undefined;
    }
  }
}

function listIn<T = Data>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** Logins create such entities again, so they are taken only if something belongs to them. */
function isAutomatic(name: string, { policies, metadata, group_ids: groups }: Data): boolean {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || Object.keys(value as object).length === 0;
  return AUTOMATIC.test(name) && [policies, metadata, groups].every(isEmpty);
}
