import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import type { Resource } from '../resource.ts';
import { WORKSPACE_ARGUMENT, workspaceIdOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';
import { type CountOptions, countOption } from './shown.ts';

interface PreviewOptions extends VcsOptions, OutputOptions, CountOptions {
  readonly pattern?: readonly string[];
  readonly prefix?: readonly string[];
}

/** Command `lockkeeper vcs preview`. */
export function addPreview(vcs: Command): void {
  const command = vcs
    .command('preview')
    .description('Show which of the last commits would have started a run in a workspace')
    .argument(...WORKSPACE_ARGUMENT)
    .addOption(countOption(10, 20))
    .option('--pattern <globs...>', 'try these trigger patterns instead of the saved triggers; quote them')
    .option('--prefix <folders...>', 'try these trigger prefixes instead of the saved triggers');
  withOutput(withConnection(withOrganization(command))).action(preview);
}

async function preview(named: string, options: PreviewOptions): Promise<void> {
  const { pattern, prefix, count } = options;
  const path = `/api/v2/workspaces/${await workspaceIdOf(named, options)}/vcs-preview?count=${count}`;
  const isTrial = pattern !== undefined || prefix !== undefined;
  const attributes = {
    'file-triggers-enabled': true,
    'trigger-patterns': pattern ?? [],
    'trigger-prefixes': prefix ?? [],
  };
  const { body } = isTrial
    ? await ask(options, 'workspaces', 'POST', path, { data: { type: 'workspaces', attributes } })
    : await ask(options, 'workspaces', 'GET', path);
  const { data } = body as { readonly data: readonly Resource[] };
  await print({ whole: body, brief: data.map(rowOf) }, options);
}

function rowOf({ attributes }: Resource): Record<string, unknown> {
  return {
    commit: String(attributes['commit-sha']).slice(0, 7),
    ref: attributes.ref,
    message: attributes.message,
    verdict: attributes.outcome,
    because: attributes.text,
  };
}
