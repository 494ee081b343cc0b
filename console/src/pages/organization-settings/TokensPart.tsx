import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Check, Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Tokens } from '../../components/tokens/Tokens.tsx';
import { NotForYou, usePart } from './part.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/authentication-tokens';
const POLICIES = 'GET /organizations/{organization_name}/token-ttl-policies';
const DAY_MS = 86_400_000;
const KINDS = [
  ['organization', texts.organizationTokens],
  ['team', texts.teamTokens],
  ['user', texts.userTokens],
  ['audit_trails', texts.auditTrailTokens],
] as const;

/** Tokens of an organization, and maximum token lifetimes. */
export function TokensPart() {
  const { organization, path, answer, may } = usePart(texts.tokens, (name) =>
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
      <Tokens title={texts.organizationToken} of={organization} query={own} {...with_('organization')}>
        {texts.managesTheOrganizationWorkspaces}
      </Tokens>
      <Tokens
        title={texts.auditTrailToken}
        of={texts.theAuditTrailOf(organization)}
        query={audit}
        {...with_('audit-trails')}
      >
        {texts.readsTheAuditTrailOnly}
      </Tokens>
      <Section title={texts.maximumTokenLifetimes}>
        <QueryResult query={policies} what={texts.thePolicies}>
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
        </QueryResult>
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
      action={texts.saveLifetimes}
      isPrimary={false}
      onSubmit={() => save.mutate()}
      busy={save.isPending}
      fault={save.error}
      done={save.isSuccess && texts.saved}
    >
      <Check
        name="max-ttl-enabled"
        label={texts.limitTokenLifetimes}
        help={texts.theServerDoesNot}
        checked={isOn}
        onCheck={setOn}
      />
      {isOn &&
        KINDS.map(([kind, label]) => (
          <Field
            key={kind}
            label={texts.days(label)}
            type="number"
            min={1}
            value={days.get(kind) ?? ''}
            onText={(text) => setDays((now) => new Map(now).set(kind, text))}
          />
        ))}
    </Form>
  );
}
