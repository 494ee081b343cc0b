import type { Resources } from '../../api/client.ts';

type Attributes = Resources['workspaces']['attributes'];

/** Values of the settings form; the mode is empty if the workspace inherits it. */
export interface Filled {
  readonly name: string;
  readonly description: string;
  readonly mode: string;
  readonly pool: string;
  readonly engine: string;
  readonly version: string;
  readonly directory: string;
  readonly autoApply: boolean;
  readonly structured: boolean;
  readonly destroyPlan: boolean;
  readonly assessments: boolean;
}

/** @param pool id of the agent pool that executes the runs */
export function filledOf(attributes: Attributes, pool: string | undefined): Filled {
  const isOwn = attributes['setting-overwrites']['execution-mode'];
  return {
    name: attributes.name,
    description: attributes.description ?? '',
    mode: isOwn ? attributes['execution-mode'] : '',
    pool: isOwn ? (pool ?? '') : '',
    engine: attributes.engine ?? '',
    version: attributes['engine-version'],
    directory: attributes['working-directory'] ?? '',
    autoApply: attributes['auto-apply'],
    structured: attributes['structured-run-output-enabled'],
    destroyPlan: attributes['allow-destroy-plan'],
    assessments: attributes['assessments-enabled'],
  };
}

/** Returns only the changed attributes, in the format of the API. */
export function changesOf(before: Filled, after: Filled): Record<string, unknown> {
  const changed = (Object.keys(after) as (keyof Filled)[]).filter((name) => before[name] !== after[name]);
  return Object.assign({}, ...changed.map((name) => CHANGES[name](after)));
}

const execution = ({ mode, pool }: Filled) =>
  mode === ''
    ? { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } }
    : { 'execution-mode': mode, ...(mode === 'agent' && { 'agent-pool-id': pool }) };

const CHANGES: Readonly<Record<keyof Filled, (filled: Filled) => object>> = {
  name: ({ name }) => ({ name }),
  description: ({ description }) => ({ description }),
  mode: execution,
  pool: execution,
  engine: ({ engine }) => ({ engine: engine || null }),
  version: ({ version }) => ({ 'engine-version': version }),
  directory: ({ directory }) => ({ 'working-directory': directory }),
  autoApply: ({ autoApply }) => ({ 'auto-apply': autoApply }),
  structured: ({ structured }) => ({ 'structured-run-output-enabled': structured }),
  destroyPlan: ({ destroyPlan }) => ({ 'allow-destroy-plan': destroyPlan }),
  assessments: ({ assessments }) => ({ 'assessments-enabled': assessments }),
};
