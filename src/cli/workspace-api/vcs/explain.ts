import { type Command, InvalidArgumentError, Option } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { dataOf, WORKSPACE_ARGUMENT, workspaceIdOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';
import { linkedId, type VerdictAttributes } from './shown.ts';

interface ExplainOptions extends VcsOptions, OutputOptions {
  readonly commit?: string;
  readonly branch?: string;
  readonly tag?: string;
  readonly pull?: string;
}

/** Command `lockkeeper vcs explain`. */
export function addExplain(vcs: Command): void {
  const command = vcs
    .command('explain')
    .description('Show why a commit started a run in a workspace, or none; without an option the newest of its branch')
    .argument(...WORKSPACE_ARGUMENT)
    .addOption(new Option('--commit <id>', 'commit of the branch, or of --branch; 40 digits').argParser(commitId))
    .option('--branch <name>', 'newest commit of another branch')
    .addOption(new Option('--tag <name>', 'commit of a tag').conflicts(['commit', 'branch', 'pull']))
    .addOption(
      new Option('--pull <number>', 'newest commit of a pull request')
        .conflicts(['commit', 'branch'])
        .argParser(pullNumber),
    );
  withOutput(withConnection(withOrganization(command))).action(explain);
}

/** Checks a commit ID for commander. */
export function commitId(text: string): string {
  if (/^[0-9a-f]{40}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected a whole commit ID: `git rev-parse HEAD` prints it.');
}

/** Checks the number of a pull request for commander. */
export function pullNumber(text: string): string {
  if (/^[1-9]\d{0,14}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected the number of a pull request.');
}

async function explain(named: string, options: ExplainOptions): Promise<void> {
  const { commit, branch, tag, pull } = options;
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ commit, branch, tag, pull })) {
    if (value !== undefined) asked.set(name, value);
  }
  const path = `/api/v2/workspaces/${await workspaceIdOf(named, options)}/vcs-explanation`;
  const { body } = await ask(options, 'workspaces', 'GET', `${path}?${asked}`);
  const { attributes, relationships } = dataOf(body);
  const verdict = attributes as unknown as VerdictAttributes;
  const brief = {
    commit: attributes['commit-sha'],
    ref: attributes.ref,
    verdict: verdict.outcome,
    because: verdict.text,
    source: SOURCES[String(attributes.source)] ?? attributes.source,
    ...(attributes.problem !== null && { problem: attributes.problem }),
    run: linkedId(relationships?.run),
    ...Object.fromEntries(
      verdict.checks.map((check) => [check['question-text'], `${check.passes ? 'yes' : 'no'}: ${check.text}`]),
    ),
  };
  await print({ whole: body, brief: options.field === undefined ? brief : { ...attributes, ...brief } }, options);
}

const SOURCES: Readonly<Record<string, string>> = {
  decided: 'this was decided when the commit came',
  waiting: 'the server has the commit, and has not decided yet',
  computed: 'the server has not seen the commit: this would be decided now',
};
