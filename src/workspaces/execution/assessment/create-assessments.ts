import type { Platform } from '../../platform/platform.ts';
import type { WorkspaceServices } from '../../workspace/index.ts';
import type { Chore } from '../job/run-watch.ts';
import type { RunOutputs } from '../output/run-outputs.ts';
import type { RunPhases } from '../run/phases.ts';
import type { RunProgress } from '../run/progress.ts';
import type { RunStart } from '../run/start.ts';
import { Assessments } from './assessments.ts';
import { Beginning } from './beginning.ts';
import { assessmentResource } from './document.ts';
import { GivingWay } from './giving-way.ts';
import { Results } from './results.ts';
import { Schedule } from './schedule.ts';

/** What assessments are carried out with. */
export interface AssessmentParts {
  readonly progress: RunProgress;
  readonly start: RunStart;
  readonly phases: RunPhases;
  readonly outputs: RunOutputs;
}

/** Looking at workspaces, what comes of it, and what has to be done about it as time goes by. */
export interface AssessmentServices {
  readonly assessments: Assessments;
  readonly results: Results;
  readonly chores: readonly Chore[];
}

/** Puts them together, and lets them hear of runs. */
export function createAssessments(
  { database, clock }: Platform,
  { finder, hooks }: WorkspaceServices,
  { progress, start, phases, outputs }: AssessmentParts,
): AssessmentServices {
  const beginning = new Beginning(start);
  const assessments = new Assessments({ database, clock, workspaces: finder, outputs, phases, beginning });
  const [results, schedule, givingWay] = [
    new Results(),
    new Schedule(clock, beginning),
    new GivingWay(clock, progress),
  ];
  progress.stepped.push(givingWay.stepped, results.stepped, schedule.stepped);
  hooks.includes.set('current_assessment_result', async (_actor, workspaces) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-assessment-results']);
    const found = await assessments.named(readable.map(({ current }) => current.assessmentResultId));
    return { resources: found.map(assessmentResource) };
  });
  return { assessments, results, chores: [schedule, givingWay] };
}
