import { isoTime } from '../../lib/clock.ts';
import type { Issue } from '../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../jsonapi/errors.ts';
import { parseEngineVersion } from './engine-version.ts';
import { type Attributes, attributeSchemas } from './schema.ts';
import { DEFAULT_SETTINGS, type Settings } from './workspace.ts';

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR };

/** Only what the schema has checked: a client may send anything under another name. */
const WRITABLE = (Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[]).filter((key) => key in attributeSchemas);

/**
 * The settings after a client's attributes (spec §4.1, §4.2): what is absent stays, null brings the default back.
 * `lastActivity` is when the state last changed, in milliseconds since 1970.
 * @throws 422 with everything that is wrong.
 */
export function nextSettings(current: Settings, input: Attributes, lastActivity: number): Settings {
  const next: Settings = {
    ...merged(current, input),
    ...engineVersion(input),
    ...executionMode(input),
    ...triggers(input),
    ...autoDestroy(input, lastActivity),
  };
  const issues = RULES.flatMap((rule) => rule(input, next));
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

function merged(current: Settings, input: Attributes): Settings {
  const given = WRITABLE.filter((key) => input[key as keyof Attributes] !== undefined);
  const changes = given.map((key) => [key, input[key as keyof Attributes] ?? DEFAULT_SETTINGS[key]]);
  return { ...current, ...Object.fromEntries(changes) };
}

/** One attribute under two names: its own and the brand's. */
function engineVersion(input: Attributes): Partial<Settings> {
  const version = input['engine-version'] ?? input['terraform-version'];
  if (version !== undefined && version !== null) return { 'engine-version': version };
  return input['terraform-version'] === null ? { 'engine-version': DEFAULT_SETTINGS['engine-version'] } : {};
}

/** An overwrite of false gives the organization's default back, whatever else is said. */
function executionMode(input: Attributes): Partial<Settings> {
  if (input['setting-overwrites']?.['execution-mode'] === false) return { 'execution-mode': null };
  if (input['execution-mode'] !== undefined || typeof input.operations !== 'boolean') return {};
  return { 'execution-mode': input.operations ? 'remote' : 'local' };
}

/** Patterns and prefixes exclude each other: giving one takes the other away. */
function triggers(input: Attributes): Partial<Settings> {
  const { 'trigger-patterns': patterns, 'trigger-prefixes': prefixes } = input;
  if (patterns && patterns.length > 0 && prefixes === undefined) return { 'trigger-prefixes': [] };
  if (prefixes && prefixes.length > 0 && patterns === undefined) return { 'trigger-patterns': [] };
  return {};
}

/** A duration sets the time, counted from the last activity; either of them ends what the project says. */
function autoDestroy(input: Attributes, lastActivity: number): Partial<Settings> {
  const { 'auto-destroy-at': at, 'auto-destroy-activity-duration': duration } = input;
  if (at === undefined && duration === undefined) return {};
  const time = at ? Date.parse(at) : duration ? lastActivity + milliseconds(duration) : null;
  if (time === null) return { 'auto-destroy-at': null };
  const inherits = input['inherits-project-auto-destroy'] ?? false;
  return { 'auto-destroy-at': isoTime(time), 'inherits-project-auto-destroy': inherits };
}

/** `14d`, `6h` */
function milliseconds(duration: string): number {
  return Number(duration.slice(0, -1)) * (UNITS[duration.slice(-1)] ?? 0);
}

type Rule = (input: Attributes, next: Settings) => Issue[];

const RULES: readonly Rule[] = [
  executionModeRule,
  agentPoolRule,
  engineVersionRule,
  triggerRule,
  sharingRule,
  sourceUrlRule,
  vcsRepoRule,
];

function executionModeRule(input: Attributes, next: Settings): Issue[] {
  if (typeof input.operations === 'boolean' && input['execution-mode']) {
    return [attributeIssue('operations', 'Operations cannot be given together with execution mode')];
  }
  if (input['setting-overwrites']?.['execution-mode'] === true && next['execution-mode'] === null) {
    return [attributeIssue('execution-mode', 'Execution mode is required when it overwrites the default')];
  }
  return [];
}

/** There are no agent pools yet, so that no id names one. Clients send an empty one for none. */
function agentPoolRule(input: Attributes, next: Settings): Issue[] {
  const agent = next['execution-mode'] === 'agent';
  if (!input['agent-pool-id']) {
    return agent ? [attributeIssue('agent-pool-id', 'Agent pool is required when execution mode is agent')] : [];
  }
  if (agent) return [attributeIssue('agent-pool-id', 'Agent pool not found')];
  return [attributeIssue('agent-pool-id', 'Agent pool can only be given when execution mode is agent')];
}

function engineVersionRule(input: Attributes, next: Settings): Issue[] {
  const { 'engine-version': own, 'terraform-version': branded } = input;
  if (own && branded && own !== branded) {
    return [attributeIssue('terraform-version', 'Terraform version and engine version are one attribute, and differ')];
  }
  if (parseEngineVersion(next['engine-version'])) return [];
  return [attributeIssue('engine-version', 'Engine version is neither a version nor a constraint such as ~> 1.5')];
}

function triggerRule(_input: Attributes, next: Settings): Issue[] {
  if (next['trigger-patterns'].length === 0 || next['trigger-prefixes'].length === 0) return [];
  return [attributeIssue('trigger-patterns', 'Trigger patterns cannot be given together with trigger prefixes')];
}

function sharingRule(_input: Attributes, next: Settings): Issue[] {
  if (!next['global-remote-state'] || !next['project-remote-state']) return [];
  const detail = 'Project remote state cannot be enabled when global remote state sharing is enabled';
  return [attributeIssue('project-remote-state', detail)];
}

/** It is shown as a link. */
function sourceUrlRule(input: Attributes): Issue[] {
  const url = input['source-url'];
  if (!url || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return [];
  return [attributeIssue('source-url', 'Source URL is not an address on the web')];
}

/** There are no VCS connections yet, so that no id names one. */
function vcsRepoRule(input: Attributes, next: Settings): Issue[] {
  const repo = input['vcs-repo'];
  if (!repo) return [];
  const { 'oauth-token-id': token, 'github-app-installation-id': app } = repo;
  if (token && app) {
    return [attributeIssue('vcs-repo', 'VCS repo has either an OAuth token or an app installation, not both')];
  }
  if (!repo.identifier || !(token || app)) {
    return [attributeIssue('vcs-repo', 'VCS repo needs an identifier and an OAuth token or an app installation')];
  }
  const filtered = next['trigger-patterns'].length + next['trigger-prefixes'].length > 0;
  if (repo['tags-regex'] && (filtered || input['file-triggers-enabled'])) {
    return [attributeIssue('vcs-repo/tags-regex', 'Tags regex cannot be given together with file triggers')];
  }
  const [key, label] = token ? ['oauth-token-id', 'OAuth token'] : ['github-app-installation-id', 'App installation'];
  return [attributeIssue(`vcs-repo/${key}`, `${label} not found`)];
}
