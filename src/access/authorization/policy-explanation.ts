import { component, flag, integer, listOf, orNull, text, texts } from '../operation/schema.ts';

const Block = component('PolicyBlock', {
  policy: text(),
  path: text('As written, with templates.'),
  line: integer(),
  capabilities: texts(),
});

const RULE = {
  path: text(),
  policies: texts('Policies with a block for this path.'),
  capabilities: texts('Combined capabilities of these policies.'),
  blocks: listOf(Block),
};

const Dropped = component('DroppedPolicyBlock', { policy: text(), path: text(), line: integer(), because: text() });
const Unreadable = component('UnreadablePolicy', { policy: text(), problem: text() });

const Sources = component(
  'PolicySources',
  {
    token: texts('Policies of the token itself.'),
    entity: texts("Policies of the token's entity."),
    groups: listOf(
      component('PolicySourceGroup', {
        id: text(),
        name: text(),
        inherited: flag('Whether the entity belongs to it through another group.'),
        policies: texts(),
      }),
    ),
  },
  "Sources of the token's policies. Null if the request names policies instead.",
);

/** Response of `policies/explain`. */
export const PolicyExplanation = component(
  'PolicyExplanation',
  {
    allowed: flag(),
    reason: text('One word: `granted`, `no-rule`, …'),
    detail: text('One sentence.'),
    path: text(),
    capability: text(),
    needs_sudo: flag(),
    policies: texts('The evaluated policies.'),
    rule: orNull(component('PolicyRule', RULE, 'The rule that decided.')),
    overridden: listOf(
      component('OverriddenPolicyRule', { ...RULE, because: text() }),
      'Other matching rules, the most specific first.',
    ),
    dropped: listOf(Dropped, 'Blocks of policies that have no effect.'),
    policy_sources: orNull(Sources),
    missing_policies: texts(),
    unreadable_policies: listOf(Unreadable),
  },
  'Whether a request would be allowed, and why.',
);
