import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { checkBindingCount, type KeyValue } from '../../tenancy/index.ts';
import * as bindingStore from './binding-store.ts';
import { checkNotLocked, checkTagsOf, mayBeTooMany, type TagTarget } from './rules.ts';
import * as tagStore from './store.ts';

/** The workspace to tag, whose row the transaction has locked. */
export interface Tagged {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
}

/**
 * Adds tags to the workspace within its limits. `pointer` refers to the input.
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
 * Adds tags to a new workspace. Reads its tags only if they could exceed a limit: on PostgreSQL, such a read conflicts
 * with concurrent writes (serializable isolation).
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
 * Adds tags to the workspace and creates missing ones. Returns false if the workspace has all of them.
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

/** Removes tags from the workspace. Ignores unknown names (spec §4.10). @throws 404 for an unknown id */
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

/** A fixed order prevents deadlocks between transactions. */
function inOrder(targets: readonly TagTarget[]): TagTarget[] {
  const key = (target: TagTarget) => ('id' in target ? target.id : target.name);
  return targets.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/**
 * Sets the values of the keys and keeps other keys.
 * @throws 422 when there would be too many, or the project's value of a key cannot be overridden
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

/** Sets the values of the keys and removes other keys. */
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
