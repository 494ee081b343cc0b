import type { Command } from 'commander';
import { addPause, addRemove, addResume } from './change.ts';
import { addCreate } from './create.ts';
import { addList, addOutcomes } from './list.ts';

/** Command `lockkeeper schedule`: work of workspaces and projects by a cron expression. */
export function addSchedule(program: Command): void {
  const schedule = program
    .command('schedule')
    .description('Plan, apply, refresh or check the drift of workspaces by a cron expression');
  addList(schedule);
  addCreate(schedule);
  addOutcomes(schedule);
  addPause(schedule);
  addResume(schedule);
  addRemove(schedule);
}
