import { type Answers, done, made, pageAnswer, resourceAnswer, tagBindings } from '../../openapi/answer.ts';

/** Responses of the tenancy routes. */
export const TENANCY_ANSWERS: Answers = {
  'POST /organizations': made('organizations'),
  'GET /organizations': pageAnswer('organizations'),
  'GET /organizations/:organization_name': resourceAnswer('organizations'),
  'PATCH /organizations/:organization_name': resourceAnswer('organizations'),
  'GET /organizations/:organization_name/entitlement-set': resourceAnswer('entitlement-sets'),
  'GET /organizations/:organization_name/subscription': resourceAnswer('subscriptions'),
  'GET /organizations/:organization_name/capacity': resourceAnswer('organization-capacity'),

  'POST /organizations/:organization_name/teams': made('teams'),
  'GET /organizations/:organization_name/teams': pageAnswer('teams'),
  'GET /teams/:team_id': resourceAnswer('teams'),
  'PATCH /teams/:team_id': resourceAnswer('teams'),
  'POST /teams/:team_id/relationships/users': done,
  'POST /teams/:team_id/pipeline-identities': made('pipeline-identities'),
  'GET /teams/:team_id/pipeline-identities': pageAnswer('pipeline-identities'),
  'POST /teams/:team_id/pipeline-explanation': resourceAnswer('pipeline-explanations'),
  'GET /pipeline-identities/:pipeline_identity_id': resourceAnswer('pipeline-identities'),
  'PATCH /pipeline-identities/:pipeline_identity_id': resourceAnswer('pipeline-identities'),
  'GET /organizations/:organization_name/sign-in-provider': resourceAnswer('sign-in-providers'),
  'GET /organizations/:organization_name/sign-in-providers': pageAnswer('sign-in-providers'),
  'POST /organizations/:organization_name/sign-in-provider': made('sign-in-providers'),
  'PATCH /organizations/:organization_name/sign-in-provider': resourceAnswer('sign-in-providers'),
  'POST /organizations/:organization_name/sign-in-provider/actions/check': resourceAnswer('sign-in-provider-checks'),

  'POST /organizations/:organization_name/projects': made('projects'),
  'GET /organizations/:organization_name/projects': pageAnswer('projects'),
  'GET /projects/:project_id': resourceAnswer('projects'),
  'PATCH /projects/:project_id': resourceAnswer('projects'),
  ...tagBindings('/projects/:project_id'),
};
