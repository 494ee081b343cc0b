import { toOne as identifierOf } from '../../jsonapi/document.ts';
import { attribute, is, relationship, resourceOf, time, timeOrNull, toOne } from '../../resource/index.ts';
import type { LockEvent } from './store.ts';

/** One entry of the lock history. HCP Terraform has no such resource. */
export const LockEventResource = resourceOf<LockEvent>()('lock-events', {
  attributes: {
    reason: attribute(is.text, 'reason'),
    'locked-at': time('lockedAt'),
    'locked-by-name': attribute(is.textOrNull, ({ holderName }) => holderName || null),
    'unlocked-at': timeOrNull('unlockedAt'),
    'unlocked-by-name': attribute(is.textOrNull, ({ unlockerName }) => unlockerName || null),
    'held-seconds': attribute(is.integerOrNull, ({ unlockedAt, lockedAt }) =>
      unlockedAt === null ? null : Math.round((unlockedAt - lockedAt) / 1000),
    ),
    forced: attribute(is.flag, ({ forced }) => forced === 1),
  },
  relationships: {
    workspace: toOne('workspaces', 'workspaceId'),
    'locked-by': relationship(is.toOne(), ({ holderType, holderId }) => identifierOf(holderType, holderId)),
    'unlocked-by': relationship(is.toOne(), ({ unlockerType, unlockerId }) =>
      identifierOf(unlockerType ?? '', unlockerId),
    ),
  },
});
