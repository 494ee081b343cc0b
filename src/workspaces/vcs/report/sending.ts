import { createHash } from 'node:crypto';
import type { CommitStatus, ProviderAccess, ReportState, Reports, RepositoryRef } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { StoredItem } from './store.ts';

/** Something that the provider should show. */
export interface WantedItem {
  readonly kind: StoredItem['kind'];
  readonly context: string;
  readonly state: ReportState;
  /** Everything that the provider shows; it is sent again if this changes. */
  readonly content: unknown;
  /** Sends it. @returns the provider's id of it, if it has one */
  send(stored: StoredItem | undefined): Promise<string | null>;
}

/** Stores what was sent. Returns false if the claim of the report was lost. */
export type Store = (item: StoredItem) => Promise<boolean>;

const SECOND = 1000;
/**
 * It is far below the lease of a claim, since one request may take ten seconds, and some providers want a pause between
 * two.
 * @limit duration of one attempt to report results, ms -> the next attempt sends the rest
 */
const LONGEST_ATTEMPT = 20 * SECOND;

/** End of sending. */
export interface Sending {
  /** Whether everything was sent. */
  readonly isComplete: boolean;
  /** Why the provider rejected an item, if it did. */
  readonly problem: string | null;
}

/** Returns the items that the provider does not show yet. */
export function changedItems(wanted: readonly WantedItem[], stored: readonly StoredItem[]): WantedItem[] {
  return wanted.filter((item) => storedOf(item, stored)?.sent !== digestOf(item.content));
}

/**
 * Sends items one after the other, and stores each at once, so that a killed process repeats one request at most.
 * @throws ProviderError unless the provider rejects the item itself
 */
export async function sendItems(
  items: readonly WantedItem[],
  stored: readonly StoredItem[],
  store: Store,
  signal: AbortSignal,
): Promise<Sending> {
  const end = performance.now() + LONGEST_ATTEMPT;
  let problem: string | null = null;
  for (const item of items) {
    if (signal.aborted || performance.now() > end) return { isComplete: false, problem };
    const before = storedOf(item, stored);
    const { kind, context, state } = item;
    const row = { kind, context, state, sent: digestOf(item.content), providerId: before?.providerId ?? null };
    try {
      row.providerId = await item.send(before);
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === 'rejected')) throw error;
      // It counts as sent until its content changes, because the same request would be rejected again.
      problem = error.message;
    }
    if (!(await store(row))) return { isComplete: false, problem };
  }
  return { isComplete: true, problem };
}

function storedOf({ kind, context }: Pick<WantedItem, 'kind' | 'context'>, stored: readonly StoredItem[]) {
  return stored.find((item) => item.kind === kind && item.context === context);
}

function digestOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

/** How to reach the provider of a repository. */
export interface ReportTarget {
  readonly reports: Reports;
  readonly access: ProviderAccess;
  readonly repository: RepositoryRef;
}

/** Returns the item of a status, or of a check run where the provider has them. */
export function statusItem(
  { reports, access, repository }: ReportTarget,
  status: CommitStatus,
  summary: () => string,
): WantedItem {
  const { context, state } = status;
  if (access.credential.kind !== 'app' || reports.check === undefined) {
    const send = () => reports.status(access, repository, status).then(() => null);
    return { kind: 'status', context, state, content: status, send };
  }
  const content = { ...status, summary: summary() };
  return {
    ...{ kind: 'check', context, state, content },
    send: async (stored) =>
      (await reports.check?.(access, repository, { ...content, checkId: stored?.providerId ?? null })) ?? null,
  };
}
