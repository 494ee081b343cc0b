import type { Platform } from '../../platform/platform.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { WorkspaceServices } from '../../workspace/index.ts';
import { Beginning } from '../assessment/beginning.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import type { RunStart } from '../run/start.ts';
import { Occurrences } from './occurrences.ts';
import { ScheduleAccess } from './schedule-access.ts';
import { Schedules } from './schedules.ts';
import { ScheduledStarts } from './starts.ts';

/** Schedules, and the reconcilers that make them act. */
export interface ScheduleServices {
  readonly schedules: Schedules;
  readonly scheduleReconcilers: readonly Reconciler[];
}

/** Creates the services. */
export function createSchedules(
  { database, clock }: Platform,
  { projects }: Tenancy,
  { finder: workspaces }: WorkspaceServices,
  { start, configurations }: { readonly start: RunStart; readonly configurations: UsableConfigurations },
): ScheduleServices {
  const access = new ScheduleAccess({ database, workspaces, projects });
  return {
    schedules: new Schedules({ database, clock, workspaces, access }),
    // Tasks of this sweep start in the same sweep.
    scheduleReconcilers: [
      new Occurrences(clock),
      new ScheduledStarts({ clock, start, configurations, assessments: new Beginning(start) }),
    ],
  };
}
