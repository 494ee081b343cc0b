import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { checkBindingCount, type KeyValue } from '../../tenancy/index.ts';
import * as bindingStore from './binding-store.ts';
import { checkNotLocked, checkTagsOf, mayBeTooMany, type TagTarget } from './rules.ts';
import * as tagStore from './store.ts';

/** The workspace whose tags change, inside a unit of work that has its row. */
export interface Tagged {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
}

/**
 * Gives the workspace tags, as far as it may have more. `pointer` leads to what asks for them.
 * @throws 404 for an unknown id, 422 when there would be too many
 */
export async function addTags(
  tx: Transaction,
  to: Tagged,
  targets: readonly TagTarget[],
  now: number,
  pointer: string,
): Promise<void> {
  if (await attachTags(tx, to, targets, now)) checkTagsOf(await tagStore.tagSize(tx, to.id), pointer);
}

/**
 * The same for one that is new. What it has is not read unless it could be too much: on PostgreSQL whoever reads beside what
 * others write at the same time is in their way.
 */
export async function addFirstTags(
  tx: Transaction,
  to: Tagged,
  targets: readonly TagTarget[],
  now: number,
  pointer: string,
): Promise<void> {
  if (!(await attachTags(tx, to, targets, now))) return;
  if (mayBeTooMany(targets)) checkTagsOf(await tagStore.tagSize(tx, to.id), pointer);
}

/**
 * Gives the workspace tags, which are made where the organization lacks them. False when it has all of them.
 * @throws 404 for an unknown id
 */
export async function attachTags(
  tx: Transaction,
  to: Tagged,
  targets: readonly TagTarget[],
  now: number,
): Promise<boolean> {
  const { organizationId } = to;
  const attached = inOrder(targets).map(async (target) => {
    const tagId =
      'id' in target
        ? await tagStore.idById(tx, organizationId, target.id)
        : await tagStore.ensureTag(tx, { id: prefixedId('tag', now), organizationId, name: target.name, now });
    if (tagId === undefined) throw notFound();
    return tagStore.attachTag(tx, tagId, to.id, to.name);
  });
  return (await Promise.all(attached)).includes(true);
}

/** Takes the tags away; an unknown name is passed over (spec §4.10). @throws 404 for an unknown id */
export async function detachTags(tx: Transaction, from: Tagged, targets: readonly TagTarget[]): Promise<void> {
  for (const target of inOrder(targets)) {
    const { organizationId } = from;
    const byId = 'id' in target;
    const tagId = byId
      ? await tagStore.idById(tx, organizationId, target.id)
      : await tagStore.idByName(tx, organizationId, target.name);
    if (tagId !== undefined) await tagStore.detachTag(tx, tagId, from.id);
    else if (byId) throw notFound();
  }
}

/** Always the same order, so that two units of work do not wait for each other. */
function inOrder(targets: readonly TagTarget[]): TagTarget[] {
  const key = (target: TagTarget) => ('id' in target ? target.id : target.name);
  return targets.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/**
 * Binds the keys to their values. Keys that are not named stay.
 * @throws 422 when there would be too many, or the project has the last word about one
 */
export async function putBindings(
  tx: Transaction,
  to: Tagged,
  bindings: readonly KeyValue[],
  now: number,
): Promise<void> {
  if (bindings.length === 0) return;
  checkNotLocked(bindings, await bindingStore.lockedKeys(tx, to.id));
  const known = await bindingStore.bindingsOfWorkspace(tx, to.id);
  checkBindingCount(new Set([...known, ...bindings].map(({ key }) => key)).size);
  const owner = { organizationId: to.organizationId, workspaceId: to.id, workspaceName: to.name };
  for (const { key, value } of bindings) {
    await bindingStore.putBinding(tx, { id: prefixedId('tb', now), ...owner, key, value, createdAt: now });
  }
}

/** Binds the keys to their values, and no others. */
export async function replaceBindings(
  tx: Transaction,
  of: Tagged,
  bindings: readonly KeyValue[],
  now: number,
): Promise<void> {
  const kept = new Set(bindings.map(({ key }) => key));
  for (const { id, key } of await bindingStore.bindingsOfWorkspace(tx, of.id)) {
    if (!kept.has(key)) await bindingStore.removeBinding(tx, id);
  }
  await putBindings(tx, of, bindings, now);
}
