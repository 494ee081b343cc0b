import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { Run } from '../run/run.ts';
import type { TransitionListener } from '../run/run-state-machine.ts';
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

/**
 * What waits for a receiver that takes nothing.
 * @limit notifications of one configuration that wait, notifications -> new ones are not sent
 */
const MOST_WAITING = 200;

/** What is told of the news and who asked for the step. */
type Step = Parameters<TransitionListener>[2];

/** Told of one that was not written down, as too many wait, once the rest is stored. */
export type Skipped = (destination: DestinationType) => void;

/**
 * Writes down what is to be told of a run in the unit of work that takes the run further: what is rolled back is told to
 * nobody, and what is stored is told even if this process ends at once.
 */
export function outbox(skipped: Skipped): TransitionListener {
  return async (tx, run, step) => {
    const trigger = triggerOf(run, step.stagesFollow);
    if (trigger === undefined) return;
    await write(tx, run.workspaceId, trigger, step.now, (place) => newsOf(trigger, run, step, place), skipped);
  };
}

/** The same of an assessment that is over. */
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
  for (const { id: configurationId, destinationType } of told) {
    const delivery = { id: prefixedId('nd', now), configurationId, news, createdAt: now };
    const added = await store.addDelivery(tx, delivery, TRIGGERS.indexOf(trigger), MOST_WAITING);
    if (!added) tx.afterCommit(() => skipped(destinationType));
  }
}

function newsOf(trigger: RunTrigger, run: Run, { now, actor }: Step, place: store.Place): RunNews {
  return {
    trigger,
    runId: run.id,
    runMessage: run.message,
    runStatus: run.status,
    runCreatedAt: run.createdAt,
    runCreatedBy: run.createdBy,
    runUpdatedAt: now,
    runUpdatedBy: actor,
    ...whereOf(run.workspaceId, place),
  };
}

function whereOf(workspaceId: string, { workspaceName, organizationName }: store.Place) {
  return { workspaceId, workspaceName, organizationName };
}

/** Where nothing is carried out for the workspace, nothing is told either. */
function isLocal({ settings, inheritedMode }: store.Place): boolean {
  const { 'execution-mode': mode } = JSON.parse(settings) as { 'execution-mode'?: string | null };
  return (mode ?? inheritedMode) === 'local';
}
