import { type Static, Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { OrganizationResource } from './resource.ts';
import type { OrganizationInput } from './rules.ts';

const relationships = {
  'default-agent-pool': Type.Optional(Type.Object({ data: nullable(Type.Object({ id: text(100) })) })),
};
export const CreateOrganization = createBody(OrganizationResource, relationships);
export const UpdateOrganization = updateBody(OrganizationResource, relationships);

/** Converts the request body. The rules ignore settings with other names. */
export function organizationInput(data: Static<typeof UpdateOrganization>['data']): OrganizationInput {
  const { name: named, email: address, ...rest } = data.attributes ?? {};
  const pool = data.relationships?.['default-agent-pool'];
  return {
    name: named,
    email: address,
    execution: {
      mode: rest['default-execution-mode'],
      agentPoolId: pool === undefined ? undefined : (pool.data?.id ?? null),
    },
    defaultEngine: rest['default-engine'],
    allowForceDelete: rest['allow-force-delete-workspaces'],
    userTokensEnabled: rest['user-tokens-enabled'],
    settings: rest,
  };
}
