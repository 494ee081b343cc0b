import { type Answers, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';

/** Responses of the tenancy routes. */
export const TENANCY_ANSWERS: Answers = {
  'POST /organizations': made('organizations'),
  'GET /organizations': pageAnswer('organizations'),
  'GET /organizations/:organization_name': resourceAnswer('organizations'),
  'PATCH /organizations/:organization_name': resourceAnswer('organizations'),
  'GET /organizations/:organization_name/entitlement-set': resourceAnswer('entitlement-sets'),
  'GET /organizations/:organization_name/subscription': resourceAnswer('subscriptions'),
  'GET /organizations/:organization_name/capacity': resourceAnswer('organization-capacity'),
};
