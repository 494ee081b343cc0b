import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { printable } from '../../output/printable.ts';
import { requireConfirmation } from '../../process/question.ts';
import { linkedId, type Resource } from '../resource.ts';
import { planTextOf } from './plan-data.ts';
import { RUN_ARGUMENT, runIdOf, runOf, runPath, waitHint } from './runs.ts';

interface DecideOptions extends OrganizationOptions {
  readonly comment?: string;
  readonly yes?: true;
  readonly force?: true;
}

/** Statuses in which there is nothing left to confirm: the run is final, or its apply has started. */
const CANNOT_APPLY: readonly string[] = [
  ...['applied', 'planned_and_finished', 'errored', 'canceled', 'force_canceled', 'discarded'],
  ...['assessed', 'confirmed', 'apply_queued', 'applying'],
];

/** Commands `lockkeeper run confirm`, `run discard` and `run cancel`. */
export function addRunDecisions(run: Command): void {
  decision(run, 'confirm', 'Show the plan of a run, and apply it').option('--yes', 'do not ask').action(confirm);
  decision(run, 'discard', 'Discard a run that waits for confirmation; nothing changes').action(
    (named: string, options: DecideOptions) => act(named, 'discard', 'discarded', options),
  );
  decision(run, 'cancel', 'Cancel a run that waits or is executed')
    .option('--force', 'end it without its agent, when a cancel had no effect; the state may be incomplete')
    .action((named: string, options: DecideOptions) =>
      act(named, options.force ? 'force-cancel' : 'cancel', 'being canceled', options),
    );
}

function decision(run: Command, name: string, description: string): Command {
  const command = run
    .command(name)
    .description(description)
    .argument(...RUN_ARGUMENT)
    .option('--comment <text>', 'comment on the run');
  return withConnection(withOrganization(command));
}

async function confirm(named: string, options: DecideOptions): Promise<void> {
  const id = await runIdOf(named, options);
  const { attributes, relationships } = await runOf(id, options);
  requireConfirmable(attributes, linkedId(relationships?.workspace) ?? '');
  const text = await planTextOf(linkedId(relationships?.plan) ?? '', options);
  process.stdout.write(text ?? 'The plan was not uploaded as data; the log shows it.\n');
  await requireConfirmation(`Apply the plan of ${id}?`, options.yes, waitHint(id));
  await act(id, 'apply', 'confirmed', options);
}

/** @throws CommandError for a run that no confirmation can apply, before its user is asked */
function requireConfirmable({ status, actions }: Resource['attributes'], workspaceId: string): void {
  const { 'is-confirmable': isConfirmable } = (actions ?? {}) as { readonly 'is-confirmable'?: boolean };
  // A confirmed run that waits for approvals accepts a repeated confirmation.
  if (isConfirmable !== false || !CANNOT_APPLY.includes(String(status))) return;
  const why =
    status === 'applied' ? 'The run is applied already' : `The run is ${String(status)}, so it cannot be applied`;
  throw new CommandError(`${why}. \`lockkeeper run start ${workspaceId}\` starts a new one`, EXIT.conflict);
}

async function act(named: string, action: string, done: string, options: DecideOptions): Promise<void> {
  const id = await runIdOf(named, options);
  const body = options.comment === undefined ? {} : { comment: options.comment };
  await ask(options, 'workspaces', 'POST', `${runPath(id)}/actions/${action}`, body);
  const { attributes } = await runOf(id, options);
  const status = String(attributes.status);
  const now = done.endsWith(status) ? status : `${done} (${status})`;
  process.stdout.write(`The run ${id} is ${now}\n`);
  const { approvals, 'waiting-for': waitingFor } = attributes;
  const { missing } = (approvals ?? {}) as { readonly missing?: string | null };
  if (action === 'apply' && missing) process.stdout.write(`It waits. ${printable(String(waitingFor ?? missing))}\n`);
}
