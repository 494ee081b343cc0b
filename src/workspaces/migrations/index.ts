import type { Migration } from '../../storage/index.ts';
import { access } from './access.ts';
import { agents } from './agents.ts';
import { invitations } from './invitations.ts';
import { listing } from './listing.ts';
import { login } from './login.ts';
import { notifications } from './notifications.ts';
import { people } from './people.ts';
import { roster } from './roster.ts';
import { runs } from './runs.ts';
import { settings } from './settings.ts';
import { states } from './states.ts';
import { variables } from './variables.ts';
import { work } from './work.ts';
import { workspace } from './workspace.ts';

/** Every step of this API's schema, in order. One that has landed never changes. */
export const workspacesMigrations: readonly Migration[] = [
  people,
  work,
  access,
  settings,
  workspace,
  variables,
  states,
  runs,
  login,
  listing,
  agents,
  roster,
  invitations,
  notifications,
];
