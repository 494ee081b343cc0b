import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Job } from '../../job.ts';

const text = Type.String();
const maybe = Type.Union([text, Type.Null()]);
const link = Type.Optional(maybe);

const links = Type.Object({
  self: text,
  start: text,
  heartbeat: text,
  finish: text,
  log: text,
  state: link,
  'state-versions': link,
  configuration: link,
  'json-output': link,
  'json-output-redacted': link,
  'provider-schemas': link,
  folder: link,
  'errored-state': link,
});

const variable = Type.Object({
  key: text,
  value: text,
  category: Type.Enum(['terraform', 'env']),
  hcl: Type.Boolean(),
  sensitive: Type.Boolean(),
});

const identity = Type.Object({
  problem: maybe,
  environment: Type.Record(text, text),
  files: Type.Array(Type.Object({ name: text, content: text })),
  logins: Type.Array(
    Type.Object({
      ...{ address: text, namespace: text, path: text, role: text, token: text },
      ...{ authorities: maybe, file: maybe, variable: maybe },
    }),
  ),
  secrets: Type.Array(text),
});

const attributes = Type.Object({
  token: text,
  phase: Type.Enum(['plan', 'plan-with-actions', 'apply']),
  'run-id': text,
  organization: text,
  project: text,
  workspace: Type.Object({ id: text, name: text, 'working-directory': maybe }),
  commit: Type.Union([Type.Object({ branch: text, sha: text, tag: text }), Type.Null()]),
  engine: Type.Object({
    kind: Type.Enum(['opentofu', 'terraform']),
    version: maybe,
    newest: Type.Optional(maybe),
    constraint: Type.Optional(maybe),
  }),
  log: Type.Enum(['structured', 'plain']),
  parameters: Type.Object({
    destroy: Type.Boolean(),
    refresh: Type.Boolean(),
    'refresh-only': Type.Boolean(),
    targets: Type.Array(text),
    replaces: Type.Array(text),
    invokes: Type.Optional(Type.Array(text)),
    'generate-configuration': Type.Boolean(),
    debugging: Type.Boolean(),
  }),
  variables: Type.Array(variable),
  'ssh-key': maybe,
  identity: Type.Optional(Type.Union([identity, Type.Null()])),
  'keep-folder': Type.Boolean(),
  timeout: Type.Number({ exclusiveMinimum: 0 }),
  'run-token': link,
  'server-address': link,
  traceparent: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{55}$' })),
});

const document = Type.Object({ data: Type.Object({ id: text, attributes, links }) });
const checked = Compile(document);

/** Links to the inputs and outputs of a job. */
export type JobLinks = Static<typeof links>;

/** A job as the server hands it out. */
export interface HandedJob {
  readonly job: Job;
  /** Token for requests about this job only. */
  readonly token: string;
  /** Token of the run, for its engine only; null for none. */
  readonly runToken: string | null;
  /** Public URL of the server; null if the server does not say. */
  readonly serverAddress: string | null;
  readonly links: JobLinks;
  /** W3C trace context, sent with each request about this job; null without tracing. */
  readonly traceparent: string | null;
}

/** @limit timeout of a phase that a server may set, seconds -> this maximum holds */
const LONGEST_PHASE = 7 * 86_400;

/**
 * Reads a job description of the server.
 * @throws Error for a job description that this version does not understand
 */
export function readJob(answer: unknown): HandedJob {
  if (!checked.Check(answer)) {
    const [problem] = checked.Errors(answer);
    const where = problem ? ` (${problem.instancePath || 'the document'}: ${problem.message})` : '';
    throw new Error(`the agent does not understand the job description of the server${where}: upgrade the agent`);
  }
  const { id, attributes: told, links: places } = answer.data;
  return {
    job: jobOf(id, told),
    token: told.token,
    runToken: told['run-token'] ?? null,
    serverAddress: told['server-address'] ?? null,
    links: places,
    traceparent: told.traceparent ?? null,
  };
}

function jobOf(id: string, told: Static<typeof attributes>): Job {
  const { parameters, workspace } = told;
  return {
    id,
    phase: told.phase === 'apply' ? 'apply' : 'plan',
    runId: told['run-id'],
    workspace: { id: workspace.id, name: workspace.name, workingDirectory: workspace['working-directory'] ?? '' },
    organization: told.organization,
    project: told.project,
    commit: told.commit,
    engine: told.engine,
    log: told.log,
    parameters: {
      destroy: parameters.destroy,
      refresh: parameters.refresh,
      refreshOnly: parameters['refresh-only'],
      targets: parameters.targets,
      replaces: parameters.replaces,
      invokes: parameters.invokes ?? [],
      generateConfiguration: parameters['generate-configuration'],
      debugging: parameters.debugging,
    },
    variables: told.variables,
    sshKey: told['ssh-key'],
    identity: told.identity ?? null,
    keepFolder: told['keep-folder'],
    timeout: Math.min(told.timeout, LONGEST_PHASE),
  };
}
