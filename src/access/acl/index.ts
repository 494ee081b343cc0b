/** The policy language: parses policies, combines them to an ACL, and evaluates requests. No I/O. */

export { Acl, type AclRequest, type Decision } from './acl.ts';
export { AclCache, type PolicyDraft, type PolicySource } from './acl-cache.ts';
export { type CheckedPolicy, checkPolicy } from './check-policy.ts';
export { PolicyError } from './language/policy-error.ts';
export type { ParameterMap, Policy, Verb } from './policy.ts';
export { assertAssignable, assertFew, normalizePolicies, policyName, ROOT, tokenPolicies } from './policy-names.ts';
export type { PolicySet } from './policy-set.ts';
export { isDeny, isExactRule, type Rule } from './rule.ts';
export { PLAIN_VALUES, type TemplateAllowance, type TemplateIdentity, type TemplateOwner } from './template.ts';
export { trimSlashes } from './trim-slashes.ts';
