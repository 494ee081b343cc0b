import { component, flag, integer, listOf, orNull, text, texts } from '../operation/schema.ts';

const Block = component('PolicyBlock', {
  policy: text(),
  path: text('As written: with its templates.'),
  line: integer(),
  capabilities: texts(),
});

const RULE = {
  path: text(),
  policies: texts('Those that say something about this very path.'),
  capabilities: texts('What they come to together.'),
  blocks: listOf(Block),
};

const Dropped = component('DroppedPolicyBlock', { policy: text(), path: text(), line: integer(), because: text() });
const Unreadable = component('UnreadablePolicy', { policy: text(), problem: text() });

const Sources = component(
  'PolicySources',
  {
    token: texts('Of the token itself.'),
    entity: texts('Of whoever it stands for.'),
    groups: listOf(
      component('PolicySourceGroup', {
        id: text(),
        name: text(),
        inherited: flag('By a group that is a member of this one.'),
        policies: texts(),
      }),
    ),
  },
  'Where the policies of a token come from. Null where policies were given, and no token.',
);

/** What `policies/explain` answers. */
export const PolicyExplanation = component(
  'PolicyExplanation',
  {
    allowed: flag(),
    reason: text('One word: `granted`, `no-rule`, …'),
    detail: text('One sentence.'),
    path: text(),
    capability: text(),
    needs_sudo: flag(),
    policies: texts('Those that were asked.'),
    rule: orNull(component('PolicyRule', RULE, 'The rule that decides.')),
    overridden: listOf(
      component('OverriddenPolicyRule', { ...RULE, because: text() }),
      'Rules that the path fits too, the most specific first.',
    ),
    dropped: listOf(Dropped, 'Parts of policies that count for nothing.'),
    policy_sources: orNull(Sources),
    missing_policies: texts(),
    unreadable_policies: listOf(Unreadable),
  },
  'Whether a request would be allowed, and why.',
);
