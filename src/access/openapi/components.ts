/** What every answer of the access API is made of, in the words of OpenAPI 3.0. */
const text = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const texts = { type: 'array', items: text };

function closed(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Beside a `$ref` OpenAPI 3.0 reads nothing, so what may be null refers by `allOf`. */
const orNull = (name: string) => ({ nullable: true, allOf: [{ $ref: `#/components/schemas/${name}` }] });

const envelope = {
  request_id: text,
  lease_id: text,
  renewable: boolean,
  lease_duration: { ...integer, description: 'Seconds.' },
  data: { type: 'object', nullable: true },
  wrap_info: orNull('WrapInfo'),
  warnings: { ...texts, nullable: true },
  auth: orNull('Auth'),
};

export const SCHEMAS = {
  // Some answers repeat the members of `data` beside it, for old clients.
  Answer: { ...closed(envelope), additionalProperties: true },
  Errors: closed({ errors: texts }),
  Auth: closed({
    client_token: text,
    accessor: text,
    policies: texts,
    token_policies: texts,
    metadata: { type: 'object', additionalProperties: text, nullable: true },
    lease_duration: { ...integer, description: 'Seconds.' },
    renewable: boolean,
    entity_id: text,
    token_type: text,
    orphan: boolean,
    mfa_requirement: { type: 'object', nullable: true },
    num_uses: { ...integer, description: '0: no limit.' },
  }),
  WrapInfo: closed(
    {
      token: text,
      accessor: text,
      ttl: { ...integer, description: 'Seconds.' },
      creation_time: { type: 'string', format: 'date-time' },
      creation_path: text,
      wrapped_accessor: text,
    },
    ['wrapped_accessor'],
  ),
};

export const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'X-Vault-Token' },
  bearer: { type: 'http', scheme: 'bearer' },
};

/** Of operations that need a token. */
export const SECURITY = [{ token: [] }, { bearer: [] }];

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const errors = { description: 'Refused.', ...json({ $ref: '#/components/schemas/Errors' }) };

export const RESPONSES = {
  200: { description: 'Done; here is what there is to say.', ...json({ $ref: '#/components/schemas/Answer' }) },
  202: { description: 'Taken; it goes on by itself.', ...json({ $ref: '#/components/schemas/Answer' }) },
  204: { description: 'Done.' },
  default: errors,
};

/** Of operations that answer without the envelope. */
export const BARE_RESPONSES = { 200: { description: 'Done.', ...json({ type: 'object' }) }, default: errors };
