import { Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';

const variable = Type.Object({
  key: is.text,
  value: is.text,
  category: Type.Enum(['terraform', 'env']),
  hcl: is.flag,
  sensitive: is.flag,
});

/** Schema of workload-identity/job-identity.ts. */
const identity = Type.Object({
  problem: is.textOrNull,
  environment: Type.Record(Type.String(), Type.String()),
  files: Type.Array(Type.Object({ name: is.text, content: is.text })),
  logins: Type.Array(
    Type.Object({
      ...{ address: is.text, namespace: is.text, path: is.text, role: is.text, token: is.text },
      ...{ authorities: is.textOrNull, file: is.textOrNull, variable: is.textOrNull },
    }),
  ),
  secrets: is.texts,
});

/** Schemas of the documents for agents. */
export const JOB_RESOURCES = {
  jobs: is.resource('jobs', {
    phase: Type.Enum(['plan', 'plan-with-actions', 'apply']),
    'run-id': is.text,
    token: is.text,
    // Null for a run of a stranger's configuration, which reads no states.
    'run-token': is.textOrNull,
    'server-address': is.textOrNull,
    // Trace context of the run that the job belongs to.
    traceparent: Type.Optional(is.text),
    organization: is.text,
    project: is.text,
    workspace: Type.Object({ id: is.text, name: is.text, 'working-directory': is.text }),
    commit: nullable(Type.Object({ branch: is.text, sha: is.text, tag: is.text })),
    engine: Type.Object({
      ...{ kind: Type.Enum(['opentofu', 'terraform']), version: is.textOrNull, newest: is.text },
      // Version constraint. Present only for a plan whose workspace has one.
      constraint: Type.Optional(is.text),
    }),
    log: Type.Enum(['structured', 'plain']),
    parameters: Type.Object({
      destroy: is.flag,
      refresh: is.flag,
      'refresh-only': is.flag,
      targets: is.texts,
      replaces: is.texts,
      // Actions that the plan invokes. Present only if there are any.
      invokes: Type.Optional(is.texts),
      'generate-configuration': is.flag,
      debugging: is.flag,
    }),
    variables: Type.Array(variable),
    'ssh-key': is.textOrNull,
    identity: nullable(identity),
    'keep-folder': is.flag,
    timeout: is.integer,
  }),
  // Status of a job. `cancel`: the job should end. `interval`: seconds between two parts of its log.
  'job-standings': is.resource('jobs', {
    'log-bytes': is.integer,
    cancel: Type.Enum(['none', 'interrupt', 'kill']),
    interval: is.integer,
  }),
};
