import { Type } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import { runInSlices, type Steps } from '../../lib/slices.ts';
import { type Acl, isDeny, isExactRule, type ParameterMap, type Rule } from '../acl/index.ts';
import { answersData } from '../operation/answer.ts';
import type { Operation } from '../operation/operation.ts';
import { component, flag, integer, listOf, mapOf, optional, texts } from '../operation/schema.ts';

/**
 * The answer is made in one go.
 * @limit paths in an answer of what policies come to, paths -> 400
 */
const MAX_RULES = 5000;
/** Rules that are shown in one step. */
const SHOWN_IN_STEP = 50;

const parameterMap = () => optional(mapOf(listOf(Type.Unknown())));
const ShownRule = component('ResultantRule', {
  capabilities: texts('`deny` alone, or what may be done.'),
  min_wrapping_ttl: optional(integer('Seconds.')),
  max_wrapping_ttl: optional(integer('Seconds.')),
  allowed_parameters: parameterMap(),
  denied_parameters: parameterMap(),
  required_parameters: optional(texts()),
});
const ResultantAcl = component('ResultantAcl', {
  root: flag('Whether everything is allowed; then nothing else is said.'),
  exact_paths: optional(mapOf(ShownRule)),
  glob_paths: optional(mapOf(ShownRule, 'Prefixes without their star; paths with + as they are.')),
});

const ORDER = ['create', 'delete', 'list', 'read', 'sudo', 'update', 'patch'] as const;

/**
 * `internal/ui/resultant-acl`: what the caller's policies come to, path by path, for user interfaces. Templates are filled in.
 * Which of several paths counts for a request is `policies/explain`.
 */
export function resultantAclOperation(): Operation {
  return {
    path: 'internal/ui/resultant-acl',
    verb: 'read',
    id: 'internal-ui-read-resultant-acl',
    summary: 'Show what the policies of the caller come to',
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

/** A prefix is written without its star; a path with `+` as it is. */
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
  const text = `the policies of the token have more than ${MAX_RULES} paths; ask sys/capabilities-self about some of them`;
  return new AppError('bad-request', text);
}
