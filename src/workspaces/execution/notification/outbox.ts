import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { WorkspaceNews } from '../lifecycle/workspace-news.ts';
import type { Run } from '../run/run.ts';
import type { RunEffect, RunStep } from '../run/run-effect.ts';
import {
  type AssessmentNews,
  type News,
  type RunNews,
  type RunTrigger,
  TRIGGERS,
  type Trigger,
} from './notification.ts';
import * as store from './queue-store.ts';
import { type Receivers, receiversOnce } from './receivers.ts';
import { triggerOf, triggersOfAssessment } from './triggers.ts';

/** Dependencies of the outbox. */
export interface OutboxOptions extends Receivers {
  /** Called after commit for a message that was not queued. */
  readonly skipped: (destination: store.Listening['destinationType']) => void;
}

/**
 * Transactional outbox: stores the messages about a run in the transaction of its transition. A rollback discards
 * them, and a committed message survives the end of this process.
 */
export function outbox(options: OutboxOptions): RunEffect['run'] {
  return async (tx, run, step) => {
    const trigger = triggerOf(run, step.stagesFollow);
    if (trigger === undefined) return;
    await write(tx, run.workspaceId, trigger, step.now, (place) => newsOf(trigger, run, step, place), options);
  };
}

/** Stores the messages about a finished assessment. */
export function assessmentOutbox(options: OutboxOptions): AssessmentListener {
  return async (tx, result, prior) => {
    const { workspaceId, finishedAt } = result;
    for (const trigger of triggersOfAssessment(result)) {
      const news = (place: store.Place): AssessmentNews => ({
        trigger,
        result,
        prior: prior ?? null,
        ...whereOf(workspaceId, place),
      });
      await write(tx, workspaceId, trigger, finishedAt, news, options);
    }
  };
}

/** Stores the messages about a workspace as a whole, in the transaction of their cause. */
export function workspaceOutbox(options: OutboxOptions) {
  return async (tx: Transaction, workspaceId: string, news: WorkspaceNews, now: number): Promise<void> => {
    const { trigger, runId } = news;
    const runCreatedAt = (runId === null ? undefined : await store.runCreation(tx, runId)) ?? null;
    const named = (place: store.Place) => ({ ...news, runCreatedAt, happenedAt: now, ...whereOf(workspaceId, place) });
    await write(tx, workspaceId, trigger, now, named, options);
  };
}

/** Stores one event for the configurations of all scopes. A receiver gets it once, through the nearest scope. */
async function write(
  tx: Transaction,
  workspaceId: string,
  trigger: Trigger,
  now: number,
  newsOfPlace: (place: store.Place) => News,
  options: OutboxOptions,
): Promise<void> {
  const listening = await store.listeningConfigurations(tx, workspaceId);
  const subscribed = listening.filter(({ triggers }) => (JSON.parse(triggers) as string[]).includes(trigger));
  const place = subscribed.length === 0 ? undefined : await store.workspaceNames(tx, workspaceId);
  if (place === undefined || isLocal(place)) return;
  const news = newsOfPlace(place);
  for (const { configuration, to } of await receiversOnce(tx, subscribed, options)) {
    const { destinationType, id: rowId } = configuration;
    const content = { ...news, ...(to && { to }) };
    const message = { id: prefixedId('nd', now), rowId, content, place: TRIGGERS.indexOf(trigger), createdAt: now };
    if (!(await store.messages.add(tx, message))) tx.afterCommit(() => options.skipped(destinationType));
  }
}

function newsOf(trigger: RunTrigger, run: Run, { now, actor }: RunStep, place: store.Place): RunNews {
  return {
    trigger,
    runId: run.id,
    runMessage: run.message,
    runStatus: run.status,
    runCreatedAt: run.createdAt,
    runCreatedBy: run.createdBy,
    runCreatedByName: run.createdByName,
    runUpdatedAt: now,
    runUpdatedBy: actor,
    ...whereOf(run.workspaceId, place),
  };
}

function whereOf(workspaceId: string, { workspaceName, organizationName }: store.Place) {
  return { workspaceId, workspaceName, organizationName };
}

/** Workspaces with local execution send no notifications. */
function isLocal({ executionMode }: store.Place): boolean {
  return executionMode === 'local';
}
