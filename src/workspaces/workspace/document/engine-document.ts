import type { Relationship, Resource } from '../../jsonapi/document.ts';

/**
 * Attributes that an engine needs to find and read states, and boolean settings. None of them discloses anything about
 * people.
 */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...[
    'name',
    'permissions',
    'actions',
    'created-at',
    'updated-at',
    'latest-change-at',
    'resource-count',
    'environment',
  ],
  ...['execution-mode', 'operations', 'engine', 'engine-version', 'terraform-version', 'setting-overwrites', 'source'],
  ...['global-remote-state', 'project-remote-state', 'structured-run-output-enabled', 'migration-environment'],
  ...['allow-destroy-plan', 'can-queue-destroy-plan', 'auto-apply', 'auto-apply-run-trigger', 'queue-all-runs'],
  ...['assessments-enabled', 'file-triggers-enabled', 'speculative-enabled', 'inherits-project-auto-destroy', 'locked'],
]);
const RELATIONSHIPS: ReadonlySet<string> = new Set(['organization', 'project', 'current-state-version', 'outputs']);

/**
 * Returns the workspace document for an engine's token. All members exist, but those about people, locks, tags,
 * repository, runs and keys are empty, and so is every member that is not in the list above.
 */
export function engineResource(resource: Resource): Resource {
  return {
    ...resource,
    attributes: mapped(resource.attributes, (name, value) => (ATTRIBUTES.has(name) ? value : emptied(value))),
    relationships: mapped(resource.relationships ?? {}, (name, related) =>
      RELATIONSHIPS.has(name) ? related : withoutData(related),
    ),
  };
}

const emptied = (value: unknown): unknown => (Array.isArray(value) ? [] : null);

function withoutData(related: Relationship): Relationship {
  return related.data === undefined ? related : { data: Array.isArray(related.data) ? [] : null };
}

function mapped<T>(members: Readonly<Record<string, T>>, change: (name: string, value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}
