import Type from 'typebox';
import { objectId, senderOf } from '../delivery.ts';
import { deliveryMembers } from '../http/delivery-json.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Hint, RawDelivery } from '../port.ts';
import { links } from './pulls.ts';

const repository = Type.Object({ id: Type.Integer() });
const actor = optional(Type.Object({ name: optionalText, displayName: optionalText, links }));
const readKey = reader('Bitbucket event', Type.Object({ eventKey: optionalText }));
const readPush = reader(
  'Bitbucket push event',
  Type.Object({
    ...{ repository, actor },
    changes: Type.Array(Type.Object({ refId: Type.String(), fromHash: Type.String(), toHash: Type.String() })),
  }),
);
const readPull = reader(
  'Bitbucket pull request event',
  Type.Object({
    actor,
    pullRequest: Type.Object({ id: Type.Integer({ minimum: 1 }), toRef: Type.Object({ repository }) }),
  }),
);
const readRepositoryEvent = reader('Bitbucket repository event', Type.Object({ new: repository }));

const MEMBERS: ReadonlySet<string> = new Set(['eventKey', 'actor', 'repository', 'changes', 'pullRequest', 'new']);

/** Reads a delivery of Bitbucket Data Center. */
export function parseBitbucketServer({ headers, body }: RawDelivery): Hint[] {
  const members = deliveryMembers(body, MEMBERS);
  switch (headers['x-event-key'] ?? readKey(members).eventKey) {
    case 'repo:refs_changed':
      return pushHints(readPush(members));
    case 'pr:opened':
    case 'pr:modified':
    case 'pr:from_ref_updated':
    case 'pr:to_ref_updated':
    case 'pr:merged':
    case 'pr:declined':
    case 'pr:deleted':
      return [pullHint(readPull(members))];
    case 'repo:modified':
      return [{ kind: 'repository', repositoryId: String(readRepositoryEvent(members).new.id) }];
    default:
      return [];
  }
}

function pushHints({ repository, actor, changes }: ReturnType<typeof readPush>): Hint[] {
  return changes.map((change) => ({
    ...{ kind: 'push', repositoryId: String(repository.id), ref: change.refId },
    ...{ before: objectId(change.fromHash), after: objectId(change.toHash) },
    ...{ sender: actorOf(actor), compareUrl: null },
  }));
}

function pullHint({ actor, pullRequest: { id, toRef } }: ReturnType<typeof readPull>): Hint {
  return { kind: 'pull', repositoryId: String(toRef.repository.id), number: id, sender: actorOf(actor) };
}

const actorOf = (person: ReturnType<typeof readPush>['actor']) =>
  senderOf({ name: person?.name ?? person?.displayName, url: person?.links?.self?.[0]?.href });
