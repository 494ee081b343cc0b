import type { Wing } from '../wing.ts';
import { access } from './migrations/access.ts';
import { invitations } from './migrations/invitations.ts';
import { login } from './migrations/login.ts';
import { people } from './migrations/people.ts';
import { settings } from './migrations/settings.ts';
import { TENANCY_ANSWERS } from './openapi/answers.ts';
import { TENANCY_RESOURCES } from './openapi/resources.ts';

export const tenancy: Wing = {
  migrations: [people, access, settings, login, invitations],
  sealedColumns: [],
  openApi: { resources: TENANCY_RESOURCES, answers: TENANCY_ANSWERS },
};
