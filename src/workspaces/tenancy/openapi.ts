import { resourceAnswer } from '../openapi/answer.ts';
import type { OpenApiPart } from '../openapi/part.ts';
import * as is from '../openapi/resource.ts';

/** The capacity of an organization, which the module of runs reads. */
export const CAPACITY: OpenApiPart = {
  resources: {
    'organization-capacity': is.resource('organization-capacity', { pending: is.integer, running: is.integer }),
  },
  answers: { 'GET /organizations/:organization_name/capacity': resourceAnswer('organization-capacity') },
};
