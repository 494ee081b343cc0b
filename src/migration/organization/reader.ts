import type { Connection } from '../connection/connection.ts';
import { allPages, oneResource, type Resource, relatedIds } from '../connection/pages.ts';
import { sideBySide } from '../connection/side-by-side.ts';
import { MigrationError, Refused } from '../model/errors.ts';
import { type Item, type Json, keyOf, type Note } from '../model/item.ts';
import { KINDS } from './kinds/index.ts';
import type { Kind, Names } from './kinds/kind.ts';

/** Selection of what is read. */
export interface Scope {
  readonly organization: string;
  /** Chooses workspaces by name and project. Others are known by name only. */
  hasWorkspace(name: string, project: string | undefined): boolean;
}

/** An organization as it was read: its items, and the IDs that a writer needs. */
export interface ReadOrganization {
  readonly items: readonly Item[];
  readonly notes: readonly Note[];
  /** ID of each item by `keyOf`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Names of all workspaces by ID, also of those that were not chosen. */
  readonly workspaces: readonly { readonly id: string; readonly name: string }[];
}

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly attributes: Resource['attributes'];
}

interface Found {
  readonly kind: Kind;
  readonly owner: Owner;
  readonly resource: Resource;
  readonly more: Readonly<Record<string, Json>>;
}

/** Reads an organization through the workspace API, of HCP Terraform, TFE or Lockkeeper. */
export async function readOrganization(connection: Connection, scope: Scope): Promise<ReadOrganization> {
  return new Reader(connection, scope).read();
}

class Reader {
  readonly #connection: Connection;
  readonly #scope: Scope;
  readonly #names = new NamesById();
  readonly #found: Found[] = [];
  readonly #notes: Note[] = [];
  readonly #owners = new Map<string, readonly Owner[]>();
  /** Kinds of which the server has no list. */
  readonly #absent = new Set<string>();
  readonly #workspaces: { readonly id: string; readonly name: string }[] = [];

  constructor(connection: Connection, scope: Scope) {
    this.#connection = connection;
    this.#scope = scope;
  }

  async read(): Promise<ReadOrganization> {
    for (const kind of KINDS) await this.#readKind(kind);
    const items = new Map<string, Item>();
    const ids = new Map<string, string>();
    for (const found of this.#found) {
      const item = this.#itemOf(found);
      const key = item && keyOf(item);
      if (key === undefined) continue;
      // Names of connections may be equal: then the first one counts.
      if (!items.has(key)) {
        items.set(key, item as Item);
        ids.set(key, found.kind.idOf?.(found.resource) ?? found.resource.id);
      }
    }
    return { items: [...items.values()], notes: this.#notes, ids, workspaces: this.#workspaces };
  }

  async #readKind(kind: Kind): Promise<void> {
    const owners = this.#ownersOf(kind);
    const lists = await sideBySide(owners, (owner) => this.#list(kind, owner.id));
    const all = lists.flatMap((resources, index) =>
      resources.map((resource) => ({ resource, owner: owners[index] as Owner })),
    );
    for (const { resource } of all) this.#name(kind, resource);
    const chosen = all.filter(({ resource }) => this.#isChosen(kind, resource));
    const read = kind.more?.read;
    const more = read ? await sideBySide(chosen, ({ resource }) => read(this.#connection, resource)) : [];
    for (const [index, { resource, owner }] of chosen.entries()) {
      this.#found.push({ kind, owner, resource, more: more[index] ?? {} });
    }
    const known = chosen.map(({ resource }) => {
      const { id, attributes } = resource;
      return { id, attributes, name: kind.nameOf(resource, this.#names) ?? '' };
    });
    this.#owners.set(kind.name, known);
  }

  #ownersOf({ owner, isOwner }: Kind): readonly Owner[] {
    if (owner === undefined) return [{ id: '', name: '', attributes: {} }];
    const all = this.#owners.get(owner) ?? [];
    return isOwner ? all.filter(({ attributes }) => isOwner(attributes)) : all;
  }

  async #list(kind: Kind, ownerId: string): Promise<readonly Resource[]> {
    const path = kind.path({ organization: encodeURIComponent(this.#scope.organization), ownerId });
    try {
      if (!kind.isSingle) return await this.#pages(kind, path);
      const one = await oneResource(this.#connection, path);
      if (one) return [one];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const why = `the token may not read it: ${error.message}`;
      if (!this.#notes.some((note) => note.about === kind.words)) this.#notes.push({ about: kind.words, why });
      return [];
    }
    const { host } = this.#connection;
    throw new MigrationError('not-found', `${host} has no organization ${this.#scope.organization} for this token`);
  }

  async #pages(kind: Kind, path: string): Promise<readonly Resource[]> {
    const { data, isFound } = await allPages(this.#connection, path);
    if (!isFound) this.#absent.add(kind.name);
    if (!isFound && kind.owner === undefined && !kind.isOurs) {
      this.#notes.push({
        about: kind.words,
        why: `${this.#connection.host} has no list of them, or the token may not read it`,
      });
    }
    return data;
  }

  #name(kind: Kind, resource: Resource): void {
    const name = kind.nameOf(resource, this.#names);
    if (name === undefined) return;
    this.#names.add(kind.name, kind.idOf?.(resource) ?? resource.id, name);
    if (kind.name === 'workspaces') this.#workspaces.push({ id: resource.id, name });
  }

  #isChosen(kind: Kind, resource: Resource): boolean {
    const name = kind.nameOf(resource, this.#names);
    if (name === undefined) return false;
    if (kind.name !== 'workspaces') return true;
    const [project = ''] = relatedIds(resource, 'project');
    return this.#scope.hasWorkspace(name, this.#names.nameOf('projects', project));
  }

  #itemOf({ kind, owner, resource, more }: Found): Item | undefined {
    const name = kind.nameOf(resource, this.#names);
    if (name === undefined) return undefined;
    const own = Object.fromEntries(
      kind.attributes
        .filter((one) => resource.attributes[one] !== undefined)
        .map((one) => [one, resource.attributes[one]]),
    );
    const attributes = { ...(kind.clean?.(own, resource) ?? own), ...more };
    const links = Object.entries(kind.links ?? {}).flatMap(([link, rule]): [string, string[]][] => {
      const ids = rule.idsOf?.(resource) ?? relatedIds(resource, link);
      // An item must not be created without a required link, so an unknown ID stands for the name.
      const isKept = rule.isRequired && !this.#absent.has(rule.kind);
      const names = ids
        .map((id) => this.#names.nameOf(rule.kind, id) ?? (isKept ? id : undefined))
        .filter((one) => one !== undefined);
      return names.length > 0 ? [[link, names.toSorted()]] : [];
    });
    return { kind: kind.name, owner: owner.name, name, attributes, links: Object.fromEntries(links) };
  }
}

class NamesById implements Names {
  readonly #names = new Map<string, Map<string, string>>();

  add(kind: string, id: string, name: string): void {
    const known = this.#names.get(kind) ?? new Map<string, string>();
    this.#names.set(kind, known.set(id, name));
  }

  nameOf(kind: string, id: string): string | undefined {
    return this.#names.get(kind)?.get(id);
  }
}
