import { checkSummary } from './comment.ts';
import { type WantedStatuses, wantedStatuses } from './commit-statuses.ts';
import { type CommitFacts, type ReportLinks, reportLinks } from './facts.ts';
import { type CommitEvent, eventsOf, findPlace, type ReportPlace } from './facts-store.ts';
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
import { changedItems, type ReportTarget, sendItems, statusItem, type WantedItem } from './sending.ts';
import * as store from './store.ts';

const FINISHED = new Set(['success', 'failure', 'error', 'canceled']);

/** Statuses and check runs of commits. */
export class CommitReports {
  readonly #options: ReportWorkOptions;

  constructor(options: ReportWorkOptions) {
    this.#options = options;
  }

  /** Returns the work of a report; undefined if its events were deleted. */
  async workOf(entry: ReportEntry): Promise<ReportWork | undefined> {
    const { database } = this.#options;
    const { repositoryId, subject } = entry.row;
    const place = await findPlace(database, repositoryId);
    const events = await eventsOf(database, repositoryId, subject);
    const [newest] = events;
    if (place === undefined || newest === undefined) return undefined;
    const { connectionId } = place;
    return {
      ...{ since: newest.createdAt, connectionId },
      send: (signal) => this.#send(entry, { place, events, newest }, signal),
    };
  }

  async #send(
    entry: ReportEntry,
    { place, events, newest }: { place: ReportPlace; events: readonly CommitEvent[]; newest: CommitEvent },
    signal: AbortSignal,
  ): Promise<Progress> {
    const { address, clock, database, hooks, organizations } = this.#options;
    const settings = await organizations.settingsOf(database, place.organizationId);
    if (settings === undefined) return { dueAt: null, problem: null };
    const facts = await readFacts(database, hooks.runResults, place, events);
    const links = reportLinks(address, place.organizationName, place.httpUrl);
    const wanted = wantedStatuses(facts, settings, contextOf(place), links);
    const stored = await store.itemsOf(database, entry.id);
    const pause = pauseBetweenUpdates(clock() - newest.createdAt);
    const again = wanted.isFinal ? null : clock() + pause;
    if (wanted.statuses.length === 0 && stored.length === 0) return { dueAt: again, problem: null };
    const target = await targetOf(this.#options, place);
    if (target === undefined) return { dueAt: null, problem: null };
    const changed = changedItems(itemsOf(wanted, stored, { facts, links, newest, target }), stored);
    if (changed.length === 0) return { dueAt: again, problem: null };
    const earliest = (entry.row.sentAt ?? 0) + pause;
    if (!wanted.isFinal && clock() < earliest) return { dueAt: earliest, problem: null };
    const sent = await sendItems(changed, stored, storing(this.#options, entry), signal);
    return { dueAt: sent.isComplete ? again : clock(), problem: sent.problem };
  }
}

/** Returns the name of the organization's status. Another connection to the same repository has a name of its own. */
function contextOf({ organizationName, connectionId, earlier }: ReportPlace): string {
  return earlier === 0 ? `lockkeeper/${organizationName}` : `lockkeeper/${organizationName}:${connectionId}`;
}

interface Shown {
  readonly facts: CommitFacts;
  readonly links: ReportLinks;
  readonly newest: CommitEvent;
  readonly target: ReportTarget;
}

function itemsOf(wanted: WantedStatuses, stored: readonly store.StoredItem[], shown: Shown): WantedItem[] {
  const { links, newest, target } = shown;
  const items = wanted.statuses.map((status) => {
    const { context, state, description, url } = status;
    const sent = { ...placeOf(shown), context, state, description, url };
    return statusItem(target, sent, () => checkSummary(status, newest.id, links));
  });
  return [...items, ...abandoned(items, stored, shown)];
}

/** Finishes statuses that are not wanted any more: a required check would wait for them forever. */
function abandoned(items: readonly WantedItem[], stored: readonly store.StoredItem[], shown: Shown): WantedItem[] {
  const { links, newest, target } = shown;
  const names = new Set(items.map(({ context }) => context));
  return stored
    .filter(({ context, state }) => !names.has(context) && !FINISHED.has(state))
    .map(({ context }) => {
      const description = 'Nothing more to report here';
      const common = { ...placeOf(shown), context, url: links.event(newest.id) };
      return statusItem(target, { ...common, state: 'success', description }, () => description);
    });
}

/** A status belongs to a commit; some providers show it in a pull request only if it names that. */
function placeOf({ newest, facts }: Shown) {
  const pullNumber = facts.events.find(({ pull }) => pull !== null)?.pull?.number ?? null;
  return { commitId: newest.commitId ?? '', ref: newest.ref, pullNumber };
}
