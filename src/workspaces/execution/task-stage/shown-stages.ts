import type { StagesShown } from '../run/presenter.ts';
import { TaskStageResource } from './resource.ts';
import type { TaskStages } from './task-stages.ts';

/** Stages as resources of run documents. */
export function shownStages(stages: TaskStages): StagesShown {
  return {
    async ofRuns(runIds) {
      const byRun = Map.groupBy(await stages.ofRuns(runIds), ({ runId }) => runId);
      return new Map([...byRun].map(([runId, views]) => [runId, views.map(TaskStageResource.document)]));
    },
  };
}
