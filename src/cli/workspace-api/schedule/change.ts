import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { schedulePath, shownSchedule } from './owner.ts';

const SCHEDULE = ['<schedule>', 'ID of the schedule'] as const;

/** Command `lockkeeper schedule pause`. */
export function addPause(schedule: Command): void {
  const command = schedule
    .command('pause')
    .description('Pause a schedule, and drop what has not started yet')
    .argument(...SCHEDULE);
  withOutput(withConnection(command)).action((id: string, options: OutputOptions) => setPaused(id, true, options));
}

/** Command `lockkeeper schedule resume`. */
export function addResume(schedule: Command): void {
  const command = schedule
    .command('resume')
    .description('Resume a paused schedule at its next time')
    .argument(...SCHEDULE);
  withOutput(withConnection(command)).action((id: string, options: OutputOptions) => setPaused(id, false, options));
}

/** Command `lockkeeper schedule delete`. */
export function addRemove(schedule: Command): void {
  const command = schedule
    .command('delete')
    .description('Delete a schedule; runs that it started continue')
    .argument(...SCHEDULE);
  withConnection(command).action(remove);
}

async function setPaused(id: string, paused: boolean, options: ConnectionOptions & OutputOptions): Promise<void> {
  const data = { type: 'schedules', attributes: { paused } };
  const { body } = await ask(options, 'workspaces', 'PATCH', schedulePath(id), { data });
  await print(shownSchedule(body, options), options);
}

async function remove(id: string, options: ConnectionOptions): Promise<void> {
  await ask(options, 'workspaces', 'DELETE', schedulePath(id));
  process.stdout.write(`Deleted ${id}\n`);
}
