import { isoTime } from '../../../../lib/clock.ts';
import type { DigestEntry, DigestSection, DigestStory } from '../notification.ts';
import type { Fact, Summary } from '../summary.ts';

const TITLES: Readonly<Record<DigestSection['kind'], string>> = {
  confirmation: 'Waiting for confirmation',
  errored: 'Last run errored',
  drifted: 'Drifted',
  'auto-destroy': 'Automatic destroy run overdue',
};

/** Payload of a digest, in the form of HCP Terraform's version 2. HCP Terraform has no digest. */
export function digestPayload(id: string, story: DigestStory): object {
  const { happenedAt, origin, organizationName, scopeName, sections } = story;
  return {
    payload_version: '2',
    notification_configuration_id: id,
    notification_configuration_url: `${origin}/api/v2/notification-configurations/${id}`,
    trigger_scope: 'digest',
    trigger: 'digest',
    message: sentenceOf(story),
    details: {
      created_at: isoTime(happenedAt),
      organization_name: organizationName,
      scope_name: scopeName,
      sections: sections.map(({ entries, kind, total }) => ({
        kind,
        total,
        workspaces: entries.map((entry) => ({
          workspace_name: entry.workspaceName,
          run_id: entry.runId,
          since: entry.since === null ? null : isoTime(entry.since),
          url: urlOf(story, entry),
        })),
      })),
    },
  };
}

/** Digest for people. */
export function digestSummary(story: DigestStory): Summary {
  const { happenedAt, origin, organizationName, scopeName, sections } = story;
  return {
    sentence: sentenceOf(story),
    detail: '',
    subject: ['Scope', scopeName ?? `organization ${organizationName}`],
    facts: sections.map((section): Fact => [`${TITLES[section.kind]} (${section.total})`, linesOf(story, section)]),
    color: 'warning',
    link: { title: 'Open the workspaces', url: `${origin}/app/${organizationName}/workspaces` },
    needsAction: false,
    at: happenedAt,
  };
}

function sentenceOf({ organizationName, sections }: DigestStory): string {
  const total = sections.reduce((sum, section) => sum + section.total, 0);
  return `${organizationName}: ${total} ${total === 1 ? 'workspace waits' : 'workspaces wait'} for someone`;
}

function linesOf(story: DigestStory, { entries, total }: DigestSection): string {
  const lines = entries.map((entry) => {
    const since = entry.since === null ? '' : ` since ${isoTime(entry.since).slice(0, 16)}Z`;
    return `${entry.workspaceName}${since}: ${urlOf(story, entry)}`;
  });
  const more = total - entries.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function urlOf({ origin, organizationName }: DigestStory, { runId, workspaceName }: DigestEntry): string {
  const workspace = `${origin}/app/${organizationName}/workspaces/${workspaceName}`;
  return runId === null ? workspace : `${workspace}/runs/${runId}`;
}
