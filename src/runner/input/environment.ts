import { environmentProblem } from '../../lib/job/variable-rules.ts';
import type { Job } from '../job.ts';
import { JobFailure } from '../ports.ts';

/** What an engine takes an agent for that can do all it asks for. */
const AGENT_VERSION = '1.22.0';
/** They would lead the engine away from the state and the folder that we gave it. */
const OURS_ALONE = new Set(['TF_WORKSPACE', 'TF_DATA_DIR', 'HOME', 'GIT_CONFIG_GLOBAL']);
/** What an engine is told in its environment. */
export interface Environment {
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of the workspace that it is not told. */
  readonly leftOut: readonly string[];
}

/**
 * All of the environment of an engine. Nothing of ours is in it.
 * @param home as the engine sees it
 * @param told by the agent, where the workspace does not say otherwise
 * @throws JobFailure for what cannot stand in an environment
 */
export function environment(job: Job, home: string, told: Readonly<Record<string, string>>): Environment {
  const theirs = new Map(
    job.variables.filter(({ category }) => category === 'env').map(({ key, value }) => [key, value]),
  );
  for (const [key, value] of theirs) {
    checkVariable(key, value);
  }
  const leftOut = [...theirs.keys()].filter((key) => OURS_ALONE.has(key));
  for (const key of leftOut) theirs.delete(key);
  return {
    variables: { ...usual(home), ...builtIn(job), ...told, ...Object.fromEntries(theirs), ...ours(job) },
    leftOut,
  };
}

/** @throws JobFailure for what cannot stand in an environment, or would have the engine read or write another state */
export function checkVariable(key: string, value: string): void {
  const problem = environmentProblem(key, value);
  if (problem !== undefined) throw new JobFailure(problem);
}

const usual = (home: string): Record<string, string> => ({
  HOME: home,
  LANG: 'C.UTF-8',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  USER: 'lockkeeper',
});

/** What configurations may ask for, as variables too. */
function builtIn({ runId, workspace, organization, project, commit }: Job): Record<string, string> {
  const told = {
    TFC_RUN_ID: runId,
    TFC_WORKSPACE_ID: workspace.id,
    TFC_WORKSPACE_NAME: workspace.name,
    TFC_WORKSPACE_SLUG: `${organization}/${workspace.name}`,
    TFC_PROJECT_NAME: project,
    TFC_CONFIGURATION_VERSION_GIT_BRANCH: commit?.branch ?? '',
    TFC_CONFIGURATION_VERSION_GIT_COMMIT_SHA: commit?.sha ?? '',
    TFC_CONFIGURATION_VERSION_GIT_TAG: commit?.tag ?? '',
  };
  return { ...told, ...Object.fromEntries(Object.entries(told).map(([key, value]) => [`TF_VAR_${key}`, value])) };
}

const ours = ({ runId, parameters }: Job): Record<string, string> => ({
  CHECKPOINT_DISABLE: '1',
  TFC_AGENT_VERSION: AGENT_VERSION,
  TFE_RUN_ID: runId,
  TF_INPUT: '0',
  TF_IN_AUTOMATION: '1',
  ...(parameters.debugging ? { TF_LOG: 'TRACE' } : {}),
});
