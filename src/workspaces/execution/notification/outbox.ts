import { prefixedId } from '../../../lib/ids.ts';
import type { StepListener } from '../run/progress.ts';
import type { Run } from '../run/run.ts';
import { type DestinationType, RUN_TRIGGERS, type RunNews, type RunTrigger } from './notification.ts';
import * as store from './queue-store.ts';
import { triggerOf } from './triggers.ts';

/**
 * What waits for a receiver that takes nothing.
 * @limit notifications of one configuration that wait, notifications -> new ones are not sent
 */
const MOST_WAITING = 200;

/** What is told of the news and who asked for the step. */
type Step = Parameters<StepListener>[2];

/**
 * Writes down what is to be told of a run in the unit of work that takes the run further: what is rolled back is told to
 * nobody, and what is stored is told even if this process ends at once.
 * @param skipped told of one that was not written down, as too many wait, once the rest is stored
 */
export function outbox(skipped: (destination: DestinationType) => void): StepListener {
  return async (tx, run, step) => {
    const trigger = triggerOf(run, step.stagesFollow);
    if (trigger === undefined) return;
    const listening = await store.listening(tx, run.workspaceId);
    const told = listening.filter(({ triggers }) => (JSON.parse(triggers) as string[]).includes(trigger));
    const place = told.length === 0 ? undefined : await store.placeOf(tx, run.workspaceId);
    if (place === undefined || isLocal(place)) return;
    const news = newsOf(trigger, run, step, place);
    for (const { id: configurationId, destinationType } of told) {
      const delivery = { id: prefixedId('nd', step.now), configurationId, news, createdAt: step.now };
      const added = await store.add(tx, delivery, RUN_TRIGGERS.indexOf(trigger), MOST_WAITING);
      if (!added) tx.afterCommit(() => skipped(destinationType));
    }
  };
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
    workspaceId: run.workspaceId,
    workspaceName: place.workspaceName,
    organizationName: place.organizationName,
  };
}

/** Where nothing is carried out for the workspace, nothing is told either. */
function isLocal({ settings, inheritedMode }: store.Place): boolean {
  const { 'execution-mode': mode } = JSON.parse(settings) as { 'execution-mode'?: string | null };
  return (mode ?? inheritedMode) === 'local';
}
