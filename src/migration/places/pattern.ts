import { MigrationError } from '../model/errors.ts';

/** Where states are, and which workspaces they become. */
export interface StatePattern {
  /** Returns the placeholders of a path; undefined if the path does not match. */
  match(path: string): Readonly<Record<string, string>> | undefined;
  /** Returns the path for values of the placeholders. */
  fill(values: Readonly<Record<string, string>>): string;
  /** Names of the placeholders in their order. */
  readonly placeholders: readonly string[];
  /** Text before the first placeholder. */
  readonly prefix: string;
}

const PLACEHOLDER = /\{(\w+)\}/g;
/** Placeholder with the name of the project. */
export const PROJECT = 'project';

/**
 * Compiles a pattern such as `envs/{name}/terraform.tfstate`. A placeholder matches any characters except a slash.
 * @throws MigrationError without a placeholder, or with one twice
 */
export function compilePattern(pattern: string): StatePattern {
  const placeholders = [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  if (placeholders.length === 0 || new Set(placeholders).size < placeholders.length) {
    throw new MigrationError(
      'invalid',
      `the pattern ${pattern} needs a placeholder, such as envs/{name}/terraform.tfstate`,
    );
  }
  const texts = pattern.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${texts.join('([^/]+)')}$`);
  return {
    placeholders,
    prefix: pattern.slice(0, pattern.indexOf('{')),
    match: (path) => {
      const found = expression.exec(path);
      return found ? Object.fromEntries(placeholders.map((name, index) => [name, found[index + 1] ?? ''])) : undefined;
    },
    fill: (values) => pattern.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? ''),
  };
}

/** Names the workspace of a path: by the template, or by all placeholders except the project, joined by hyphens. */
export function workspaceName(
  { placeholders }: StatePattern,
  values: Readonly<Record<string, string>>,
  template: string | undefined,
): string {
  const joined =
    template ??
    placeholders
      .filter((name) => name !== PROJECT)
      .map((name) => `{${name}}`)
      .join('-');
  const name = joined.replaceAll(PLACEHOLDER, (_, placeholder: string) => values[placeholder] ?? '');
  // Names of workspaces have letters, digits, hyphens and underscores only.
  return name.replaceAll(/[^\w-]/g, '-').slice(0, MAX_NAME);
}

/** @limit name of a workspace that an import makes of a path, characters -> the rest is left out */
const MAX_NAME = 90;
