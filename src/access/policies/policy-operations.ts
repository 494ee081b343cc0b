import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { policyName } from '../acl/index.ts';
import { answersData, answersFlat, answersKeys, answersNothing, answersWarnings } from '../operation/answer.ts';
import { described, parseFields, text } from '../operation/fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../operation/listing.ts';
import { type Call, DONE, type Operation, type Reply } from '../operation/operation.ts';
import { component, texts } from '../operation/schema.ts';
import { detailedListOperations } from './detailed-list-operations.ts';
import { AclPolicy, LegacyPolicy, POLICY_FIELDS, policyFacts, saidOfPolicy } from './policy-fields.ts';
import { type PolicyService, UNSAID } from './policy-service.ts';
import type { PolicyRecord } from './policy-store.ts';
import { policyText } from './policy-text.ts';
import { PolicyUses } from './policy-uses.ts';

const PolicyNames = component('PolicyNames', { keys: texts(), policies: texts('Same as `keys`.') });
const LEGACY_FIELDS = { ...POLICY_FIELDS, ...described({ rules: text() }, { rules: 'Former name of `policy`.' }) };
const POLICY = { name: 'Name of the policy, in any case.' };

/** Canonical form of a name: `Admins` is the same policy as `admins`. */
const NAME = { param: 'name', of: policyName };
const nameOf = ({ params }: Call): string => policyName(params.name ?? '');

/** Operations on policies below `sys/`, at the paths of current and of older clients. */
export function policyOperations(service: PolicyService, clock: Clock): readonly Operation[] {
  return [
    ...aclOperations(service, clock),
    ...legacyOperations(service, clock),
    ...detailedListOperations(service),
    uses(service),
  ];
}

function uses(service: PolicyService): Operation {
  return {
    path: 'policies/uses/*name',
    canonical: NAME,
    verb: 'read',
    id: 'policies-read-uses',
    summary: 'List the roles, token roles, entities and groups that use a policy',
    parameters: POLICY,
    answers: answersData(PolicyUses),
    handle: async (call) => ({ data: await service.uses(nameOf(call)) }),
  };
}

function aclOperations(service: PolicyService, clock: Clock): Operation[] {
  const path = 'policies/acl/*name';
  return [
    {
      path: 'policies/acl',
      verb: 'list',
      id: 'policies-list-acl-policies',
      summary: 'List policies',
      answers: answersKeys(),
      fields: PAGE_FIELDS,
      handle: async ({ data }) => ({ data: { keys: await names(service, data) } }),
    },
    {
      path,
      canonical: NAME,
      verb: 'read',
      id: 'policies-read-acl-policy',
      summary: 'Read a policy',
      parameters: POLICY,
      answers: answersData(AclPolicy),
      async handle(call) {
        const name = nameOf(call);
        const policy = await existing(service, name);
        return { data: { name, policy: policy.text, ...policyFacts(policy) } };
      },
    },
    {
      path,
      canonical: NAME,
      verb: 'update',
      id: 'policies-write-acl-policy',
      parameters: POLICY,
      summary: 'Write a policy, in HCL or JSON, optionally base64-encoded',
      answers: answersWarnings(),
      fields: POLICY_FIELDS,
      async handle(call) {
        const { policy = '' } = parseFields(POLICY_FIELDS, call.data).values;
        return write(service, clock, call, policy);
      },
    },
    {
      path,
      canonical: NAME,
      verb: 'patch',
      id: 'policies-patch-acl-policy',
      parameters: POLICY,
      summary: 'Update parts of a policy; absent fields keep their value',
      answers: answersWarnings(),
      fields: POLICY_FIELDS,
      handle: (call) => patch(service, clock, call),
    },
    listBelow(service, 'policies-list-acl-policies-with-prefix', path),
    removal(service, 'policies-delete-acl-policy', path),
  ];
}

/** Operations for older clients: the responses have other names, and also contain the data beside the envelope. */
function legacyOperations(service: PolicyService, clock: Clock): Operation[] {
  const path = 'policy/*name';
  const listing = {
    path: 'policy',
    summary: 'List policies',
    answers: answersFlat(PolicyNames),
    async handle({ data }: Call): Promise<Reply> {
      const keys = await names(service, data);
      return { data: { keys, policies: keys }, flat: true };
    },
  };
  return [
    { ...listing, id: 'policies-list', verb: 'read' },
    { ...listing, id: 'policies-list-acl-policies2', verb: 'list', fields: PAGE_FIELDS },
    {
      path,
      canonical: NAME,
      verb: 'read',
      id: 'policies-read-acl-policy2',
      summary: 'Read a policy',
      parameters: POLICY,
      answers: answersFlat(LegacyPolicy),
      async handle(call) {
        const name = nameOf(call);
        const policy = await existing(service, name);
        return { data: { name, rules: policy.text, ...policyFacts(policy) }, flat: true };
      },
    },
    {
      path,
      canonical: NAME,
      verb: 'update',
      id: 'policies-write-acl-policy2',
      parameters: POLICY,
      summary: 'Write a policy',
      answers: answersWarnings(),
      fields: LEGACY_FIELDS,
      async handle(call) {
        const { policy = '', rules = '' } = parseFields(LEGACY_FIELDS, call.data).values;
        if (policy !== '' || rules === '') return write(service, clock, call, policy);
        return write(service, clock, call, rules, ["'rules' is deprecated, please use 'policy' instead"]);
      },
    },
    listBelow(service, 'policies-list-acl-policies-with-prefix2', path),
    removal(service, 'policies-delete-acl-policy2', path),
  ];
}

/** Lists names that start with a name and a slash: names may contain slashes. */
function listBelow(service: PolicyService, id: string, path: string): Operation {
  return {
    id,
    path,
    parameters: { name: 'The name before the slash.' },
    canonical: NAME,
    verb: 'list',
    summary: 'List policies whose names start with a name and a slash',
    answers: answersKeys(),
    fields: PAGE_FIELDS,
    async handle(call) {
      const { after, most } = pageOf(call.data);
      return listReply(await service.namesBelow(nameOf(call), after, most));
    },
  };
}

function removal(service: PolicyService, id: string, path: string): Operation {
  return {
    id,
    path,
    parameters: POLICY,
    canonical: NAME,
    verb: 'delete',
    summary: 'Delete a policy; tokens with this policy lose its permissions',
    answers: answersNothing(),
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
async function existing(service: PolicyService, name: string): Promise<PolicyRecord> {
  const policy = await service.find(name);
  if (policy === undefined) throw new AppError('not-found', '');
  return policy;
}

/** @throws AppError bad-request */
async function write(
  service: PolicyService,
  clock: Clock,
  call: Call,
  sent: string,
  known: readonly string[] = [],
): Promise<Reply> {
  if (sent === '') throw new AppError('bad-request', "'policy' parameter not supplied or empty");
  const { cas, settings } = saidOfPolicy(call.data, clock);
  const warnings = await service.write(nameOf(call), policyText(sent), { ...UNSAID, ...settings }, cas);
  return written(call, [...known, ...warnings]);
}

/** @throws AppError bad-request; not-found */
async function patch(service: PolicyService, clock: Clock, call: Call): Promise<Reply> {
  const { policy, cas } = parseFields(POLICY_FIELDS, call.data).values;
  if (policy === '') throw new AppError('bad-request', "'policy' parameter not supplied or empty");
  const text = policy === undefined ? {} : { text: policyText(policy) };
  const changes = (known: PolicyRecord) => ({ ...text, ...saidOfPolicy(call.data, clock, known).settings });
  return written(call, await service.patch(nameOf(call), changes, cas));
}

function written(call: Call, warnings: readonly string[]): Reply {
  const name = nameOf(call);
  const converted = call.params.name === name ? [] : [`policy name was converted to ${name}`];
  return { warnings: [...converted, ...warnings] };
}
