import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import type { Resource } from '../resource.ts';
import { dataOf } from '../workspace-requests.ts';
import { failureReason } from './failure-reason.ts';
import { runPath as pathOf, RUN_ARGUMENT, runIdOf, triggerOf } from './runs.ts';

type ShowOptions = OrganizationOptions & OutputOptions;

interface ApproveOptions extends ShowOptions {
  readonly comment?: string;
  readonly revoke?: true;
}

/** Commands `lockkeeper run show` and `lockkeeper run approve`. */
export function addRunApproval(run: Command): void {
  const show = run
    .command('show')
    .description('Show a run and its approvals')
    .argument(...RUN_ARGUMENT);
  withOutput(withConnection(withOrganization(show))).action(async (named: string, options: ShowOptions) =>
    showRun(await runIdOf(named, options), options),
  );
  const approve = run
    .command('approve')
    .description('Approve a run that waits for approvals')
    .argument(...RUN_ARGUMENT)
    .option('--comment <text>', 'comment on the run')
    .option('--revoke', 'revoke your approval instead');
  withOutput(withConnection(withOrganization(approve))).action(approveRun);
}

async function approveRun(named: string, { comment, revoke, ...options }: ApproveOptions): Promise<void> {
  const id = await runIdOf(named, options);
  const action = revoke ? 'revoke-approval' : 'approve';
  await ask(options, 'workspaces', 'POST', `${pathOf(id)}/actions/${action}`, comment === undefined ? {} : { comment });
  await showRun(id, options);
}

async function showRun(id: string, options: ConnectionOptions & OutputOptions): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'GET', pathOf(id));
  const answer = await ask(options, 'workspaces', 'GET', `${pathOf(id)}/approvals`);
  const approvals = answer.body as ApprovalsDocument;
  const { attributes } = dataOf(body);
  const brief = {
    ...{ id, status: attributes.status, message: attributes.message },
    trigger: triggerOf(attributes),
    ...(attributes['engine-used'] !== null && { engine: attributes['engine-used'] }),
    'created-by': attributes['created-by-name'],
    'confirmed-by': attributes['confirmed-by-name'],
    'waiting-for': attributes['waiting-for'],
    ...(attributes.status === 'errored' && { reason: await failureReason(dataOf(body), options) }),
    ...approvalRows(approvals),
  };
  const whole = { run: body, approvals };
  if (attributes['engine-warning']) {
    process.stderr.write(`warning: ${printable(String(attributes['engine-warning']))}\n`);
  }
  await print({ whole, brief: options.field === undefined ? brief : { ...attributes, ...brief } }, options);
}

interface ApprovalsDocument {
  readonly data: readonly Resource[];
  readonly meta: {
    readonly approvals: {
      readonly required: number;
      readonly given: number;
      readonly missing: string | null;
    } | null;
  };
}

/** Rows of the table; none for a run without rules and approvals. */
function approvalRows({ data, meta: { approvals } }: ApprovalsDocument): Record<string, unknown> {
  return {
    ...(approvals !== null && {
      approvals: `${approvals.given} of ${approvals.required}`,
      ...(approvals.missing !== null && { 'missing-approvals': approvals.missing }),
    }),
    ...(data.length > 0 && { 'approved-by': data.map(approverOf) }),
  };
}

function approverOf({ attributes }: Resource): string {
  const name = String(attributes['user-name']);
  return attributes.counts === false ? `${name} (does not count: ${String(attributes['counts-not-because'])})` : name;
}
