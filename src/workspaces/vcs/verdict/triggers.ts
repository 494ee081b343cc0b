/** Settings of a workspace that decide, with the names of the API. The workspace's settings fit. */
export interface TriggerSettings {
  readonly 'vcs-repo': { readonly branch: string | null; readonly 'tags-regex': string | null } | null;
  readonly 'file-triggers-enabled': boolean;
  readonly 'queue-all-runs': boolean;
  readonly 'speculative-enabled': boolean;
  readonly 'trigger-patterns': readonly string[];
  readonly 'trigger-prefixes': readonly string[];
  readonly 'working-directory': string | null;
}

/** Parts of a repository that concern a workspace. */
export interface Triggers {
  readonly patterns: readonly string[];
  readonly folders: readonly Folder[];
}

/** A path without slashes at its ends; empty for the whole repository. It may be a file. */
export interface Folder {
  readonly path: string;
  readonly isWorkingDirectory: boolean;
}

/**
 * Returns the triggers of a workspace (spec §4.1). Patterns stand for themselves. Without patterns, the working
 * directory counts besides the prefixes. With neither, every change counts.
 */
export function triggersOf(settings: TriggerSettings): Triggers | 'any-push' | 'whole-repository' {
  const { 'trigger-patterns': patterns, 'trigger-prefixes': prefixes } = settings;
  if (!settings['file-triggers-enabled']) return 'any-push';
  if (patterns.length > 0) return { patterns, folders: [] };
  const directory = normalPath(settings['working-directory'] ?? '');
  if (directory === '' && prefixes.length === 0) return 'whole-repository';
  const folders = prefixes.map((prefix) => ({ path: normalPath(prefix), isWorkingDirectory: false }));
  return {
    patterns,
    folders: directory === '' ? folders : [{ path: directory, isWorkingDirectory: true }, ...folders],
  };
}

/** Removes slashes at the ends, `.` and `..`. */
function normalPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
