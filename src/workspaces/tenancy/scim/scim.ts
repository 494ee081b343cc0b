import { ScimGroups, type ScimGroupsOptions } from './groups.ts';
import { ScimSettingsService } from './settings.ts';
import { ScimTeamLinks } from './team-links.ts';
import { ScimTokens, type ScimTokensOptions } from './tokens.ts';
import { ScimUsers } from './users.ts';

/** SCIM directory of the server: the users and groups that it provisions, and its tokens. */
export interface Scim {
  readonly users: ScimUsers;
  readonly groups: ScimGroups;
  readonly tokens: ScimTokens;
  readonly settings: ScimSettingsService;
  readonly teamLinks: ScimTeamLinks;
}

export function createScim(options: ScimGroupsOptions & ScimTokensOptions): Scim {
  const { database, clock } = options;
  const groups = new ScimGroups(options);
  return {
    users: new ScimUsers(options),
    groups,
    tokens: new ScimTokens(options),
    settings: new ScimSettingsService(database, groups),
    teamLinks: new ScimTeamLinks(database, clock, groups),
  };
}
