import { folderInside } from '../../../archive/index.ts';
import { isoTime } from '../../../lib/clock.ts';
import { parseEngineVersion } from '../../../lib/engines/version.ts';
import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { ENGINE_NAMES, type EngineKind } from '../../tenancy/index.ts';
import type { EngineReleases } from '../engine/releases.ts';
import { DEFAULT_SETTINGS, type Settings } from '../model/settings.ts';
import { executionIssues, nextExecution } from './execution-rules.ts';
import { WorkspaceResource } from './resource.ts';
import type { Attributes } from './schema.ts';
import { nextVcs, vcsIssues } from './vcs-rules.ts';

/** Attributes of the schema that clients may write. Clients may send arbitrary others. */
const WRITABLE = (Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[]).filter(
  (key) => key in WorkspaceResource.update.properties,
);

/** Input for checking an engine and its version. */
export interface Engines {
  readonly releases: EngineReleases;
  /** Engine of a workspace that names none. */
  readonly inherited: EngineKind;
}

/**
 * Returns the settings after a client's attributes (spec §4.1, §4.2): absent ones stay, null restores the default.
 * References to a pool or a connection are checked in references.ts.
 * @throws 422 with all errors
 */
export function nextSettings(current: Settings, input: Attributes, engines: Engines): Settings {
  const next: Settings = {
    ...merged(current, input),
    ...engineVersion(input),
    ...nextExecution(current, input),
    ...nextVcs(current, input),
    ...nextAutoDestroy(input),
  };
  const issues = [
    ...executionIssues(input, next),
    ...engineIssues(input, next, engines),
    ...sharingIssues(next),
    ...sourceUrlIssues(input),
    ...vcsIssues(current, input, next),
    ...workingDirectoryIssues(input),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

/**
 * Returns the settings after attributes that decide which commits start runs, which nobody has saved.
 * @throws 422 with all errors
 */
export function nextTriggers(current: Settings, input: Attributes): Settings {
  const next = { ...merged(current, input), ...nextVcs(current, input) };
  const issues = [...vcsIssues(current, input, next), ...workingDirectoryIssues(input)];
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

function merged(current: Settings, input: Attributes): Settings {
  const given = WRITABLE.filter((key) => input[key as keyof Attributes] !== undefined);
  const changes = given.map((key) => [key, input[key as keyof Attributes] ?? DEFAULT_SETTINGS[key]]);
  return { ...current, ...Object.fromEntries(changes) };
}

/** The attribute has two names: `engine-version`, and HCP Terraform's `terraform-version`. */
function engineVersion(input: Attributes): Partial<Settings> {
  const version = input['engine-version'] ?? input['terraform-version'];
  if (version !== undefined && version !== null) return { 'engine-version': version };
  return input['terraform-version'] === null ? { 'engine-version': DEFAULT_SETTINGS['engine-version'] } : {};
}

const NO_PLAN = { 'auto-destroy-at': null, 'auto-destroy-activity-duration': null };

/**
 * Applies a client's attributes to the auto-destroy settings. A duration replaces a time and vice versa;
 * both override the project's setting. Null clears a duration and its time, or a time and its duration; the project's
 * setting then applies again, unless the client opts out of it.
 */
function nextAutoDestroy(input: Attributes): Partial<Settings> {
  const { 'auto-destroy-at': at, 'auto-destroy-activity-duration': duration } = input;
  const inherits = input['inherits-project-auto-destroy'];
  if (at) return { ...NO_PLAN, 'auto-destroy-at': isoTime(Date.parse(at)), 'inherits-project-auto-destroy': false };
  if (duration) return { 'auto-destroy-at': null, 'destroyed-at': null, 'inherits-project-auto-destroy': false };
  if (at === null || duration === null) return { ...NO_PLAN, 'inherits-project-auto-destroy': inherits ?? true };
  return inherits === true ? NO_PLAN : {};
}

/** Unchanged values are not checked again, because the list of releases may have changed since. */
function engineIssues(input: Attributes, next: Settings, { releases, inherited }: Engines): Issue[] {
  const { 'engine-version': own, 'terraform-version': branded } = input;
  if (own && branded && own !== branded) {
    return [
      attributeIssue('terraform-version', 'Terraform version and engine version name the same attribute, but differ'),
    ];
  }
  if (own === undefined && branded === undefined && input.engine === undefined) return [];
  const version = next['engine-version'];
  if (!parseEngineVersion(version)) {
    return [attributeIssue('engine-version', 'Engine version is neither a version nor a constraint such as ~> 1.5')];
  }
  const { kind, release } = releases.choose({ engine: next.engine, inherited }, version);
  if (release !== undefined) return [];
  const detail = `No known release of ${ENGINE_NAMES[kind]} satisfies the engine version ${version}`;
  return [attributeIssue('engine-version', `${detail}: choose another version or another engine`)];
}

function sharingIssues(next: Settings): Issue[] {
  if (!next['global-remote-state'] || !next['project-remote-state']) return [];
  const detail = 'Project remote state cannot be enabled when global remote state sharing is enabled';
  return [attributeIssue('project-remote-state', detail)];
}

/** A directory outside of the configuration would fail every run. */
function workingDirectoryIssues({ 'working-directory': directory }: Attributes): Issue[] {
  try {
    folderInside(directory ?? '');
    return [];
  } catch {
    return [attributeIssue('working-directory', 'Working directory must be a folder inside the configuration')];
  }
}

/** The console shows the URL as a link. */
function sourceUrlIssues(input: Attributes): Issue[] {
  const url = input['source-url'];
  if (!url || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return [];
  return [attributeIssue('source-url', 'Source URL must be an http or https URL')];
}
