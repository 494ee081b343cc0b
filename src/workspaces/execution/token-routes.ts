import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../jsonapi/errors.ts';
import { knownActorOf, purposeOf, type TokenPurpose } from '../tenancy/index.ts';
import { requireJobRoute } from './job/job-rights.ts';

/** Maps each route to the `include` values that it accepts. */
type Opened = Readonly<Record<string, readonly string[]>>;

const STATE = ['outputs'];
const WORKSPACE = ['outputs', 'current_state_version'];

/**
 * Routes for single-purpose tokens. An engine reads states as `terraform_remote_state` and `tfe_outputs` do. A run
 * task service reads the run that it evaluates. Each service still checks that the token may use the resource in the
 * path.
 */
export const TOKEN_ROUTES: Readonly<Record<TokenPurpose, Opened>> = {
  engine: {
    'GET /organizations/:organization_name/entitlement-set': [],
    'GET /organizations/:organization_name/workspaces/:workspace_name': WORKSPACE,
    'GET /workspaces/:workspace_id': WORKSPACE,
    'GET /workspaces/:workspace_id/current-state-version': STATE,
    'GET /workspaces/:workspace_id/current-state-version-outputs': [],
    'GET /state-versions/:state_version_id': STATE,
    'GET /state-versions/:state_version_id/outputs': [],
    'GET /state-versions/:state_version_id/download': [],
    'GET /state-versions/:state_version_id/json-download': [],
    'GET /state-version-outputs/:output_id': [],
  },
  'run-task': {
    'GET /runs/:run_id': ['plan', 'configuration_version'],
    'GET /plans/:id': [],
    'GET /plans/:id/json-output': [],
    'GET /plans/:id/json-output-redacted': [],
    'GET /configuration-versions/:id': [],
    'GET /configuration-versions/:id/download': [],
    'PATCH /task-results/:task_result_id/callback': [],
  },
};

/**
 * Refuses requests of single-purpose tokens, and of URLs signed for them, on all routes that neither TOKEN_ROUTES nor
 * the table of jobs names. Runs after authentication and before the body is read. A new route is closed to these
 * tokens until a table names it.
 */
export function closeToTokens(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const actor = knownActorOf(request);
    const path = request.routeOptions.url?.slice(app.prefix.length);
    if (actor === undefined || path === undefined) return;
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    const purpose = purposeOf(actor);
    if (purpose !== undefined) requireRoute(TOKEN_ROUTES[purpose][route], request);
    else if (actor.kind === 'agent' && actor.job !== undefined) requireJobRoute(actor.job, route);
  });
}

function requireRoute(included: readonly string[] | undefined, request: FastifyRequest): void {
  if (included === undefined || !includedOf(request).every((word) => included.includes(word))) throw notFound();
}

/** Splits values like `parseInclude`, but does not check them. */
function includedOf({ query }: FastifyRequest): string[] {
  const { include = '' } = query as { readonly include?: string | readonly string[] };
  const words = [include].flat().join(',').split(',');
  return words.map((word) => word.trim().replaceAll('-', '_')).filter((word) => word !== '');
}
