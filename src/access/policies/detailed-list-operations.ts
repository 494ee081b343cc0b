import { AppError } from '../../lib/errors.ts';
import { policyName } from '../acl/index.ts';
import { answersKeys } from '../operation/answer.ts';
import { listReply, PAGE_FIELDS, type Page, pageOf } from '../operation/listing.ts';
import type { Operation, Reply } from '../operation/operation.ts';
import { AclPolicy, policyFacts } from './policy-fields.ts';
import type { PolicyService } from './policy-service.ts';

/** @limit policies with their texts in one list, policies -> 400 with advice to use pages */
const MAX_DETAILED = 500;
/**
 * Bounds the response, which is built in one step.
 * @limit total length of the policy texts in one list, characters -> 400 with advice to use pages
 */
const MAX_DETAILED_LENGTH = 1024 * 1024;

type NamesOf = (page: Page) => Promise<readonly string[]>;

/** Operations that list policies with their texts. */
export function detailedListOperations(service: PolicyService): Operation[] {
  return [
    {
      path: 'policies/detailed/acl',
      verb: 'list',
      id: 'policies-list-detailed-acl-policies',
      summary: 'List policies with their texts',
      answers: answersKeys(AclPolicy),
      fields: PAGE_FIELDS,
      handle: ({ data }) => detailed(service, ({ after, most }) => service.names(after, most), pageOf(data)),
    },
    {
      path: 'policies/detailed/acl/*name',
      canonical: { param: 'name', of: policyName },
      verb: 'list',
      id: 'policies-list-detailed-acl-policies-with-prefix',
      parameters: { name: 'The name before the slash.' },
      summary: 'List policies whose names start with a name and a slash, with their texts',
      answers: answersKeys(AclPolicy),
      fields: PAGE_FIELDS,
      handle: ({ params, data }) =>
        detailed(service, ({ after, most }) => service.namesBelow(params.name ?? '', after, most), pageOf(data)),
    },
  ];
}

async function detailed(service: PolicyService, namesOf: NamesOf, { after, most }: Page): Promise<Reply> {
  const names = await namesOf({ after, most: Math.min(most, MAX_DETAILED + 1) });
  if (names.length > MAX_DETAILED) throw tooMany();
  const infos: Record<string, unknown> = {};
  let length = 0;
  for (const name of names) {
    const policy = await service.find(name);
    if (!policy) continue;
    length += policy.text.length;
    if (length > MAX_DETAILED_LENGTH) throw tooMany();
    infos[name] = { name, policy: policy.text, ...policyFacts(policy) };
  }
  return listReply(Object.keys(infos), infos);
}

function tooMany(): AppError {
  const most = `${MAX_DETAILED} policies or ${MAX_DETAILED_LENGTH} characters of them`;
  return new AppError('bad-request', `one answer may have at most ${most}; use pages with 'limit' and 'after'`);
}
