import type { Connection } from '../connection/connection.ts';
import { resourceOf } from '../connection/pages.ts';
import { Refused } from '../model/errors.ts';
import { type Item, type Json, keyOf } from '../model/item.ts';
import type { Writer } from '../plan/apply.ts';
import type { Change } from '../plan/plan.ts';
import { kindNamed } from './kinds/index.ts';
import type { Changes, Kind, Place } from './kinds/kind.ts';

const UNPROCESSABLE = 422;

/** Creates and updates items of an organization through the workspace API of Lockkeeper. */
export class OrganizationWriter implements Writer {
  readonly #connection: Connection;
  readonly #organization: string;
  /** ID of each item by `keyOf`; those that are created are added. */
  readonly #ids: Map<string, string>;

  constructor(connection: Connection, organization: string, ids: ReadonlyMap<string, string>) {
    this.#connection = connection;
    this.#organization = encodeURIComponent(organization);
    this.#ids = new Map(ids);
  }

  /** Returns the ID of an item without an owner. */
  idOf(kind: string, name: string): string | undefined {
    return this.#ids.get(keyOf({ kind, owner: '', name }));
  }

  async write(change: Change): Promise<string | undefined> {
    const kind = kindNamed(change.item.kind) as Kind;
    const place = { organization: this.#organization, ownerId: this.#ownerId(kind, change.item) };
    const { fallback } = kind;
    try {
      await this.#send(kind, place, change);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== UNPROCESSABLE) throw error;
      const names = Object.keys(fallback?.attributes ?? {});
      if (fallback === undefined || !names.some((name) => change.attributes.includes(name))) throw error;
      const item = { ...change.item, attributes: { ...change.item.attributes, ...fallback.attributes } };
      await this.#send(kind, place, { ...change, item });
      return `${fallback.nextStep} (${error.message})`;
    }
  }

  #ownerId(kind: Kind, item: Item): string {
    if (kind.owner === undefined) return '';
    const id = this.idOf(kind.owner, item.owner);
    if (id === undefined) throw new Refused(0, `it was left out, because ${item.owner} could not be created`);
    return id;
  }

  async #send(kind: Kind, place: Place, { action, item, attributes, links }: Change): Promise<void> {
    const values = Object.fromEntries(attributes.map((name) => [name, item.attributes[name]]));
    const changes: Changes = { attributes: values, links: this.#linkIds(kind, item, links) };
    const id = action === 'create' ? await this.#create(kind, place, item, changes) : this.#ids.get(keyOf(item));
    if (id === undefined) return;
    if (action === 'update') await this.#update(kind, place, id, changes);
    if (action === 'update' || kind.body === undefined) await kind.more?.write(this.#connection, id, changes);
  }

  async #create(kind: Kind, place: Place, item: Item, changes: Changes): Promise<string | undefined> {
    const path = kind.path(place).replace(/\?.*/, '');
    const body = kind.body?.(item, changes.links) ?? { data: this.#data(kind, changes, place) };
    const answer = (await this.#connection.send('POST', path, body)) as { readonly data?: unknown } | undefined;
    if (answer?.data === undefined || Array.isArray(answer.data)) return undefined;
    const { id } = resourceOf(answer.data, path);
    this.#ids.set(keyOf(item), id);
    return id;
  }

  async #update(kind: Kind, place: Place, id: string, changes: Changes): Promise<void> {
    const { attributes, relationships } = this.#data(kind, changes);
    if (Object.keys(attributes).length + Object.keys(relationships).length === 0) return;
    await this.#connection.send('PATCH', kind.onePath(id, place), {
      data: { type: kind.type, id, attributes, relationships },
    });
  }

  #data(kind: Kind, { attributes, links }: Changes, creation?: Place) {
    const own = kind.prepare?.(attributes, links) ?? attributes;
    const sent: Record<string, Json> = {};
    const relationships: Record<string, { data: unknown }> = {};
    for (const [name, value] of Object.entries(own)) if (!kind.more?.attributes.includes(name)) sent[name] = value;
    for (const [name, ids] of Object.entries(links)) {
      const rule = kind.links?.[name];
      if (rule === undefined || rule.isSeparate) continue;
      const data = ids.map((id) => ({ type: rule.type, id }));
      if (rule.attribute === undefined) relationships[name] = { data: rule.isMany ? data : data[0] };
      else sent[rule.attribute] = ids[0];
    }
    const owner = creation && kind.ownerRelationship;
    if (owner) relationships[owner.name] = { data: { type: owner.type, id: creation.ownerId } };
    return { type: kind.type, attributes: sent, relationships };
  }

  #linkIds(kind: Kind, item: Item, names: readonly string[]): Record<string, readonly string[]> {
    return Object.fromEntries(
      names.map((name) => {
        const rule = kind.links?.[name];
        const found = (item.links[name] ?? []).map((one) => this.idOf(rule?.kind ?? '', one));
        const ids = found.filter((id) => id !== undefined);
        if (rule?.isRequired && ids.length === 0) {
          throw new Refused(0, `it was left out, because ${item.links[name]?.join(', ')} could not be created`);
        }
        return [name, ids];
      }),
    );
  }
}
