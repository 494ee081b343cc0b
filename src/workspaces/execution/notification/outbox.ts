import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { WorkspaceNews } from '../lifecycle/workspace-news.ts';
import type { Run } from '../run/run.ts';
import type { RunEffect, RunStep } from '../run/run-effect.ts';
import {
  type AssessmentNews,
  type DestinationType,
  type News,
  type RunNews,
  type RunTrigger,
  TRIGGERS,
  type Trigger,
} from './notification.ts';
import * as store from './queue-store.ts';
import { triggerOf, triggersOfAssessment } from './triggers.ts';

/** Called after commit for a message that was dropped because too many wait. */
export type Skipped = (destination: DestinationType) => void;

/**
 * Transactional outbox: stores the messages about a run in the transaction of its transition. A rollback discards
 * them, and a committed message survives the end of this process.
 */
export function outbox(skipped: Skipped): RunEffect['run'] {
  return async (tx, run, step) => {
    const trigger = triggerOf(run, step.stagesFollow);
    if (trigger === undefined) return;
    await write(tx, run.workspaceId, trigger, step.now, (place) => newsOf(trigger, run, step, place), skipped);
  };
}

/** Stores the messages about a finished assessment. */
export function assessmentOutbox(skipped: Skipped): AssessmentListener {
  return async (tx, result, prior) => {
    const { workspaceId, finishedAt } = result;
    for (const trigger of triggersOfAssessment(result)) {
      const news = (place: store.Place): AssessmentNews => ({
        trigger,
        result,
        prior: prior ?? null,
        ...whereOf(workspaceId, place),
      });
      await write(tx, workspaceId, trigger, finishedAt, news, skipped);
    }
  };
}

/** Stores the messages about a workspace as a whole, in the transaction of their cause. */
export function workspaceOutbox(skipped: Skipped) {
  return async (tx: Transaction, workspaceId: string, news: WorkspaceNews, now: number): Promise<void> => {
    const { trigger, runId } = news;
    const runCreatedAt = (runId === null ? undefined : await store.runCreation(tx, runId)) ?? null;
    const named = (place: store.Place) => ({ ...news, runCreatedAt, happenedAt: now, ...whereOf(workspaceId, place) });
    await write(tx, workspaceId, trigger, now, named, skipped);
  };
}

async function write(
  tx: Transaction,
  workspaceId: string,
  trigger: Trigger,
  now: number,
  newsOfPlace: (place: store.Place) => News,
  skipped: Skipped,
): Promise<void> {
  const listening = await store.listeningConfigurations(tx, workspaceId);
  const told = listening.filter(({ triggers }) => (JSON.parse(triggers) as string[]).includes(trigger));
  const place = told.length === 0 ? undefined : await store.workspaceNames(tx, workspaceId);
  if (place === undefined || isLocal(place)) return;
  const news = newsOfPlace(place);
  for (const { id: rowId, destinationType } of told) {
    const message = { id: prefixedId('nd', now), rowId, content: news, place: TRIGGERS.indexOf(trigger) };
    if (!(await store.messages.add(tx, { ...message, createdAt: now }))) tx.afterCommit(() => skipped(destinationType));
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
function isLocal({ settings, inheritedMode }: store.Place): boolean {
  const { 'execution-mode': mode } = JSON.parse(settings) as { 'execution-mode'?: string | null };
  return (mode ?? inheritedMode) === 'local';
}
