import { AppError } from '../../lib/errors.ts';
import { type Acl, type PolicyDraft, policyName } from '../acl/index.ts';
import type { PathQuestions } from '../operation/question.ts';
import type { RequestedVerb } from '../operation/verb.ts';
import { type PolicyService, policyText } from '../policies/index.ts';

interface Parts {
  readonly policies: PolicyService;
  readonly paths: PathQuestions;
}

/**
 * Parses an unsaved policy for an explain request. The caller must be allowed to read or update the stored policy.
 * @param sent text as in a write
 * @throws AppError forbidden; bad-request with the line of the fault
 */
export async function draftIn({ policies, paths }: Parts, acl: Acl, name: string, sent: string): Promise<PolicyDraft> {
  const path = `sys/policies/acl/${policyName(name)}`;
  const may = async (verb: RequestedVerb, data: Readonly<Record<string, unknown>>) => {
    const question = await paths.questionOf(path, verb);
    if (question === undefined || question === 'open') return false;
    return question.paths.every((one) => acl.decide({ ...question, path: one, data, wrapTtl: 0 }).allowed);
  };
  if (!(await may('read', {})) && !(await may('update', { policy: sent })))
    throw new AppError('forbidden', `a draft needs the capability read or update on ${path}`);
  return policies.draft(name, policyText(sent));
}
