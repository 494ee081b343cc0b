import type { Platform } from '../../platform/platform.ts';
import type { IncludeSource, WorkspaceServices } from '../../workspace/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { RunOutputs } from '../output/run-outputs.ts';
import type { RunPhases } from '../run/phases.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import type { RunStart } from '../run/start.ts';
import { AssessmentCancellation } from './assessment-cancellation.ts';
import { Assessments } from './assessments.ts';
import { Beginning } from './beginning.ts';
import { AssessmentResource } from './resource.ts';
import { Results } from './results.ts';
import { Schedule } from './schedule.ts';

/** Dependencies of assessments. */
export interface AssessmentParts {
  readonly stateMachine: RunStateMachine;
  readonly start: RunStart;
  readonly phases: RunPhases;
  readonly outputs: RunOutputs;
  /** Called with each finished assessment, in its transaction. */
  readonly finished: AssessmentListener;
}

/** Health assessments: results, schedule and cancellation. */
export interface AssessmentServices {
  readonly assessments: Assessments;
  readonly results: Results;
  readonly schedule: Schedule;
  readonly cancellation: AssessmentCancellation;
}

/** Creates the services. */
export function createAssessments(
  { database, clock }: Platform,
  { finder }: WorkspaceServices,
  { stateMachine, start, phases, outputs, finished }: AssessmentParts,
): AssessmentServices {
  const beginning = new Beginning(start);
  const assessments = new Assessments({ database, clock, workspaces: finder, outputs, phases, beginning });
  const [results, schedule, cancellation] = [
    new Results(finished),
    new Schedule(clock, beginning),
    new AssessmentCancellation(clock, stateMachine),
  ];
  return { assessments, results, schedule, cancellation };
}

/** Returns the source of the current assessment results that workspaces include. */
export function includedAssessments(assessments: Assessments): IncludeSource {
  return async (_actor, workspaces) => {
    const readable = workspaces.filter(({ permissions }) => permissions['can-read-assessment-results']);
    const found = await assessments.named(readable.map(({ current }) => current.assessmentResultId));
    return { resources: found.map(AssessmentResource.document) };
  };
}
