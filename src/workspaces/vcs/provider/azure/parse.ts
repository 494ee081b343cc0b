import Type, { type Static } from 'typebox';
import { objectId, senderOf } from '../delivery.ts';
import { deliveryMembers } from '../http/delivery-json.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Hint, RawDelivery } from '../port.ts';
import { linkUrl } from '../text.ts';
import { withoutUser } from '../urls.ts';

/** Header that our subscriptions send: the provider's id of the repository, with its organization. */
export const REPOSITORY_HEADER = 'x-lockkeeper-repository';

const PUSH = 'git.push';
const PULLS = ['git.pullrequest.created', 'git.pullrequest.updated', 'git.pullrequest.merged'];
/** Kinds of events. `merged` says that Azure DevOps has tried to merge, after which it knows the head. */
export const EVENTS: readonly string[] = [PUSH, ...PULLS];

const person = optional(Type.Object({ displayName: optionalText, imageUrl: optionalText }));
const repository = Type.Object({ id: Type.String(), remoteUrl: optionalText });
const update = Type.Object({ name: Type.String(), oldObjectId: optionalText, newObjectId: optionalText });
const push = Type.Object({ repository, pushedBy: person, refUpdates: Type.Array(update) });
const pull = Type.Object({ repository, pullRequestId: Type.Integer({ minimum: 1 }), createdBy: person });

const readKind = reader('service hook event', Type.Object({ eventType: Type.String() }));
const readPush = reader('service hook event of a push', Type.Object({ resource: push }));
const readPull = reader('service hook event of a pull request', Type.Object({ resource: pull }));

const MEMBERS: ReadonlySet<string> = new Set(['eventType', 'resource']);

/** Reads a delivery of a service hook. */
export function parseAzure({ headers, body }: RawDelivery): Hint[] {
  const members = deliveryMembers(body, MEMBERS);
  const { eventType } = readKind(members);
  if (eventType === PUSH) return pushHints(readPush(members).resource, headers[REPOSITORY_HEADER]);
  if (PULLS.includes(eventType)) return [pullHint(readPull(members).resource, headers[REPOSITORY_HEADER])];
  return [];
}

function pushHints({ repository, pushedBy, refUpdates }: Static<typeof push>, providerId: string | undefined): Hint[] {
  const page = withoutUser(repository.remoteUrl);
  return refUpdates.map((changed) => {
    const before = objectId(changed.oldObjectId);
    const after = objectId(changed.newObjectId);
    const compare = `${page}/branchCompare?baseVersion=GC${before}&targetVersion=GC${after}`;
    return {
      ...{ kind: 'push', repositoryId: repositoryIdOf(repository.id, providerId), ref: changed.name, before, after },
      sender: senderOf({ name: pushedBy?.displayName, avatarUrl: pushedBy?.imageUrl }),
      compareUrl: page && before && after ? linkUrl(compare) : null,
    };
  });
}

function pullHint(event: Static<typeof pull>, providerId: string | undefined): Hint {
  return {
    kind: 'pull',
    repositoryId: repositoryIdOf(event.repository.id, providerId),
    number: event.pullRequestId,
    sender: senderOf({ name: event.createdBy?.displayName, avatarUrl: event.createdBy?.imageUrl }),
  };
}

/** Returns the id in the header if it is that of the event's repository. */
function repositoryIdOf(id: string, providerId: string | undefined): string {
  return providerId?.endsWith(`/${id.toLowerCase()}`) ? providerId : id;
}
