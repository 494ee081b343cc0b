import { readPlan } from '../../../lib/plan/plan.ts';
import { ask, type ConnectionOptions } from '../../connection/connection.ts';
import { CommandError } from '../../errors/command-error.ts';
import { planText } from './plan-text.ts';

/**
 * Returns the plan as text, from the data that the agent uploaded, with sensitive values masked. Undefined if there is
 * none, or this user may not read it; the log shows the plan then.
 */
export async function planTextOf(planId: string, options: ConnectionOptions): Promise<string | undefined> {
  try {
    const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/plans/${planId}/json-output-redacted`);
    if (body === undefined) return undefined;
    return planText(readPlan(body), process.stdout.isTTY === true && !process.env.NO_COLOR);
  } catch (error) {
    // A plan that cannot be shown is no reason to end the command.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
