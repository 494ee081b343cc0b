import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Tokens } from '../../components/tokens/Tokens.tsx';
import { NotForYou, usePart } from './part.tsx';

const LIST = 'GET /organizations/{organization_name}/authentication-tokens';
const POLICIES = 'GET /organizations/{organization_name}/token-ttl-policies';
const DAY_MS = 86_400_000;
const KINDS = [
  ['organization', 'Of the organization'],
  ['team', 'Of teams'],
  ['user', 'Of users'],
  ['audit_trails', 'For the audit trail'],
] as const;

/** The tokens of an organization itself, and how long tokens may live in it. */
export function TokensPart() {
  const { organization, path, answer, may } = usePart('Tokens', (name) =>
    workspaces.request(LIST, { path: { organization_name: name } }),
  );
  const mayAll = may?.['can-update-api-token'] ?? false;
  const own = useQuery({ ...workspaces.query(LIST, { path }), enabled: mayAll });
  const audit = useQuery({ ...workspaces.query(LIST, { path, query: { token: 'audit-trails' } }), enabled: mayAll });
  const policies = useQuery({ ...workspaces.query(POLICIES, { path }), enabled: mayAll });
  if (may && !mayAll) return <NotForYou needs="can-update-api-token" />;
  const with_ = (token: 'organization' | 'audit-trails') => ({
    isOnly: true,
    mayRevoke: true,
    create: ({ 'expired-at': end }: { readonly 'expired-at': string | null }) =>
      workspaces.send('POST /organizations/{organization_name}/authentication-token', {
        path,
        query: { token },
        body: { data: { type: 'authentication-tokens', attributes: { 'expired-at': end } } },
      }),
  });
  return (
    <>
      <Tokens title="Token of the organization" of={organization} query={own} {...with_('organization')}>
        It sets the organization up: workspaces, teams, members, variables. It carries nothing out, and reads no state.
      </Tokens>
      <Tokens
        title="Token of the audit trail"
        of={`the audit trail of ${organization}`}
        query={audit}
        {...with_('audit-trails')}
      >
        It reads the audit trail, and nothing else.
      </Tokens>
      <Section title="Longest lives">
        <Answered query={policies} what="The policies">
          {({ data }) =>
            answer && (
              <LivesForm
                key={organization}
                organization={organization}
                policies={data}
                isOn={answer.data.attributes['max-ttl-enabled']}
              />
            )
          }
        </Answered>
      </Section>
    </>
  );
}

interface LivesProps {
  readonly organization: string;
  readonly policies: readonly Resources['organization-token-ttl-policies'][];
  readonly isOn: boolean;
}

function LivesForm({ organization, policies, isOn: wasOn }: LivesProps) {
  const path = { organization_name: organization };
  const before = new Map(
    policies.map(({ attributes: { 'token-type': type, 'max-ttl-ms': ms } }) => [
      type,
      String(Math.round((ms ?? 0) / DAY_MS)),
    ]),
  );
  const [isOn, setOn] = useState(wasOn);
  const [days, setDays] = useState(before);
  const changed = KINDS.filter(([kind]) => days.get(kind) !== before.get(kind));
  const save = useChange(async () => {
    if (isOn !== wasOn) {
      await workspaces.send('PATCH /organizations/{organization_name}', {
        path,
        body: { data: { type: 'organizations', attributes: { 'max-ttl-enabled': isOn } } },
      });
    }
    if (changed.length === 0) return;
    await workspaces.send('PATCH /organizations/{organization_name}/token-ttl-policies', {
      path,
      body: {
        data: changed.map(([kind]) => ({
          type: 'organization-token-ttl-policies' as const,
          attributes: { 'token-type': kind, 'max-ttl-ms': Number(days.get(kind)) * DAY_MS },
        })),
      },
    });
  });
  return (
    <Form
      action="Save lives"
      isPrimary={false}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      done={save.isSuccess && 'Saved'}
    >
      <Check
        name="max-ttl-enabled"
        label="Tokens live no longer than this"
        help="Longer ones of teams and the organization are not made; of users they are not taken."
        checked={isOn}
        onCheck={setOn}
      />
      {isOn &&
        KINDS.map(([kind, label]) => (
          <Field
            key={kind}
            label={`${label}, days`}
            type="number"
            min={1}
            value={days.get(kind) ?? ''}
            onText={(text) => setDays((now) => new Map(now).set(kind, text))}
          />
        ))}
    </Form>
  );
}
