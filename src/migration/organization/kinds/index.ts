import { AUTOMATION } from './automation.ts';
import type { Kind } from './kind.ts';
import { AFTER_TEAMS, SETTINGS } from './settings.ts';
import { ACCESS, TEAMS } from './teams.ts';
import { VARIABLES } from './variables.ts';
import { PROJECTS, WORKSPACES } from './workspaces.ts';

/** Everything of an organization that a migration takes. Each kind follows the kinds that it uses. */
export const KINDS: readonly Kind[] = [
  ...SETTINGS,
  ...PROJECTS,
  ...TEAMS,
  ...AFTER_TEAMS,
  ...WORKSPACES,
  ...VARIABLES,
  ...ACCESS,
  ...AUTOMATION,
];

const BY_NAME: ReadonlyMap<string, Kind> = new Map(KINDS.map((kind) => [kind.name, kind]));

/** Returns undefined for an unknown name. */
export const kindNamed = (name: string): Kind | undefined => BY_NAME.get(name);
