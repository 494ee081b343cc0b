import { joined } from '../joined.ts';
import { EXECUTION_SURFACE } from './execution.ts';
import type { Expectation, Values } from './expectation.ts';
import { STATE_SURFACE } from './state.ts';
import { TENANCY_SURFACE } from './tenancy.ts';
import { VARIABLES_SURFACE } from './variables.ts';
import { VCS_SURFACE } from './vcs.ts';
import { WORKSPACE_SURFACE } from './workspace.ts';

export type { Values } from './expectation.ts';
export { oneOfEverything } from './one-of-everything.ts';

const OF_ALL: Readonly<Record<string, Expectation>> = {
  'GET /ping': { owner: 204, stranger: 204 },
  // The route needs a token of the organization itself. The tests of the audit trail cover it.
  'GET /organization/audit-trail': { owner: 404 },
  'GET /openapi.json': { owner: 200, stranger: 200, contentType: 'application/json; charset=utf-8' },
};

/**
 * Every route of the service. The test fails for a new route without an entry in the file of its module. Modules are
 * in the order from highest to lowest, so that an organization is deleted last.
 */
export const SURFACE = joined<Expectation>(
  OF_ALL,
  EXECUTION_SURFACE,
  STATE_SURFACE,
  VARIABLES_SURFACE,
  VCS_SURFACE,
  WORKSPACE_SURFACE,
  TENANCY_SURFACE,
);

/** Fills in the parameters of a path; a parameter without a value stays. */
export function fill(path: string, values: Values): string {
  return path.replace(/:(\w+)/g, (_, parameter: string) => values[parameter] ?? parameter);
}

/** Returns the request for a route. */
export function requestOf(route: string, values: Values): { method: string; path: string; body: object | undefined } {
  const [method = '', pattern = ''] = route.split(' ');
  const { as = {}, body, query } = SURFACE[route] ?? { owner: 0 };
  const named = pattern.replace(/:(\w+)/g, (parameter, name: string) => (as[name] ? `:${as[name]}` : parameter));
  const path = fill(query === undefined ? named : `${named}?${query}`, values);
  return { method, path, body: typeof body === 'function' ? body(values) : body };
}
