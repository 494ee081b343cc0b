import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Check, Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import * as texts from './texts.ts';

/** Settings of a team: its name, and who sees it. */
export function TeamSettings({ team }: { readonly team: Resources['teams'] }) {
  const { attributes } = team;
  const [name, setName] = useState(attributes.name);
  const [visibility, setVisibility] = useState<string>(attributes.visibility);
  const [tokens, setTokens] = useState(attributes['allow-member-token-management']);
  const save = useChange(() =>
    workspaces.send('PATCH /teams/{team_id}', {
      path: { team_id: team.id },
      body: {
        data: {
          type: 'teams',
          attributes: {
            name,
            visibility: visibility === 'secret' ? 'secret' : 'organization',
            'allow-member-token-management': tokens,
          },
        },
      },
    }),
  );
  return (
    <Section title={texts.settings}>
      <Form
        action={texts.saveSettings}
        isPrimary={false}
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        fault={save.error}
        done={save.isSuccess && texts.saved}
      >
        <Field name="name" label={texts.name} maxLength={90} value={name} onText={setName} />
        <Select
          name="visibility"
          label={texts.visibleTo}
          value={visibility}
          options={[
            ['organization', texts.everyMemberOfTheOrganization],
            ['secret', texts.onlyItsMembers],
          ]}
          onText={setVisibility}
        />
        <Check
          name="allow-member-token-management"
          label={texts.membersCreateAndRevoke}
          checked={tokens}
          onCheck={setTokens}
        />
      </Form>
    </Section>
  );
}
