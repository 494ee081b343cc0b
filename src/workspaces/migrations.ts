import type { Migration } from '../storage/index.ts';
import { agents } from './execution/migrations/agents.ts';
import { notifications } from './execution/migrations/notifications.ts';
import { runs } from './execution/migrations/runs.ts';
import { states } from './state/migrations/states.ts';
import { access } from './tenancy/migrations/access.ts';
import { invitations } from './tenancy/migrations/invitations.ts';
import { login } from './tenancy/migrations/login.ts';
import { people } from './tenancy/migrations/people.ts';
import { settings } from './tenancy/migrations/settings.ts';
import { variables } from './variables/migrations/variables.ts';
import { listing } from './workspace/migrations/listing.ts';
import { roster } from './workspace/migrations/roster.ts';
import { work } from './workspace/migrations/work.ts';
import { workspace } from './workspace/migrations/workspace.ts';

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
