import type { ChangedResources } from '../hooks/run-results.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { commentText, isPlanned, listedRuns, MAX_LISTED_RESOURCES, markerOf } from './comment.ts';
import { type CommitFacts, isTriggered, reportLinks } from './facts.ts';
import { type CommitEvent, eventsOf, findEventOf, findPlace, type ReportPlace } from './facts-store.ts';
import { pauseBetweenUpdates } from './pace.ts';
import { readFacts } from './read-facts.ts';
import {
  type Progress,
  type ReportEntry,
  type ReportWork,
  type ReportWorkOptions,
  storing,
  targetOf,
} from './report-work.ts';
import { changedItems, type ReportTarget, sendItems, type WantedItem } from './sending.ts';
import { itemsOf } from './store.ts';

/** Comments of pull requests: one for each, updated in place. */
export class PullReports {
  readonly #options: ReportWorkOptions;

  constructor(options: ReportWorkOptions) {
    this.#options = options;
  }

  /** Returns the work of a report; undefined if its event was deleted. */
  async workOf(entry: ReportEntry): Promise<ReportWork | undefined> {
    const { database } = this.#options;
    const { repositoryId, eventId } = entry.row;
    const place = await findPlace(database, repositoryId);
    const newest = eventId === null ? undefined : await findEventOf(database, eventId);
    if (place === undefined || newest === undefined) return undefined;
    const { connectionId } = place;
    return {
      ...{ since: newest.createdAt, connectionId },
      send: (signal) => this.#send(entry, place, newest, signal),
    };
  }

  async #send(entry: ReportEntry, place: ReportPlace, newest: CommitEvent, signal: AbortSignal): Promise<Progress> {
    const { clock, database, hooks, organizations } = this.#options;
    const settings = await organizations.settingsOf(database, place.organizationId);
    if (settings?.['pull-request-comments'] !== true) return { dueAt: null, problem: null };
    // A commit may have several events, such as that of a draft and that of its review.
    const all = await eventsOf(database, place.id, newest.commitId ?? '');
    const events = all.filter(({ kind, pull }) => kind === 'pull' && pull?.number === newest.pull?.number);
    const facts = await readFacts(database, hooks.runResults, place, events);
    const stored = await itemsOf(database, entry.id);
    const isOver = isPlanned(facts) || entry.row.closed === 1;
    const pause = pauseBetweenUpdates(clock() - newest.createdAt);
    const again = isOver ? null : clock() + pause;
    // Providers notify people of new comments, but not of updates: the first text should be complete. A pull request that
    // concerns no workspace gets none.
    if (stored.length === 0 && !(isPlanned(facts) && facts.workspaces.some(isTriggered)))
      return { dueAt: again, problem: null };
    const target = await targetOf(this.#options, place);
    if (target === undefined) return { dueAt: null, problem: null };
    const wanted = await this.#item(entry, { place, newest, facts, target });
    const changed = changedItems([wanted], stored);
    const earliest = (entry.row.sentAt ?? 0) + pause;
    if (changed.length === 0) return { dueAt: again, problem: null };
    if (!isOver && clock() < earliest) return { dueAt: earliest, problem: null };
    const sent = await sendItems(changed, stored, storing(this.#options, entry), signal);
    return { dueAt: sent.isComplete ? again : clock(), problem: sent.problem };
  }

  async #item(
    entry: ReportEntry,
    given: { place: ReportPlace; newest: CommitEvent; facts: CommitFacts; target: ReportTarget },
  ): Promise<WantedItem> {
    const { place, newest, facts, target } = given;
    const { reports, access, repository } = target;
    const store = storing(this.#options, entry);
    const marker = markerOf(entry.id);
    const text = commentText({
      ...{ facts, marker, commitId: newest.commitId ?? '', isClosed: entry.row.closed === 1 },
      resources: await this.#resources(facts),
      links: reportLinks(this.#options.address, place.organizationName, place.httpUrl),
      hasHtml: reports.hasPlainMarkdown !== true,
      limit: reports.limits.comment,
    });
    const number = Number(entry.row.subject);
    return {
      ...{ kind: 'comment', context: '', state: 'success', content: text },
      send: async (stored) => {
        let commentId = stored?.providerId ?? null;
        // A process was killed before it knew the id of its comment.
        if (stored?.sent === null)
          commentId ??= (await reports.findComment?.(access, repository, number, marker)) ?? null;
        if (stored === undefined && !(await store({ ...CREATING, sent: null, providerId: null }))) {
          throw new ProviderError('unreachable', 'Another node reports this pull request');
        }
        return reports.comment(access, repository, { number, commentId, text });
      },
    };
  }

  async #resources(facts: CommitFacts): Promise<Map<string, ChangedResources>> {
    const found = new Map<string, ChangedResources>();
    for (const { runId } of listedRuns(facts)) {
      const changed = await this.#options.hooks.runResults.changedResources(runId, MAX_LISTED_RESOURCES);
      if (changed !== undefined) found.set(runId, changed);
    }
    return found;
  }
}

/** Row of a comment that is being created. */
const CREATING = { kind: 'comment', context: '', state: 'success' } as const;
