import { CORE_GROUP, CORE_USER } from './resource.ts';

export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const NAMESPACE = 'urn:ietf:params:scim:schemas:core:2.0';
const off = { supported: false };

/** Supported features (RFC 7643 §5). */
export const SERVICE_PROVIDER = {
  schemas: [`${NAMESPACE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  ...{ changePassword: off, sort: off, etag: off },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Directory token',
      description: 'Created by a site administrator',
      primary: true,
    },
  ],
};

const typeOf = (id: string, endpoint: string, schema: string) => ({
  ...{ schemas: [`${NAMESPACE}:ResourceType`], id, name: id, endpoint, schema },
});

/** Resource types (RFC 7643 §6). */
export const RESOURCE_TYPES = [typeOf('User', '/Users', CORE_USER), typeOf('Group', '/Groups', CORE_GROUP)];

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
});

/**
 * Schemas with the attributes that the server uses (RFC 7643 §7). Other attributes of a user are stored and returned
 * unchanged.
 */
export const SCHEMAS = [
  {
    ...{ id: CORE_USER, name: 'User', schemas: [`${NAMESPACE}:Schema`] },
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('displayName'),
      attribute('active', { type: 'boolean' }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        subAttributes: ['value', 'type', 'primary'].map((one) => attribute(one)),
      }),
    ],
  },
  {
    ...{ id: CORE_GROUP, name: 'Group', schemas: [`${NAMESPACE}:Schema`] },
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('members', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
    ],
  },
];
