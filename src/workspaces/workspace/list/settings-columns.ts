import type { Dialect } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf } from '../../query/dynamic.ts';
import { DEFAULT_SETTINGS } from '../model/settings.ts';

/**
 * Returns a column of one setting of workspace `w` (JSON in a text column). Returns null if the workspace does not set
 * it.
 */
function setting(dialect: Dialect, name: keyof typeof DEFAULT_SETTINGS): string {
  return dialect === 'sqlite' ? `json_extract(w.settings, '$."${name}"')` : `(w.settings::json ->> '${name}')`;
}

const version = (dialect: Dialect) =>
  `coalesce(${setting(dialect, 'engine-version')}, '${DEFAULT_SETTINGS['engine-version']}')`;

/** The workspace's own settings that lists filter by. */
export function settingsColumns(dialect: Dialect): string {
  return `w.execution_mode AS mode, ${setting(dialect, 'engine')} AS engine,
    ${version(dialect)} AS "engineVersion", CASE WHEN w.current_state_version_id IS NULL THEN 0 ELSE 1 END AS "hasState"`;
}

/** Filters by settings. An empty list, or undefined, matches any. */
export interface SettingsFilter {
  /** Effective value: the workspace's own, or that of its project or organization. */
  readonly modes: readonly string[];
  readonly engines: readonly string[];
  /** Version as configured: `1.9.0`, `>= 1.8, < 2`, `latest`. */
  readonly engineVersion: string | undefined;
  readonly locked: boolean | undefined;
  readonly hasState: boolean | undefined;
}

/** Returns the filters as conditions on the effective values. */
export function settingsConditions(dialect: Dialect, filter: SettingsFilter): Fragment[] {
  const { locked, modes, engines, engineVersion, hasState } = filter;
  const isNull = (column: string, isIt: boolean) =>
    fragment`${fragment.raw(column)} ${fragment.raw(isIt ? 'is null' : 'is not null')}`;
  return [
    ...(locked === undefined ? [] : [isNull('w.lock_holder_id', !locked)]),
    ...(hasState === undefined ? [] : [isNull('w.current_state_version_id', !hasState)]),
    ...(modes.length === 0 ? [] : [isOneOf(EFFECTIVE_MODE, modes)]),
    ...(engines.length === 0 ? [] : [isOneOf(`coalesce(${setting(dialect, 'engine')}, ${INHERITED_ENGINE})`, engines)]),
    ...(engineVersion === undefined ? [] : [isOneOf(version(dialect), [engineVersion])]),
  ];
}

const EFFECTIVE_MODE = '(select x.execution_mode from workspace_execution x where x.id = w.id)';
const INHERITED_ENGINE = '(select o.default_engine from organization o where o.id = w.organization_id)';
