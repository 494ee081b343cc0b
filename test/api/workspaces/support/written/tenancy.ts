import { OrganizationResource } from '../../../../../src/workspaces/tenancy/organization/resource.ts';
import { ACCESS_FLAGS } from '../../../../../src/workspaces/tenancy/permissions/grants.ts';
import { createRoot } from '../../../../support/pki.ts';
import { flagsOf, same, secret, token, type Written } from './written.ts';

/** They exclude each other. */
const statuses = (isAggregated: boolean) => ({
  'aggregated-commit-status-enabled': isAggregated,
  'send-passing-statuses-for-untriggered-speculative-plans': !isAggregated,
});
const ORGANIZATION_FLAGS = flagsOf(OrganizationResource.update, [
  ...Object.keys(statuses(true)),
  'user-tokens-enabled',
]);
const ORGANIZATION = {
  email: 'written@example.com',
  'default-engine': 'terraform',
  'default-execution-mode': 'local',
  'fork-plans': 'approved',
  'owners-team-saml-role-id': 'saml-1',
  'session-remember': 7,
  'session-timeout': 8,
};
const organization: Written = {
  sets: [
    ({ username }) => ({
      name: `${username}-1`,
      ...ORGANIZATION,
      ...same(ORGANIZATION_FLAGS, true),
      ...statuses(true),
    }),
    ({ username }) => ({ name: `${username}-2`, ...same(ORGANIZATION_FLAGS, false), ...statuses(false) }),
  ],
  elsewhere: {
    'collaborator-auth-policy': { why: 'the other value is refused: test of organizations' },
    'user-tokens-enabled': { why: 'false refuses the token that writes it: test of tokens' },
  },
};

const project: Written = {
  sets: [
    {
      name: 'Written',
      description: 'Ours',
      'auto-destroy-activity-duration': '3d',
      'default-execution-mode': 'local',
      'setting-overwrites': { 'default-execution-mode': true, 'default-agent-pool': true },
    },
    ({ agent_pool_id: pool }) => ({
      name: 'Written too',
      'default-execution-mode': 'agent',
      'default-agent-pool-id': pool,
    }),
  ],
  elsewhere: {
    'default-agent-pool-id': {
      why: 'a relationship',
      read: ({ relationships }) => relationships['default-agent-pool'].data?.id,
    },
  },
};

const team: Written = {
  sets: [
    {
      name: 'written',
      visibility: 'secret',
      'sso-team-id': 'sso-1',
      'allow-member-token-management': false,
      'organization-access': same(ACCESS_FLAGS, true),
    },
    { name: 'written too', visibility: 'organization' },
  ],
};

const provider: Written = {
  sets: [
    {
      ...{ name: 'Written', issuer: 'https://id.example.org', 'client-id': 'written', 'client-secret': 'between us' },
      ...{ scopes: ['openid', 'groups'], claims: { name: 'name', email: 'mail', groups: 'realm.groups' } },
      ...{ create: 'never', 'sso-team-ids': false, teams: [{ group: 'a-*', team: 'owners' }] },
      'certificate-authorities': createRoot({ subject: 'Provider CA' }).pem,
    },
  ],
  elsewhere: { 'client-secret': secret },
  isOnlyOne: true,
};

/** The single token of a team has no description, as in HCP Terraform. */
const onlyToken: Written = {
  sets: [{ 'expired-at': '2027-01-01T00:00:00.000Z' }],
  elsewhere: { description: { why: 'that of a token among others' } },
};

const pipelineIdentity: Written = {
  sets: [
    {
      ...{ description: 'written', issuer: 'https://git.example.com', 'jwks-url': 'https://git.example.com/keys' },
      ...{ audiences: ['written'], claims: { sub: ['one', 'two'], '/a/b': [7] }, 'token-ttl': 61 },
    },
  ],
};

/** Attributes that accounts, projects, teams, memberships and organizations take. */
export const TENANCY_WRITTEN: Readonly<Record<string, Written>> = {
  'PATCH /account/update': {
    sets: [{ username: 'written', email: 'written@example.com' }],
    elsewhere: {
      email: { why: 'waits for the operator', read: ({ attributes }) => attributes['unconfirmed-email'] },
    },
    show: '/account/details',
  },
  'POST /organizations': organization,
  'PATCH /organizations/:organization_name': organization,
  'POST /organizations/:organization_name/projects': project,
  'PATCH /projects/:project_id': project,
  'POST /organizations/:organization_name/teams': team,
  'PATCH /teams/:team_id': team,
  'POST /teams/:team_id/machine-identities': {
    sets: [{ mount: 'other', role: 'written', 'common-name': 'written.example.com' }],
  },
  'POST /agent-pools/:agent_pool_id/machine-identities': {
    sets: [{ mount: 'other', role: 'written', 'common-name': 'written.example.com' }],
  },
  'POST /teams/:team_id/pipeline-identities': pipelineIdentity,
  'PATCH /pipeline-identities/:pipeline_identity_id': pipelineIdentity,
  'POST /organizations/:organization_name/sign-in-provider': provider,
  'PATCH /organizations/:organization_name/sign-in-provider': provider,
  'POST /organizations/:organization_name/organization-memberships': { sets: [{ email: 'written@example.com' }] },
  'POST /admin/users': {
    sets: [({ username }) => ({ username: `${username}-2`, email: `${username}-2@example.com`, 'is-admin': true })],
    bySiteAdmin: true,
  },
  'PATCH /admin/scim-settings': {
    sets: [
      { enabled: true, paused: true },
      { enabled: true, paused: false },
    ],
    elsewhere: { 'site-admin-group-scim-id': { why: 'a group of the directory: test of groups' } },
    isOnlyOne: true,
    bySiteAdmin: true,
  },
  'POST /admin/scim-tokens': { ...token, bySiteAdmin: true },
  'POST /admin/users/:user_id/authentication-tokens': { ...token, bySiteAdmin: true },
  'POST /users/:user_id/authentication-tokens': token,
  'POST /organizations/:organization_name/authentication-token': onlyToken,
  'POST /teams/:team_id/authentication-token': onlyToken,
  'POST /teams/:team_id/authentication-tokens': token,
};
