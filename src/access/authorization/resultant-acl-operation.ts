import { Type } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import { runInSlices, type Steps } from '../../lib/slices.ts';
import { type Acl, isDeny, isExactRule, type ParameterMap, type Rule } from '../acl/index.ts';
import { answersData } from '../operation/answer.ts';
import type { Operation } from '../operation/operation.ts';
import { component, flag, integer, listOf, mapOf, optional, texts } from '../operation/schema.ts';

/**
 * Bounds the response, which is built in one step.
 * @limit paths in a response about the resulting ACL, paths -> 400
 */
const MAX_RULES = 5000;
/** Number of rules in one slice. */
const SHOWN_IN_STEP = 50;

const parameterMap = () => optional(mapOf(listOf(Type.Unknown())));
const ShownRule = component('ResultantRule', {
  capabilities: texts('Granted capabilities, or only `deny`.'),
  min_wrapping_ttl: optional(integer('Seconds.')),
  max_wrapping_ttl: optional(integer('Seconds.')),
  allowed_parameters: parameterMap(),
  denied_parameters: parameterMap(),
  required_parameters: optional(texts()),
});
const ResultantAcl = component('ResultantAcl', {
  root: flag('Whether everything is allowed. The other fields are absent then.'),
  exact_paths: optional(mapOf(ShownRule)),
  glob_paths: optional(mapOf(ShownRule, 'Prefixes without their trailing star, and paths with + as written.')),
});

const ORDER = ['create', 'delete', 'list', 'read', 'sudo', 'update', 'patch'] as const;

/**
 * `internal/ui/resultant-acl`: the rules of the caller's policies by path, for user interfaces. Templates are filled
 * in. Use `policies/explain` to find the rule that decides a request.
 */
export function resultantAclOperation(): Operation {
  return {
    path: 'internal/ui/resultant-acl',
    verb: 'read',
    id: 'internal-ui-read-resultant-acl',
    summary: "Return the combined rules of the caller's policies",
    answers: answersData(ResultantAcl),
    async handle({ caller }) {
      if (caller.acl.isRoot) return { data: { root: true } };
      return { data: { root: false, ...(await runInSlices(shownRules(caller.acl))) } };
    },
  };
}

function* shownRules(acl: Acl): Steps<{ exact_paths: object; glob_paths: object }> {
  const exact: [string, object][] = [];
  const glob: [string, object][] = [];
  let shown = 0;
  for (const rule of acl.rules()) {
    if (++shown > MAX_RULES) throw tooMany();
    if (isExactRule(rule)) exact.push([rule.path, shownRule(rule)]);
    else glob.push([globOf(rule), shownRule(rule)]);
    if (shown % SHOWN_IN_STEP === 0) yield;
  }
  return { exact_paths: Object.fromEntries(exact), glob_paths: Object.fromEntries(glob) };
}

/** Returns a prefix without its star, and a path with `+` as written. */
const globOf = ({ path, shape }: Rule): string => (shape.wildcards > 0 ? path : shape.text);

function shownRule(rule: Rule): object {
  const { capabilities, allowed, denied, required, minWrapTtl, maxWrapTtl } = rule;
  const given = ORDER.filter((capability) => capabilities.has(capability));
  return {
    capabilities: isDeny(rule) || given.length === 0 ? ['deny'] : given,
    ...(minWrapTtl > 0 && { min_wrapping_ttl: minWrapTtl }),
    ...(maxWrapTtl > 0 && { max_wrapping_ttl: maxWrapTtl }),
    ...parameters('allowed_parameters', allowed),
    ...parameters('denied_parameters', denied),
    ...(required.length > 0 && { required_parameters: required }),
  };
}

function parameters(name: string, map: ParameterMap): object {
  return map.size > 0 ? { [name]: Object.fromEntries(map) } : {};
}

function tooMany(): AppError {
  const text = `the policies of the token have more than ${MAX_RULES} paths; query single paths with sys/capabilities-self`;
  return new AppError('bad-request', text);
}
