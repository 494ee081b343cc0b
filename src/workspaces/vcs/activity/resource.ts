import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { nullableEnum } from '../../jsonapi/schema.ts';
import { attribute, is, link, relationship, resourceOf, time, toOne } from '../../resource/index.ts';
import { isInstallation } from '../connection/connection.ts';
import type { Hook, StoredDelivery } from '../hook/hook.ts';
import type { Hint } from '../provider/port.ts';
import { shownVerdict, VERDICT_ATTRIBUTES, VerdictShape } from '../verdict/attributes.ts';
import type { LinkView, RepositoryView } from './activity.ts';
import type { WorkspaceVerdict } from './event-page.ts';
import type { JudgedEvent, ShownEvent } from './store.ts';

const HEALTHS = ['ok', 'gone', 'forbidden', 'unreachable'] as const;
const HookState = Type.Enum(['none', 'wanted', 'made', 'manual', 'removed']);

const timeOf = (milliseconds: number | null = null) => (milliseconds === null ? null : isoTime(milliseconds));

/** An event, in a list of a workspace with its verdict. The attributes are those of HCP Terraform and further ones. */
export const EventResource = resourceOf<ShownEvent & Partial<JudgedEvent>>()('vcs-events', {
  attributes: {
    'created-at': attribute(is.text, ({ createdAt }) => goTime(createdAt)),
    level: attribute(Type.Enum(['info', 'error']), ({ problem }) => (problem === null ? 'info' : 'error')),
    message: attribute(is.text, messageOf),
    'organization-id': attribute(is.text, 'organizationId'),
    'suggested-action': attribute(is.textOrNull, 'problem'),
    kind: attribute(Type.Enum(['push', 'tag', 'pull']), 'kind'),
    state: attribute(Type.Enum(['waiting', 'done', 'failed']), 'state'),
    ref: attribute(is.text, 'ref'),
    'before-sha': attribute(is.textOrNull, 'beforeId'),
    'after-sha': attribute(is.textOrNull, 'afterId'),
    'repository-identifier': attribute(is.text, 'identifier'),
    'sender-name': attribute(is.textOrNull, ({ details }) => details.sender?.name ?? null),
    'compare-url': attribute(is.textOrNull, ({ details }) => details.compareUrl),
    'pull-request-number': attribute(is.integerOrNull, ({ details }) => details.pull?.number ?? null),
    'report-problem': attribute(is.textOrNull, 'reportProblem'),
    'run-count': attribute(is.integer, 'runs'),
    'verdict-count': attribute(is.integer, 'verdicts'),
    verdict: attribute(Type.Optional(VerdictShape), ({ verdict }) => verdict && shownVerdict(verdict)),
  },
  relationships: {
    'oauth-client': toOne('oauth-clients', 'oauthClientId'),
    'oauth-token': toOne('oauth-tokens', ({ oauthClientId, connectionId }) =>
      oauthClientId === null ? null : connectionId,
    ),
    'vcs-repository': toOne('vcs-repositories', 'repositoryId'),
    run: relationship(Type.Optional(is.toOne('runs')), ({ runId }) =>
      runId === undefined ? undefined : { data: runId === null ? null : { type: 'runs', id: runId } },
    ),
  },
});

/** Format of HCP Terraform: that of Go's `time.Time.String`. */
function goTime(milliseconds: number): string {
  return `${isoTime(milliseconds).replace('T', ' ').replace('Z', '')} +0000 UTC`;
}

function messageOf({ kind, ref, identifier, afterId, details, state, runs, verdicts }: ShownEvent): string {
  const { pull } = details;
  const names = { push: `branch ${ref}`, tag: `tag ${ref}`, pull: `pull request ${pull?.number ?? ''}` };
  const what = `${names[kind]} of ${identifier}`;
  if (afterId === null) return `The ${what} was ${kind === 'pull' ? 'closed' : 'deleted'}`;
  const commit = `${afterId.slice(0, 7)} in the ${what}`;
  if (state === 'failed') return `The server could not work on commit ${commit}`;
  if (state === 'waiting') return `The server works on commit ${commit}`;
  return `Commit ${commit}: ${runs} of ${verdicts} workspaces run`;
}

/** URL of the webhook, and its secret, which is shown once, after it was made. */
export interface ShownHook {
  /** Null without a configured URL of this server. */
  readonly url: string | null;
  readonly secret?: string | undefined;
}

/** A repository that workspaces follow, and its webhook. */
export const RepositoryResource = resourceOf<RepositoryView, [shown: ShownHook]>()('vcs-repositories', {
  id: ({ repository }) => repository.id,
  attributes: {
    identifier: attribute(is.text, ({ repository }) => repository.identifier),
    'display-identifier': attribute(is.text, ({ repository }) => repository.displayIdentifier),
    'http-url': attribute(is.text, ({ repository }) => repository.httpUrl),
    'default-branch': attribute(is.textOrNull, ({ repository }) => repository.defaultBranch),
    health: attribute(Type.Enum([...HEALTHS]), ({ repository }) => repository.health),
    'health-reason': attribute(is.textOrNull, ({ repository }) => repository.healthReason),
    'health-since': attribute(is.time, ({ repository }) => isoTime(repository.healthSince)),
    'looked-up-at': attribute(is.timeOrNull, ({ repository }) => timeOf(repository.lookedAt)),
    'webhook-state': attribute(HookState, ({ hook }) => hook?.state ?? 'none'),
    'webhook-problem': attribute(is.textOrNull, ({ hook }) => hook?.problem ?? null),
    'webhook-url': attribute(is.textOrNull, ({ hook }, { url }) => urlOf(hook, url)),
    'webhook-by-hand': attribute(is.flag, ({ hook }) => hook?.state === 'manual'),
    'webhook-secret': attribute(is.textOrNull, (_, { secret = null }) => secret),
    'last-delivery-at': attribute(is.timeOrNull, ({ hook }) => timeOf(hook?.lastDeliveryAt)),
    'workspace-count': attribute(is.integer, 'workspaces'),
  },
  relationships: {
    'oauth-token': toOne('oauth-tokens', ({ repository: { connectionId } }) =>
      isInstallation(connectionId) ? null : connectionId,
    ),
    'github-app-installation': toOne('github-app-installations', ({ repository: { connectionId } }) =>
      isInstallation(connectionId) ? connectionId : null,
    ),
    deliveries: link(({ repository }) => `/api/v2/vcs-repositories/${repository.id}/deliveries`),
  },
  links: ({ repository }) => ({ self: `/api/v2/vcs-repositories/${repository.id}` }),
});

function urlOf(hook: Hook | undefined, url: string | null): string | null {
  return hook === undefined || hook.state === 'removed' ? null : url;
}

/** The link of a workspace to its repository. `url`: that of the webhook. */
export const LinkResource = resourceOf<LinkView, [url: string | null]>()('vcs-links', {
  id: ({ workspaceId }) => workspaceId,
  attributes: {
    // waiting: the provider has not been asked yet.
    state: attribute(Type.Enum(['waiting', 'linked', 'problem']), ({ repository, link: { problem } }) =>
      repository !== undefined ? 'linked' : problem === null ? 'waiting' : 'problem',
    ),
    problem: attribute(is.textOrNull, ({ link: { problem } }) => problem),
    'display-identifier': attribute(is.textOrNull, ({ repository }) => repository?.displayIdentifier ?? null),
    'http-url': attribute(is.textOrNull, ({ repository }) => repository?.httpUrl ?? null),
    'default-branch': attribute(is.textOrNull, ({ repository }) => repository?.defaultBranch ?? null),
    health: attribute(nullableEnum(HEALTHS), ({ repository }) => repository?.health ?? null),
    'health-reason': attribute(is.textOrNull, ({ repository }) => repository?.healthReason ?? null),
    'health-since': attribute(is.timeOrNull, ({ repository }) => timeOf(repository?.healthSince)),
    'looked-up-at': attribute(is.timeOrNull, ({ repository }) => timeOf(repository?.lookedAt)),
    'next-look-up-at': attribute(is.timeOrNull, ({ link: { dueAt } }) => timeOf(dueAt)),
    'webhook-state': attribute(HookState, ({ hook }) => hook?.state ?? 'none'),
    'webhook-problem': attribute(is.textOrNull, ({ hook }) => hook?.problem ?? null),
    'webhook-url': attribute(is.textOrNull, ({ hook, showsUrl }, url) => (showsUrl ? urlOf(hook, url) : null)),
    'last-delivery-at': attribute(is.timeOrNull, ({ hook }) => timeOf(hook?.lastDeliveryAt)),
  },
  relationships: {
    workspace: toOne('workspaces', 'workspaceId'),
    'vcs-repository': toOne('vcs-repositories', ({ link: { repositoryId } }) => repositoryId),
  },
});

const PLANS = ['waiting', 'running', 'changes', 'unchanged', 'failed', 'canceled'] as const;
const APPLIES = ['none', 'confirmation', 'running', 'applied', 'failed', 'canceled', 'discarded'] as const;

/** The verdict of one workspace about an event. Only users who may read its runs see the result. */
export const VerdictResource = resourceOf<WorkspaceVerdict, [eventId: string]>()('vcs-verdicts', {
  id: ({ workspaceId }, eventId) => `${eventId}-${workspaceId}`,
  attributes: {
    'workspace-name': attribute(is.text, ({ workspace }) => workspace.name),
    ...VERDICT_ATTRIBUTES,
    'plan-progress': attribute(nullableEnum(PLANS), (verdict) => resultOf(verdict)?.plan ?? null),
    'apply-progress': attribute(nullableEnum(APPLIES), (verdict) => resultOf(verdict)?.apply ?? null),
    'resource-additions': attribute(is.integerOrNull, (verdict) => resultOf(verdict)?.add ?? null),
    'resource-changes': attribute(is.integerOrNull, (verdict) => resultOf(verdict)?.change ?? null),
    'resource-destructions': attribute(is.integerOrNull, (verdict) => resultOf(verdict)?.destroy ?? null),
    'can-approve': attribute(is.flag, ({ workspace }) => workspace.permissions['can-queue-run']),
  },
  relationships: { workspace: toOne('workspaces', 'workspaceId'), run: toOne('runs', 'runId') },
});

function resultOf({ workspace, result }: WorkspaceVerdict) {
  return workspace.permissions['can-read-run'] ? result : undefined;
}

/** A delivery of a webhook. */
export const DeliveryResource = resourceOf<StoredDelivery>()('vcs-deliveries', {
  attributes: {
    'delivery-id': attribute(is.text, 'deliveryId'),
    'received-at': time('receivedAt'),
    outcome: attribute(is.text, ({ outcome }) => outcome ?? 'waits for a look-up'),
    hints: attribute(is.texts, ({ hints }) => (JSON.parse(hints) as Hint[]).map(hintText)),
  },
});

function hintText(hint: Hint): string {
  if (hint.kind === 'push') return `push ${hint.ref}`;
  return hint.kind === 'pull' ? `pull request ${hint.number}` : hint.kind;
}
