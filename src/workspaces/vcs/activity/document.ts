import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import { isInstallation } from '../connection/connection.ts';
import type { EventDetails } from '../event/event.ts';
import { verdictAttributes } from '../explanation/document.ts';
import type { StoredDelivery } from '../hook/hook.ts';
import type { Hint } from '../provider/port.ts';
import type { Verdict } from '../verdict/decide.ts';
import type { LinkView, RepositoryView } from './activity.ts';
import type { WorkspaceVerdict } from './event-page.ts';
import type { JudgedEvent, ShownEvent } from './store.ts';

const timeOf = (time: number | null) => (time === null ? null : isoTime(time));

/** Returns the document of an event, with the attributes of HCP Terraform and further ones. */
export function eventResource(event: ShownEvent): Resource {
  const { sender, compareUrl, pull } = JSON.parse(event.details) as EventDetails;
  return {
    id: event.id,
    type: 'vcs-events',
    attributes: {
      'created-at': goTime(event.createdAt),
      level: event.problem === null ? 'info' : 'error',
      message: messageOf(event),
      'organization-id': event.organizationId,
      'suggested-action': event.problem,
      kind: event.kind,
      state: event.state,
      ref: event.ref,
      'before-sha': event.beforeId,
      'after-sha': event.afterId,
      'repository-identifier': event.identifier,
      'sender-name': sender?.name ?? null,
      'compare-url': compareUrl,
      'pull-request-number': pull?.number ?? null,
      'report-problem': event.reportProblem,
      'run-count': event.runs,
      'verdict-count': event.verdicts,
    },
    relationships: {
      'oauth-client': toOne('oauth-clients', event.oauthClientId),
      'oauth-token': toOne('oauth-tokens', event.oauthClientId === null ? null : event.connectionId),
      'vcs-repository': toOne('vcs-repositories', event.repositoryId),
    },
  };
}

/** Returns an event with the verdict of one workspace. */
export function judgedResource(event: JudgedEvent): Resource {
  const { attributes, relationships, ...resource } = eventResource(event);
  const verdict = verdictAttributes(JSON.parse(event.detail) as Verdict);
  return {
    ...resource,
    attributes: { ...attributes, verdict },
    relationships: { ...relationships, run: toOne('runs', event.runId) },
  };
}

/** Format of HCP Terraform: that of Go's `time.Time.String`. */
function goTime(time: number): string {
  return `${isoTime(time).replace('T', ' ').replace('Z', '')} +0000 UTC`;
}

function messageOf({ kind, ref, identifier, afterId, details, state, runs, verdicts }: ShownEvent): string {
  const { pull } = JSON.parse(details) as EventDetails;
  const names = { push: `branch ${ref}`, tag: `tag ${ref}`, pull: `pull request ${pull?.number ?? ''}` };
  const what = `${names[kind]} of ${identifier}`;
  if (afterId === null) return `The ${what} was ${kind === 'pull' ? 'closed' : 'deleted'}`;
  const commit = `${afterId.slice(0, 7)} in the ${what}`;
  if (state === 'failed') return `The server could not work on commit ${commit}`;
  if (state === 'waiting') return `The server works on commit ${commit}`;
  return `Commit ${commit}: ${runs} of ${verdicts} workspaces run`;
}

/** Returns the document of a repository. The secret is shown once, after it was made. */
export function repositoryResource(
  { repository, hook, workspaces }: RepositoryView,
  url: string | null,
  secret?: string,
): Resource {
  const self = `/api/v2/vcs-repositories/${repository.id}`;
  const isManual = hook?.state === 'manual';
  const { connectionId } = repository;
  return {
    id: repository.id,
    type: 'vcs-repositories',
    attributes: {
      identifier: repository.identifier,
      'display-identifier': repository.displayIdentifier,
      'http-url': repository.httpUrl,
      'default-branch': repository.defaultBranch,
      health: repository.health,
      'health-reason': repository.healthReason,
      'health-since': isoTime(repository.healthSince),
      'looked-up-at': timeOf(repository.lookedAt),
      'webhook-state': hook?.state ?? 'none',
      'webhook-problem': hook?.problem ?? null,
      'webhook-url': hook === undefined || hook.state === 'removed' ? null : url,
      'webhook-by-hand': isManual,
      'webhook-secret': secret ?? null,
      'last-delivery-at': timeOf(hook?.lastDeliveryAt ?? null),
      'workspace-count': workspaces,
    },
    relationships: {
      'oauth-token': toOne('oauth-tokens', isInstallation(connectionId) ? null : connectionId),
      'github-app-installation': toOne('github-app-installations', isInstallation(connectionId) ? connectionId : null),
      deliveries: linked(`${self}/deliveries`),
    },
    links: { self },
  };
}

/** Returns the document of the link of a workspace to its repository. */
export function linkResource(
  { workspaceId, link, repository, hook, showsUrl }: LinkView,
  url: string | null,
): Resource {
  return {
    id: workspaceId,
    type: 'vcs-links',
    attributes: {
      // waiting: the provider has not been asked yet.
      state: repository !== undefined ? 'linked' : link.problem === null ? 'waiting' : 'problem',
      problem: link.problem,
      'display-identifier': repository?.displayIdentifier ?? null,
      'http-url': repository?.httpUrl ?? null,
      'default-branch': repository?.defaultBranch ?? null,
      health: repository?.health ?? null,
      'health-reason': repository?.healthReason ?? null,
      'health-since': timeOf(repository?.healthSince ?? null),
      'looked-up-at': timeOf(repository?.lookedAt ?? null),
      'next-look-up-at': timeOf(link.dueAt),
      'webhook-state': hook?.state ?? 'none',
      'webhook-problem': hook?.problem ?? null,
      'webhook-url': showsUrl && hook !== undefined && hook.state !== 'removed' ? url : null,
      'last-delivery-at': timeOf(hook?.lastDeliveryAt ?? null),
    },
    relationships: {
      workspace: toOne('workspaces', workspaceId),
      'vcs-repository': toOne('vcs-repositories', link.repositoryId),
    },
  };
}

/** Returns the document of the verdict of one workspace. Only users who may read its runs see the result. */
export function verdictResource(eventId: string, { workspace, detail, runId, result }: WorkspaceVerdict): Resource {
  const { id, name, permissions } = workspace;
  const shown = permissions['can-read-run'] ? result : undefined;
  return {
    id: `${eventId}-${id}`,
    type: 'vcs-verdicts',
    attributes: {
      'workspace-name': name,
      ...verdictAttributes(JSON.parse(detail) as Verdict),
      'plan-progress': shown?.plan ?? null,
      'apply-progress': shown?.apply ?? null,
      'resource-additions': shown?.add ?? null,
      'resource-changes': shown?.change ?? null,
      'resource-destructions': shown?.destroy ?? null,
      'can-approve': permissions['can-queue-run'],
    },
    relationships: { workspace: toOne('workspaces', id), run: toOne('runs', runId) },
  };
}

export function deliveryResource({ id, deliveryId, hints, outcome, receivedAt }: StoredDelivery): Resource {
  return {
    id,
    type: 'vcs-deliveries',
    attributes: {
      'delivery-id': deliveryId,
      'received-at': isoTime(receivedAt),
      outcome: outcome ?? 'waits for a look-up',
      hints: (JSON.parse(hints) as Hint[]).map(hintText),
    },
  };
}

function hintText(hint: Hint): string {
  if (hint.kind === 'push') return `push ${hint.ref}`;
  return hint.kind === 'pull' ? `pull request ${hint.number}` : hint.kind;
}
