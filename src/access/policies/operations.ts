import { AppError } from '../../lib/errors.ts';
import { type Call, DONE, type Operation, type Reply } from '../api/operation.ts';
import { parseFields, text } from '../fields.ts';
import { PAGE_FIELDS, pageOf } from '../listing.ts';
import { type CapabilityParts, capabilityOperations } from './capability-operations.ts';
import { type ExplainParts, explainOperation } from './explain-operation.ts';
import { policyName } from './names.ts';
import type { PolicyService } from './policy-service.ts';
import { policyText } from './policy-text.ts';

const WRITE_FIELDS = { policy: text() };
const LEGACY_FIELDS = { policy: text(), rules: text() };
/** They would guard or limit what is written, so a request with one is refused rather than carried out without it. */
const UNSUPPORTED = ['cas', 'cas_required', 'expiration', 'ttl'];

/** A name in another spelling (`Admins`) means the same policy. */
const NAME = { param: 'name', of: policyName };
const nameOf = ({ params }: Call): string => policyName(params.name ?? '');

/** What the composition knows and policies do not. */
export type PolicyParts = CapabilityParts & ExplainParts;

/** Below `sys/`: policies, by both names of old and new clients; what a token may do; and why. */
export function policyOperations(service: PolicyService, parts: PolicyParts): readonly Operation[] {
  return [
    ...aclOperations(service),
    ...legacyOperations(service),
    ...capabilityOperations(parts),
    explainOperation(service, parts),
  ];
}

function aclOperations(service: PolicyService): Operation[] {
  const path = 'policies/acl/*name';
  return [
    {
      path: 'policies/acl',
      verb: 'list',
      summary: 'List policies',
      fields: PAGE_FIELDS,
      handle: async ({ data }) => ({ data: { keys: await names(service, data) } }),
    },
    {
      path,
      canonical: NAME,
      verb: 'read',
      summary: 'Read a policy',
      async handle(call) {
        const name = nameOf(call);
        return { data: { name, policy: await existing(service, name) } };
      },
    },
    {
      path,
      canonical: NAME,
      verb: 'update',
      summary: 'Write a policy, in HCL or JSON, or either in base64',
      fields: WRITE_FIELDS,
      async handle(call) {
        const { policy = '' } = parseFields(WRITE_FIELDS, call.data).values;
        return write(service, call, policy, []);
      },
    },
    removal(service, path),
  ];
}

/** The same as old clients know it: other names in the answers, which stand beside the envelope as well. */
function legacyOperations(service: PolicyService): Operation[] {
  const path = 'policy/*name';
  const listing = {
    path: 'policy',
    summary: 'List policies',
    async handle({ data }: Call): Promise<Reply> {
      const keys = await names(service, data);
      return { data: { keys, policies: keys }, flat: true };
    },
  };
  return [
    { ...listing, verb: 'read' },
    { ...listing, verb: 'list', fields: PAGE_FIELDS },
    {
      path,
      canonical: NAME,
      verb: 'read',
      summary: 'Read a policy',
      async handle(call) {
        const name = nameOf(call);
        return { data: { name, rules: await existing(service, name) }, flat: true };
      },
    },
    {
      path,
      canonical: NAME,
      verb: 'update',
      summary: 'Write a policy',
      fields: LEGACY_FIELDS,
      async handle(call) {
        const { policy = '', rules = '' } = parseFields(LEGACY_FIELDS, call.data).values;
        if (policy !== '' || rules === '') return write(service, call, policy, []);
        return write(service, call, rules, ["'rules' is deprecated, please use 'policy' instead"]);
      },
    },
    removal(service, path),
  ];
}

function removal(service: PolicyService, path: string): Operation {
  return {
    path,
    canonical: NAME,
    verb: 'delete',
    summary: 'Delete a policy; tokens that carry it lose what it gave',
    async handle(call) {
      await service.remove(nameOf(call));
      return DONE;
    },
  };
}

function names(service: PolicyService, data: Call['data']): Promise<string[]> {
  const { after, most } = pageOf(data);
  return service.names(after, most);
}

/** @throws AppError not-found */
async function existing(service: PolicyService, name: string): Promise<string> {
  const policy = await service.text(name);
  if (policy === undefined) throw new AppError('not-found', '');
  return policy;
}

/** @throws AppError bad-request */
async function write(service: PolicyService, call: Call, sent: string, known: readonly string[]): Promise<Reply> {
  const { params, data } = call;
  const name = nameOf(call);
  const unsupported = UNSUPPORTED.find((field) => Object.hasOwn(data, field));
  if (unsupported) throw new AppError('bad-request', `'${unsupported}' is not supported for policies`);
  if (sent === '') throw new AppError('bad-request', "'policy' parameter not supplied or empty");
  const warnings = [...known, ...(await service.write(name, policyText(sent)))];
  return { warnings: params.name === name ? warnings : [`policy name was converted to ${name}`, ...warnings] };
}
