import { environmentProblem } from '../../lib/job/variable-rules.ts';
import type { Job } from '../job.ts';
import { JobFailure } from '../ports.ts';

/** Version of tfc-agent that engines see; new enough for all features that they use. */
const AGENT_VERSION = '1.22.0';
/** Variables that would point the engine to another state or folder. */
const OURS_ALONE = new Set(['TF_WORKSPACE', 'TF_DATA_DIR', 'HOME', 'GIT_CONFIG_GLOBAL']);
/** Environment of an engine. */
export interface Environment {
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of the workspace that are ignored, because only the agent may set them. */
  readonly leftOut: readonly string[];
}

/**
 * Returns the complete environment of an engine. It contains nothing of the agent's own environment.
 * @param home home folder as the engine sees it
 * @param told variables of the agent that the workspace may override
 * @throws JobFailure for an invalid variable
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

/**
 * Checks a variable of the workspace.
 * @throws JobFailure for an invalid variable, or one that would make the engine use another state
 */
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

/** Variables about the run, also as `TF_VAR_…` for configurations. */
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
