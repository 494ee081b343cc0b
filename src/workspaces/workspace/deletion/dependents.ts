import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { KeyValue } from '../../tenancy/index.ts';
import * as consumerStore from '../consumer/store.ts';
import type { Dependent } from '../hooks/hooks.ts';
import * as bindingStore from '../tag/binding-store.ts';
import * as tagStore from '../tag/store.ts';
import { attachTags } from '../tag/tagging.ts';
import { type KeptGrant, restoreGrants, takeGrants } from './grant-keeping.ts';

/**
 * Removes the rows by which others would find a deleted workspace, and puts them back when the workspace is restored.
 */
export function ownDependents(clock: Clock): readonly Dependent[] {
  return [flatTags(clock), keyValueTags(clock), SHARING, ACCESS];
}

function flatTags(clock: Clock): Dependent {
  return {
    name: 'tags',
    async detach(tx, { id }) {
      const names = await tagStore.tagNames(tx, id);
      await tagStore.detachAllTags(tx, id);
      return names;
    },
    async attach(tx, workspace, kept) {
      const targets = (kept as string[]).map((name) => ({ name }));
      await attachTags(tx, workspace, targets, clock());
    },
  };
}

function keyValueTags(clock: Clock): Dependent {
  return {
    name: 'tag-bindings',
    async detach(tx, { id }): Promise<KeyValue[]> {
      const bindings = await bindingStore.bindingsOfWorkspace(tx, id);
      for (const binding of bindings) await bindingStore.removeBinding(tx, binding.id);
      return bindings.map(({ key, value }) => ({ key, value }));
    },
    // Restores the tags unchanged: keys that the organization reserved in the meantime must not prevent the
    // restore.
    async attach(tx, { id, name, organizationId }, kept) {
      const owner = { organizationId, workspaceId: id, workspaceName: name };
      for (const { key, value } of kept as KeyValue[]) {
        const now = clock();
        await bindingStore.putBinding(tx, { id: prefixedId('tb', now), ...owner, key, value, createdAt: now });
      }
    },
  };
}

/** Restores the remote state links in both directions. */
const SHARING: Dependent = {
  name: 'remote-state-consumers',
  async detach(tx, { id }) {
    const sharings = await consumerStore.listSharings(tx, id);
    await consumerStore.detachConsumer(tx, id);
    return sharings;
  },
  async attach(tx, _workspace, kept) {
    for (const { workspaceId, consumerId } of kept as consumerStore.Sharing[]) {
      await consumerStore.addConsumer(tx, workspaceId, consumerId);
    }
  },
};

/** Restores the access of teams. */
const ACCESS: Dependent = {
  name: 'team-workspaces',
  detach: (tx, { id }) => takeGrants(tx, id),
  attach: (tx, { id }, kept) => restoreGrants(tx, id, kept as KeptGrant[]),
};
